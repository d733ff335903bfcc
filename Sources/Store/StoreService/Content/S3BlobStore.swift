import Foundation
package import StoreDatabase
import StoreFoundation
import StoreHTTP
package import StoreHTTPClient
package import StoreModel
import StoreSigning
import Synchronization

/// Blobs in a bucket of S3 or a compatible service, each under its name.
///
/// What comes is put into a file first, so that its name is known before a byte is sent; what is large is sent in parts, and
/// the parts of what was not sent to its end are given up. A bucket may be shared by all servers of a store.
package final class S3BlobStore: BlobStore {
    /// Where the bucket is, and who comes.
    package struct Place: Sendable {
        /// Scheme, host and port of the service.
        package var endpoint: String
        package var bucket: String
        /// What all names begin with; nothing, or a path that ends with a slash.
        package var prefix: String
        package var credentials: SigningCredentials

        package init(endpoint: String, bucket: String, prefix: String, credentials: SigningCredentials) {
            self.endpoint = endpoint
            self.bucket = bucket
            self.prefix = prefix
            self.credentials = credentials
        }
    }

    package let limits: BlobLimits
    package let isCheckedElsewhere = true
    let place: Place
    private let client: HTTPClient
    private let signer: RequestSigner
    private let folder: String
    private let wall: @Sendable () -> Instant

    /// How large the parts of a large blob are, and what is sent as a whole.
    static let partBytes: Int64 = 16 << 20
    /// How long the parts of a blob may be on their way before they count as left by a crash.
    private static let staleness = Duration.seconds(24 * 60 * 60)
    private static let attempts = 4
    private static let firstDelay = Duration.milliseconds(200)

    /// - Parameter folder: where what comes is put first; files that a crash has left there are removed.
    package init(
        _ place: Place, client: HTTPClient, folder: String, limits: BlobLimits = BlobLimits(),
        wall: @escaping @Sendable () -> Instant
    ) throws {
        self.place = place
        self.client = client
        self.folder = folder
        self.limits = limits
        self.wall = wall
        // Safe: SHA-256 of bytes in memory fails only where OpenSSL has none, and then the store has not started.
        signer = RequestSigner(place.credentials) { try! DigestAlgorithm.sha256.digest($0) }
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw FileFailure("making the folder", folder) }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) { unlink("\(folder)/\(name)") }
    }

    package var drafts: String { folder }

    package func begin() throws -> any BlobDraft { try S3BlobDraft(at: "\(folder)/\(UUID().uuidString)", self) }

    package func byteCount(of id: BlobID) throws -> Int64? {
        let answer = try send(.head, path(id), accepting: [.ok, .notFound])
        guard answer.status == .ok else { return nil }
        guard let length = answer.fields["Content-Length"].flatMap({ Int64($0) }) else {
            throw BlobError(.inputOutput, "the object store does not say how long \(id) is")
        }
        return length
    }

    package func read(_ id: BlobID, _ range: Range<Int64>) throws -> [UInt8] {
        guard range.count <= limits.bytesPerRead else {
            throw BlobError(.outOfRange, "a read of \(range.count) bytes exceeds \(limits.bytesPerRead)")
        }
        guard range.lowerBound >= 0 else { throw BlobError(.outOfRange, "the bytes \(range) are not in a blob") }
        guard !range.isEmpty else { return [] }
        var fields = HTTPFields()
        fields["Range"] = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
        let answer = try send(
            .get, path(id), fields: fields, accepting: [.ok, .partialContent, .notFound, .rangeNotSatisfiable])
        switch answer.status {
        case .notFound: throw BlobError(.missing, "there is no such blob")
        case .rangeNotSatisfiable:
            throw BlobError(.outOfRange, "the bytes \(range) are not all in the blob \(id)")
        default: break
        }
        guard answer.body.count == range.count else {
            throw BlobError(.outOfRange, "the bytes \(range) are not all in the blob \(id)")
        }
        return answer.body
    }

    package func verify(_ id: BlobID) throws {
        guard let count = try byteCount(of: id) else { throw BlobError(.missing, "there is no such blob") }
        let digest = try RunningDigest(.sha256)
        for start in stride(from: 0, to: count, by: Int(Self.partBytes)) {
            try digest.update(try read(id, start..<min(start + Self.partBytes, count)))
        }
        guard BlobID(digest: try digest.finish()) == id else { throw BlobError(damaged: id) }
    }

    package func list(after id: BlobID?, limit: Int) throws -> [BlobID] {
        var query = "list-type=2&max-keys=\(min(limit, 1000))&prefix=\(PercentEncoding.encode(place.prefix))"
        if let id { query += "&start-after=\(PercentEncoding.encode(place.prefix + id.text))" }
        let text = String(decoding: try send(.get, "", query: query, accepting: [.ok]).body, as: UTF8.self)
        return S3Answer.values(of: "Key", in: text).compactMap { key in
            key.hasPrefix(place.prefix) ? BlobID(String(key.dropFirst(place.prefix.count))) : nil
        }
    }

    @discardableResult
    package func delete(_ id: BlobID) throws -> Bool {
        guard try byteCount(of: id) != nil else { return false }
        _ = try send(.delete, path(id), accepting: [.ok, .noContent, .notFound])
        return true
    }

    /// Gives up the parts of blobs that a crash has left.
    package func endStaleUploads() throws {
        let query = "prefix=\(PercentEncoding.encode(place.prefix))&uploads="
        let text = String(decoding: try send(.get, "", query: query, accepting: [.ok]).body, as: UTF8.self)
        for upload in S3Answer.elements("Upload", in: text) {
            guard let key = S3Answer.values(of: "Key", in: upload).first,
                let id = S3Answer.values(of: "UploadId", in: upload).first,
                let begun = S3Answer.values(of: "Initiated", in: upload).first.flatMap({ try? Instant(rfc3339: $0) }),
                begun + Self.staleness < wall()
            else { continue }
            try abort(key, id)
        }
    }

    // MARK: Sending

    private func path(_ id: BlobID) -> String { place.prefix + id.text }

    fileprivate func keep(_ file: OpenFile, as id: BlobID) throws {
        if try byteCount(of: id) == Int64(file.length) { return }
        let key = path(id)
        guard Int64(file.length) > Self.partBytes else {
            let bytes = file.read(at: 0, count: file.length) ?? []
            guard bytes.count == file.length else { throw BlobError(.inputOutput, "the draft of \(id) cannot be read") }
            _ = try send(.put, key, body: bytes, accepting: [.ok])
            return
        }
        let begun = String(decoding: try send(.post, key, query: "uploads=", accepting: [.ok]).body, as: UTF8.self)
        guard let upload = S3Answer.values(of: "UploadId", in: begun).first else {
            throw BlobError(.inputOutput, "the object store does not say which upload it began")
        }
        do {
            try sendParts(of: file, to: key, upload)
        } catch {
            try? abort(key, upload)
            throw error
        }
    }

    private func sendParts(of file: OpenFile, to key: String, _ upload: String) throws {
        let id = PercentEncoding.encode(upload)
        var tags: [String] = []
        for start in stride(from: 0, to: file.length, by: Int(Self.partBytes)) {
            let count = min(Int(Self.partBytes), file.length - start)
            guard let bytes = file.read(at: start, count: count), bytes.count == count else {
                throw BlobError(.inputOutput, "the draft of a blob cannot be read")
            }
            let answer = try send(
                .put, key, query: "partNumber=\(tags.count + 1)&uploadId=\(id)", body: bytes, accepting: [.ok])
            guard let tag = answer.fields["ETag"] else {
                throw BlobError(.inputOutput, "the object store does not name a part that it took")
            }
            tags.append(tag)
        }
        let parts = tags.enumerated().map {
            "<Part><PartNumber>\($0.offset + 1)</PartNumber><ETag>\(S3Answer.escaped($0.element))</ETag></Part>"
        }
        let list = "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>"
        let answer = try send(.post, key, query: "uploadId=\(id)", body: Array(list.utf8), accepting: [.ok])
        // The service may say that it failed after it has said that it went well.
        guard !String(decoding: answer.body, as: UTF8.self).contains("<Error>") else {
            throw BlobError(.inputOutput, "the object store could not put the parts of a blob together")
        }
    }

    private func abort(_ key: String, _ upload: String) throws {
        _ = try send(
            .delete, key, query: "uploadId=\(PercentEncoding.encode(upload))", accepting: [.noContent, .ok, .notFound])
    }

    /// Sends a request and waits for its answer; tries again what may go better then.
    private func send(
        _ method: HTTPMethod, _ key: String, query: String = "", fields: HTTPFields = HTTPFields(), body: [UInt8] = [],
        accepting statuses: Set<HTTPStatus>
    ) throws -> ClientResponse {
        let path = key.split(separator: "/", omittingEmptySubsequences: false).map {
            PercentEncoding.encode(String($0))
        }
        let url =
            "\(place.endpoint)/\(PercentEncoding.encode(place.bucket))/\(path.joined(separator: "/"))"
            + (query.isEmpty ? "" : "?\(query)")
        var request = ClientRequest(method, url, fields: fields, body: body.isEmpty ? .empty : .bytes(body))
        request.acceptsCompression = false
        request.isRepeatableByItself = true
        let digest = try DigestAlgorithm.sha256.digest(body)
        let answer = try BlockingCall.wait { [request, client, signer, wall, limits] in
            var failures = 0
            while true {
                do {
                    // Signed anew each time: a signature is good for some minutes only.
                    let signed = try signer.sign(
                        request, payload: .digest(digest),
                        at: HTTPDate(secondsSince1970: Int(wall().millisecondsSinceEpoch / 1000)))
                    let answer = try await client.send(signed, limit: limits.bytesPerRead + (1 << 20))
                    guard answer.status.rawValue >= 500, failures + 1 < Self.attempts else { return answer }
                } catch let error as HTTPClientError where error.isTemporary && failures + 1 < Self.attempts {}
                failures += 1
                try await Task.sleep(for: Self.firstDelay * (1 << failures))
            }
        }
        guard statuses.contains(answer.status) else { throw S3Answer.error(answer, method) }
        return answer
    }
}

/// A content that is put into a file until all of it is there.
private final class S3BlobDraft: BlobDraft {
    private let path: String
    private let store: S3BlobStore
    private var file: SystemFile?
    private let digest: RunningDigest
    private var count: Int64 = 0

    init(at path: String, _ store: S3BlobStore) throws {
        self.path = path
        self.store = store
        digest = try RunningDigest(.sha256)
        file = try SystemFile(making: path)
    }

    deinit { discard() }

    func append(_ bytes: some Collection<UInt8>) throws {
        guard let file else { throw BlobError(.ended, "the content was kept or given up already") }
        guard count + Int64(bytes.count) <= store.limits.bytesPerBlob else {
            discard()
            throw BlobError(.tooLarge, "a blob has at most \(store.limits.bytesPerBlob) bytes")
        }
        let bytes = Array(bytes)
        do throws(FileFailure) {
            try file.write(bytes)
        } catch {
            discard()
            throw BlobError(error.isFull ? .full : .inputOutput, error.description)
        }
        try digest.update(bytes)
        count += Int64(bytes.count)
    }

    func keep(expecting expected: BlobID?) throws -> BlobID {
        guard file != nil else { throw BlobError(.ended, "the content was kept or given up already") }
        defer { discard() }
        let id = BlobID(digest: try digest.finish())
        guard expected == nil || expected == id else {
            throw BlobError(.damaged, "the content that came is not the blob that was announced")
        }
        guard let whole = OpenFile(path: path) else { throw BlobError(.inputOutput, "the draft of \(id) is gone") }
        try store.keep(whole, as: id)
        return id
    }

    func discard() {
        guard file != nil else { return }
        file = nil
        unlink(path)
    }
}

/// What the object store says, as far as it matters here.
private enum S3Answer {
    /// The texts between the tags of a name.
    static func values(of name: String, in text: String) -> [String] { elements(name, in: text).map(unescaped) }

    static func elements(_ name: String, in text: String) -> [String] {
        text.split(separator: "<\(name)>", omittingEmptySubsequences: false).dropFirst().compactMap { rest in
            rest.range(of: "</\(name)>").map { String(rest[..<$0.lowerBound]) }
        }
    }

    private static let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]

    static func unescaped(_ text: String) -> String {
        entities.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    static func escaped(_ text: String) -> String {
        entities.reversed().reduce(text) { $0.replacing($1.1, with: $1.0) }
    }

    static func error(_ answer: ClientResponse, _ method: HTTPMethod) -> BlobError {
        let body = String(decoding: answer.body.prefix(4096), as: UTF8.self)
        // An answer to HEAD has no body.
        let code = values(of: "Code", in: body).first.map { " (\($0.prefix(100)))" } ?? ""
        let advice = answer.status == .forbidden ? ": the keys are wrong, or may not do this" : ""
        return BlobError(
            answer.status.rawValue == 507 ? .full : .inputOutput,
            "the object store refused \(method.rawValue) with \(answer.status.rawValue)\(code)\(advice)")
    }
}

/// Lets a thread of our own wait for what a task does.
private enum BlockingCall {
    /// Called on threads that no task runs on, as all of ``BlobStore`` is: the threads of tasks, of which there are as many as
    /// processors, stay free to do what is waited for.
    static func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let done = DispatchSemaphore(value: 0)
        let result = Outcome<Value>()
        Task.detached {
            do {
                result.value.withLock { [value = try await body()] in $0 = .success(value) }
            } catch {
                result.value.withLock { $0 = .failure(error) }
            }
            done.signal()
        }
        done.wait()
        guard let outcome = result.value.withLock({ $0 }) else {
            throw BlobError(.inputOutput, "what was asked of the object store has no end")
        }
        return try outcome.get()
    }

    private final class Outcome<Value: Sendable>: Sendable {
        let value = Mutex<Result<Value, any Error>?>(nil)
    }
}

import StoreFoundation
import StoreHTTP
package import StoreHTTPClient
import StoreModel
import StoreSigning

/// An archive of hosted content that is to be brought to a file.
package struct ContentOrder: Sendable {
    /// The path at the store's address, good for a while.
    package var path: String
    /// The file that appears once all of it is there and right. What is there of it is kept beside it.
    package var destination: String
    package var length: Int
    /// The SHA-256 of the whole.
    package var digest: [UInt8]
    package var chunkLength: Int
    package var chunkDigests: [[UInt8]]
    /// When what failed is tried again; failures are counted from the last byte.
    package var policy: RetryPolicy
    /// Is told how many bytes are there.
    package var progress: @Sendable (Int) -> Void

    /// Nil if the answer of the store contradicts itself.
    init?(
        _ link: ContentLinkAnswer, to destination: String, policy: RetryPolicy,
        progress: @escaping @Sendable (Int) -> Void
    ) {
        guard link.path.hasPrefix("/"), (1...DownloadLimits.archiveBytes).contains(link.contentLength),
            (0...DownloadLimits.unpackedBytes).contains(link.unpackedLength),
            DownloadLimits.chunkBytes.contains(link.chunkLength),
            let digest = Self.bytes(hexadecimal: link.digest), digest.count == Self.digestBytes,
            let digests = Base64.decode(link.chunkDigests), digests.count % Self.digestBytes == 0
        else { return nil }
        path = link.path
        self.destination = destination
        length = Int(link.contentLength)
        self.digest = digest
        chunkLength = link.chunkLength
        chunkDigests = stride(from: 0, to: digests.count, by: Self.digestBytes).map {
            Array(digests[$0..<($0 + Self.digestBytes)])
        }
        self.policy = policy
        self.progress = progress
        guard chunks != nil else { return nil }
    }

    var chunks: ChunkDigests? {
        ChunkDigests(chunkDigests, ofEach: chunkLength, in: length) { try SHA256Digest() }
    }

    private static let digestBytes = DigestAlgorithm.sha256.byteCount

    private static func bytes(hexadecimal text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }
}

/// SHA-256 for the chunks of a download.
private struct SHA256Digest: ContentDigest {
    private let running: RunningDigest

    init() throws { running = try RunningDigest(.sha256) }

    mutating func update(_ bytes: UnsafeRawBufferPointer) throws { try running.update(bytes) }

    mutating func finish() throws -> [UInt8] { try running.finish() }
}

extension StoreConnection {
    /// Brings nothing: most connections of tests carry requests alone.
    package func fetch(_ order: ContentOrder) async throws(DownloadError) {
        throw DownloadError(.transfer, "This connection carries no content.")
    }
}

extension NetworkConnection {
    package func fetch(_ order: ContentOrder) async throws(DownloadError) {
        var request = ClientRequest(.get, origin + order.path)
        request.timeouts = ClientTimeouts(connect: ConnectionLimits.connect, idle: DownloadLimits.silence, total: nil)
        var sought = DownloadRequest(request, to: order.destination, limit: order.length, policy: order.policy)
        // The address is another each time, the file is the same.
        sought.identity = order.digest.map { String($0, radix: 16) }.joined(separator: " ")
        sought.length = order.length
        sought.chunks = order.chunks
        sought.range = DownloadLimits.rangeBytes
        let download = Download(sought, with: client)
        let watching = Task(executorPreference: TaskThreads.executor) {
            for await progress in download.progress { order.progress(progress.received) }
        }
        let result: Result<Void, DownloadError>
        do throws(DownloadError) {
            result = .success(try await download.run())
        } catch {
            result = .failure(error)
        }
        // The last progress is told before the end.
        await watching.value
        try result.get()
    }
}

extension MemoryConnection {
    /// The line within a process does not break, and what is begun anew costs nothing.
    package func fetch(_ order: ContentOrder) async throws(DownloadError) {
        do {
            let draft = order.destination + ".memory"
            unlink(draft)
            let file = try SystemFile(making: draft)
            let digest = try RunningDigest(.sha256)
            var received = 0
            while received < order.length {
                let end = min(received + DownloadLimits.rangeBytes, order.length)
                let piece = try await piece(received..<end, of: order)
                try file.write(piece)
                try digest.update(piece)
                received = end
                order.progress(received)
            }
            guard try digest.finish() == order.digest else {
                throw DownloadError(.unexpectedContent, "The store sends another archive than it said.")
            }
            try SystemFile.rename(draft, to: order.destination)
        } catch let error as DownloadError {
            throw error
        } catch let error as FileFailure {
            throw DownloadError(error.isFull ? .diskFull : .file, "\(error)")
        } catch {
            throw Task.isCancelled
                ? DownloadError(.cancelled, "The download was cancelled.") : DownloadError(.transfer, "\(error)")
        }
    }

    private func piece(_ range: Range<Int>, of order: ContentOrder) async throws -> [UInt8] {
        try Task.checkCancellation()
        let fields: HTTPFields = ["Range": "bytes=\(range.lowerBound)-\(range.upperBound - 1)"]
        let response = try await transport.send(TransportRequest("GET", order.path, fields: fields, body: .empty))
        let body = try await response.body.collect()
        guard response.status.rawValue == 206 || response.status.rawValue == 200 else {
            throw DownloadError(.refused, "The store sends no content.", status: response.status)
        }
        guard body.count == range.count else {
            throw DownloadError(.unexpectedContent, "The store sends another length than it said.")
        }
        return body
    }
}

/// How much of hosted content is taken, and for how long.
enum DownloadLimits {
    /// The most bytes of an archive, and of what is in it.
    static let archiveBytes: Int64 = 4 << 30
    static let unpackedBytes: Int64 = 16 << 30
    /// How long the chunks may be that digests are told of.
    static let chunkBytes = 4096...(64 << 20)
    /// How much one request asks for: whoever may not have the content any more hears so at the next one.
    static let rangeBytes = 8 << 20
    /// How long the store may send nothing.
    static let silence = Duration.seconds(20)
    /// How often in a row a download may bring no byte before it fails. With the pauses between, which grow to a minute, and
    /// the time that each takes, a network may be away for a quarter of an hour.
    static let attempts = 24
    /// How many addresses in a row may bring no byte.
    static let links = 3
    /// How much room is left to others on the disk.
    static let spareBytes: Int64 = 16 << 20
    /// Progress is told for each such part of the whole, and at most for so many bytes.
    static let progressParts: Int64 = 200
    static let progressBytes: Int64 = 64 << 10
}

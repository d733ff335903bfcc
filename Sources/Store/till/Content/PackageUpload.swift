import CommandOptions
import Foundation
import StoreFoundation
import StoreHTTP
import StoreHTTPClient
import StoreModel
import StoreServer
import StoreSigning

/// Brings a package to a store, part by part. What is there already is not sent again, not of a part either: after a lost
/// connection, a restarted store, and a command that was killed, it goes on where it stopped.
struct PackageUpload {
    /// What has to be done next.
    enum Step {
        /// Announce the package; the store finds an upload of the same bytes that was begun before.
        case announce
        /// Ask what is there.
        case look(uploadId: String)
        case send(ContentUploadAnswer)
        case complete(uploadId: String)
        case done(ContentVersionAnswer)

        /// What is done after a failure that may pass. What the store knows by then, it says.
        var again: Step {
            switch self {
            case .announce: .announce
            case .look(let id): .look(uploadId: id)
            case .send(let upload): .look(uploadId: upload.uploadId)
            case .complete(let id): .complete(uploadId: id)
            case .done: self
            }
        }
    }

    let store: ContentStore
    /// The path of the content of the product.
    let path: String
    let package: PackageFile
    let progress: TransferBar
    var retries = Self.patience

    /// How long a store is waited for that is restarted.
    static let patience = RetryPolicy(attempts: 40, firstDelay: .milliseconds(500), longestDelay: .seconds(10))

    func run() async throws -> ContentVersionAnswer {
        var step = Step.announce
        var (failures, kept) = (0, Int64(0))
        while true {
            if case .done(let answer) = step { return answer }
            do {
                step = try await take(step) { count in
                    if count > kept { failures = 0 }
                    kept = max(kept, count)
                }
                // That the store can be asked is no progress yet.
                if case .send = step { continue }
                failures = 0
            } catch let failure as StoreFailure where failure.isTransient {
                failures += 1
                guard let delay = retries.delay(afterFailures: failures) else {
                    throw StoreFailure(
                        .unavailable,
                        "\(failure.failure.message); what was sent is kept, and the same command goes on with it")
                }
                if failures == 1 { progress.say("the store does not answer; trying again") }
                try await retries.wait(delay)
                step = step.again
            } catch let failure as StoreFailure where failure.status == .notFound {
                // The upload was given up meanwhile; an unknown product stays unknown.
                guard case .announce = step else {
                    step = .announce
                    continue
                }
                throw failure
            }
        }
    }

    /// - Parameter noted: told how many bytes are there, whenever that is known.
    private func take(_ step: Step, _ noted: (Int64) -> Void) async throws -> Step {
        switch step {
        case .announce:
            let request = ContentUploadRequest(packageBytes: package.bytes, packageDigest: package.digest)
            let upload = try await store.ask(
                "POST", path + "/uploads", Array(JSONEncoder().encode(request)), as: ContentUploadAnswer.self)
            let there = upload.bytesThere(of: package.bytes)
            if there > 0 { progress.say("going on: \(ByteText(there)) of \(ByteText(package.bytes)) are there") }
            return .send(upload)
        case .look(let id):
            return .send(try await store.ask("GET", path + "/uploads/\(id)", as: ContentUploadAnswer.self))
        case .send(let upload):
            try await send(upload, noted)
            return .complete(uploadId: upload.uploadId)
        case .complete(let id):
            return .done(
                try await store.ask("POST", path + "/uploads/\(id)/completion", as: ContentVersionAnswer.self))
        case .done: return step
        }
    }

    private func send(_ upload: ContentUploadAnswer, _ noted: (Int64) -> Void) async throws {
        guard upload.packageBytes == package.bytes, (1...(256 << 20)).contains(upload.partBytes),
            Int64(upload.partBytes) * Int64(upload.partCount) >= package.bytes
        else { throw StoreFailure(.failure, "the store speaks of another package") }
        let there = Set(upload.received)
        var done = upload.bytesThere(of: package.bytes)
        noted(done)
        progress.show(done, of: package.bytes)
        for part in 1...upload.partCount where !there.contains(part) {
            let begun = upload.bytesBegun(ofPart: part, of: package.bytes)
            try await send(part, from: begun, of: upload)
            done += upload.byteCount(ofPart: part, of: package.bytes) - begun
            noted(done)
            progress.show(done, of: package.bytes)
        }
    }

    /// Sends what follows the first bytes of a part; all of it if the store does not want that, because those that it has are
    /// wrong for example.
    private func send(_ part: Int, from offset: Int64, of upload: ContentUploadAnswer) async throws {
        let count = upload.byteCount(ofPart: part, of: package.bytes)
        let bytes = try package.file.read(at: Int64(part - 1) * Int64(upload.partBytes), count: Int(count))
        let digest = Data(try DigestAlgorithm.sha256.digest(bytes)).base64EncodedString()
        var fields: HTTPFields = ["Content-Type": "application/octet-stream"]
        if offset > 0 {
            fields["Content-Range"] = "bytes \(offset)-\(count - 1)/\(count)"
            fields["Repr-Digest"] = "sha-256=:\(digest):"
        } else {
            fields["Content-Digest"] = "sha-256=:\(digest):"
        }
        do {
            try await store.send(
                "PUT", path + "/uploads/\(upload.uploadId)/parts/\(part)", Array(bytes.dropFirst(Int(offset))),
                fields: fields)
        } catch let failure as StoreFailure where offset > 0 && failure.status == .badRequest {
            try await send(part, from: 0, of: upload)
        }
    }
}

extension ContentUploadAnswer {
    /// How many bytes a part of a package has.
    fileprivate func byteCount(ofPart part: Int, of bytes: Int64) -> Int64 {
        max(0, min(Int64(partBytes), bytes - Int64(part - 1) * Int64(partBytes)))
    }

    /// How many bytes are there of a part that has not come whole.
    fileprivate func bytesBegun(ofPart part: Int, of bytes: Int64) -> Int64 {
        let there = begun.first { $0.part == part }?.bytes ?? 0
        return (0..<byteCount(ofPart: part, of: bytes)).contains(there) ? there : 0
    }

    /// How many bytes of a package are there.
    fileprivate func bytesThere(of bytes: Int64) -> Int64 {
        let parts = Set(received).filter { (1...max(1, partCount)).contains($0) }
        return parts.reduce(0) { $0 + byteCount(ofPart: $1, of: bytes) }
            + Set(begun.map(\.part)).subtracting(parts).reduce(0) { $0 + bytesBegun(ofPart: $1, of: bytes) }
    }
}

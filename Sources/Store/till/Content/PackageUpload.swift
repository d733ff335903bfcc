import CommandOptions
import Foundation
import StoreFoundation
import StoreHTTP
import StoreHTTPClient
import StoreModel
import StoreServer
import StoreSigning

/// Brings a package to a store, part by part. What is there already is not sent again: after a lost connection, a restarted
/// store, and a command that was killed, it goes on where it stopped.
struct PackageUpload {
    /// What has to be done next.
    enum Step {
        /// Announce the package; the store finds an upload of the same bytes that was begun before.
        case announce
        /// Ask which parts are there.
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
        var failures = 0
        while true {
            if case .done(let answer) = step { return answer }
            do {
                step = try await take(step) { failures = 0 }
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

    /// - Parameter succeeded: called for each part that has come.
    private func take(_ step: Step, _ succeeded: () -> Void) async throws -> Step {
        switch step {
        case .announce:
            let request = ContentUploadRequest(packageBytes: package.bytes, packageDigest: package.digest)
            let upload = try await store.ask(
                "POST", path + "/uploads", Array(JSONEncoder().encode(request)), as: ContentUploadAnswer.self)
            if !upload.received.isEmpty {
                progress.say("going on: \(upload.received.count) of \(upload.partCount) parts are there")
            }
            return .send(upload)
        case .look(let id):
            return .send(try await store.ask("GET", path + "/uploads/\(id)", as: ContentUploadAnswer.self))
        case .send(let upload):
            try await send(upload, succeeded)
            return .complete(uploadId: upload.uploadId)
        case .complete(let id):
            return .done(
                try await store.ask("POST", path + "/uploads/\(id)/completion", as: ContentVersionAnswer.self))
        case .done: return step
        }
    }

    private func send(_ upload: ContentUploadAnswer, _ succeeded: () -> Void) async throws {
        guard upload.packageBytes == package.bytes, (1...(256 << 20)).contains(upload.partBytes),
            Int64(upload.partBytes) * Int64(upload.partCount) >= package.bytes
        else { throw StoreFailure(.failure, "the store speaks of another package") }
        let there = Set(upload.received)
        var done = there.reduce(0) { $0 + bytes(ofPart: $1, of: upload) }
        progress.show(done, of: package.bytes)
        for part in 1...upload.partCount where !there.contains(part) {
            let count = bytes(ofPart: part, of: upload)
            let bytes = try package.file.read(at: Int64(part - 1) * Int64(upload.partBytes), count: Int(count))
            let digest = Data(try DigestAlgorithm.sha256.digest(bytes)).base64EncodedString()
            try await store.send(
                "PUT", path + "/uploads/\(upload.uploadId)/parts/\(part)", bytes,
                fields: ["Content-Type": "application/octet-stream", "Content-Digest": "sha-256=:\(digest):"])
            succeeded()
            done += count
            progress.show(done, of: package.bytes)
        }
    }

    private func bytes(ofPart part: Int, of upload: ContentUploadAnswer) -> Int64 {
        max(0, min(Int64(upload.partBytes), package.bytes - Int64(part - 1) * Int64(upload.partBytes)))
    }
}

public import Foundation
import StoreFoundation
import StoreHTTP
import StoreHTTPClient
import StoreModel
import StoreSigning

/// The server refuses a file whose place it had just named.
struct RefusedDownload: Error {
    let error: BackendClientError
}

extension BackendClient {
    /// Brings the file that an answer names, unless it is here.
    func fetch(
        _ answer: ContentAnswer, progress: @escaping @Sendable (DeliveryProgress) -> Void
    ) async throws -> ClientFolder.Entry {
        let product = answer.productId.text
        if let here = folder.entry(product, sha256: answer.sha256), here.version == answer.version { return here }
        let entry = ClientFolder.Entry(
            product: product, version: answer.version, sha256: answer.sha256, name: answer.name, bytes: answer.bytes,
            isActivated: false)
        let download = Download(try order(answer, to: try folder.makePlace(entry)), with: connection.client)
        let watching = Task(executorPreference: TaskThreads.executor) {
            for await step in download.progress {
                progress(DeliveryProgress(receivedBytes: Int64(step.received), totalBytes: answer.bytes))
            }
        }
        let result: Result<Void, DownloadError>
        do throws(DownloadError) {
            result = .success(try await download.run())
        } catch {
            result = .failure(error)
        }
        // The last progress is told before the end.
        await watching.value
        if case .failure(let error) = result {
            if error.code == .refused { throw RefusedDownload(error: BackendClientError(error)) }
            throw BackendClientError(error)
        }
        try folder.note(entry)
        return entry
    }

    private func order(_ answer: ContentAnswer, to destination: String) throws -> DownloadRequest {
        let path = ServerConnection.path("v1", "content", answer.productId.text, "versions", answer.version)
        var request = connection.request(.get, path, token: try token)
        request.timeouts = ClientTimeouts(idle: ClientLimit.silence, total: nil)
        var order = DownloadRequest(
            request, to: destination, limit: Int(answer.bytes), policy: downloadPolicy)
        order.identity = answer.sha256
        order.length = Int(answer.bytes)
        guard let digest = Hexadecimal.decode(answer.sha256) else { throw BackendClientError.notAServer }
        order.digest = ExpectedDigest(digest) { try SHA256Digest() }
        return order
    }
}

/// SHA-256 of a download.
private struct SHA256Digest: ContentDigest {
    private let running: RunningDigest

    init() throws { running = try RunningDigest(.sha256) }

    mutating func update(_ bytes: UnsafeRawBufferPointer) throws { try running.update(bytes) }

    mutating func finish() throws -> [UInt8] { try running.finish() }
}

/// Content that lies on this device, complete and as the server has it.
public struct StoredContent: Hashable, Sendable {
    /// The product it belongs to.
    public let productID: String
    /// Its version.
    public let version: String
    /// The file.
    public let file: URL
    /// The size of the file.
    public let bytes: Int64
}

/// How far a download has come.
public struct DeliveryProgress: Hashable, Sendable {
    /// How many bytes are on the disk.
    public let receivedBytes: Int64
    /// How many there will be.
    public let totalBytes: Int64

    /// The part that is there, from 0 to 1.
    public var fraction: Double { totalBytes > 0 ? Double(receivedBytes) / Double(totalBytes) : 1 }
}

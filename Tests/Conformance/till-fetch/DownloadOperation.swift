import Foundation
import StoreHTTPClient
import StoreSigning

/// Downloads a file.
struct DownloadOperation: Decodable {
    let url: String
    let destination: String
    let sha256: Data?
    let length: Int?
    let attempts: Int?
    let settings: ClientSettings?

    struct Answer: Encodable {
        let length: Int
    }

    func run() async throws -> Answer {
        let client = HTTPClient((settings ?? ClientSettings()).configuration)
        let policy = RetryPolicy(
            attempts: attempts ?? 1000, firstDelay: .milliseconds(1), longestDelay: .milliseconds(20))
        var order = DownloadRequest(.get(url), to: destination, policy: policy)
        order.length = length
        if let sha256 { order.digest = ExpectedDigest(Array(sha256)) { try SHA256() } }
        let download = Download(order, with: client)
        try await download.run()
        var last = DownloadProgress(received: 0, expected: nil)
        for await progress in download.progress { last = progress }
        await client.shutDown()
        return Answer(length: last.received)
    }
}

/// SHA-256 for the client, which has none of its own.
struct SHA256: ContentDigest {
    private let digest: RunningDigest

    init() throws { digest = try RunningDigest(.sha256) }

    mutating func update(_ bytes: UnsafeRawBufferPointer) throws { try digest.update(bytes) }

    mutating func finish() throws -> [UInt8] { try digest.finish() }
}

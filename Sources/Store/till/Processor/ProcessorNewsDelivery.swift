import CommandOptions
import Foundation
import StoreHTTPClient
import StoreService

/// Brings news to the address that `till processor serve` was told.
struct ProcessorNewsDelivery: Sendable {
    private let client: HTTPClient
    private let news: TestProcessorNews
    /// The socket is reached through it.
    private let folder: SocketFolder?
    private let task: Task<Void, Never>

    /// Nil where nobody wants to hear any.
    init?(_ arguments: ParsedArguments, _ processor: DurableTestProcessor) throws {
        guard let url = arguments[ProcessorOptions.newsURL], let secret = arguments[ProcessorOptions.newsSecret]
        else { return nil }
        let place = try arguments[ProcessorOptions.newsSocket].map { path in
            let name = (path as NSString).lastPathComponent
            let sockets = try SocketFolder(DataDirectory((path as NSString).deletingLastPathComponent))
            return (folder: sockets, path: sockets.path(of: name))
        }
        let client = HTTPClient(HTTPClientConfiguration(addresses: .everywhere))
        let news = TestProcessorNews(
            processor, client, url: url, socketPath: place?.path,
            signature: try NewsSignature(secret: secret), now: SystemClock.now)
        self.client = client
        folder = place?.folder
        self.news = news
        task = Task { await news.deliver() }
    }

    func wake() { news.wake() }

    func stop() async {
        task.cancel()
        await client.shutDown()
        withExtendedLifetime(folder) {}
    }
}

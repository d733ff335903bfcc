import Foundation
import StoreHTTP
package import StoreHTTPClient
package import StoreModel

/// Tells the store what its customers did, until it has taken it.
package struct TestProcessorNews: Sendable {
    private static let delays: [Duration] = [
        .milliseconds(100), .milliseconds(500), .seconds(2), .seconds(10), .seconds(30),
    ]

    private let processor: DurableTestProcessor
    private let client: HTTPClient
    private let url: String
    private let socketPath: String?
    private let signature: NewsSignature
    private let now: @Sendable () -> Instant
    private let wakes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// - Parameters:
    ///   - url: where the store takes news.
    ///   - socketPath: the socket of the file system at which it does, if it is none of the network.
    ///   - now: wall time.
    package init(
        _ processor: DurableTestProcessor, _ client: HTTPClient, url: String, socketPath: String?,
        signature: NewsSignature, now: @escaping @Sendable () -> Instant
    ) {
        self.processor = processor
        self.client = client
        self.url = url
        self.socketPath = socketPath
        self.signature = signature
        self.now = now
    }

    /// There are news.
    package func wake() { wakes.continuation.yield() }

    /// Delivers until the task is cancelled; what was not taken by then is for the next process.
    package func deliver() async {
        wake()
        for await _ in wakes.stream {
            var failures = 0
            while !Task.isCancelled, await !deliverAll() {
                let delay = Self.delays[min(failures, Self.delays.count - 1)]
                failures += 1
                try? await Task.sleep(for: delay)
            }
        }
    }

    /// Whether nothing is left to be told.
    private func deliverAll() async -> Bool {
        guard let pending = try? await processor.read({ $0.pendingNews }) else { return true }
        for action in pending {
            guard await send(action) else { return false }
            _ = try? await processor.perform { processor throws(TestProcessorRefusal) in
                try processor.delivered(action)
            }
        }
        return true
    }

    private func send(_ action: Int) async -> Bool {
        let url = processor.actionURL
        guard let news = try? await processor.read({ $0.news(of: action, actionURL: url) }),
            let body = try? JSONEncoder().encode(ProcessorNewsMessage(news)),
            let proof = try? signature.value(for: Array(body), at: now())
        else { return true }
        let request = ClientRequest(
            .post, self.url, fields: ["Content-Type": "application/json", NewsSignature.field: proof],
            body: .bytes(Array(body)), socketPath: socketPath)
        guard let response = try? await client.send(request) else { return false }
        return (200..<300).contains(response.status.rawValue)
    }
}

import StoreHTTPClient
import StoreKit

/// A network whose requests are steps, before and after. Waiting for news is none: it comes and goes with time.
struct SteppingConnection: StoreConnection {
    let inner: any StoreConnection
    let steps: BuyerSteps

    func fetch(_ order: ContentOrder) async throws(DownloadError) {
        steps.take("before the content")
        try await inner.fetch(order)
        steps.take("after the content")
    }

    func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
        guard request.wait == .zero else {
            steps.tell("waiting")
            return try await inner.send(request)
        }
        steps.take("before \(request.method) \(request.path)")
        let answer = try await inner.send(request)
        steps.take("after \(request.method) \(request.path)")
        return answer
    }
}

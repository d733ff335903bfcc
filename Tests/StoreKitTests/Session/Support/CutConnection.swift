import Synchronization

@testable import StoreKit

/// A network that is cut at one request, before or after the store has acted, and perhaps at some after that.
final class CutConnection: StoreConnection {
    // Closed: the two moments of a request.
    enum Moment: CaseIterable, Sendable {
        case before
        case after
    }

    private struct State {
        var count = 0
        var requests: [String] = []
    }

    private let inner: any StoreConnection
    private let number: Int
    private let moment: Moment
    private let length: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - number: the request that is cut, from 1; none with 0.
    ///   - length: how many requests find the network cut, this one included.
    init(_ inner: any StoreConnection, at number: Int, _ moment: Moment, length: Int = 1) {
        self.inner = inner
        self.number = number
        self.moment = moment
        self.length = length
    }

    /// What was asked, without that which merely waits for news.
    var requests: [String] { state.withLock { $0.requests } }
    /// Whether the cut came to pass.
    var wasCut: Bool { state.withLock { $0.count >= number && number > 0 } }

    func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
        // Long polls come and go with time; what is counted is what a purchase consists of.
        guard request.wait == .zero else { return try await inner.send(request) }
        let isCut = state.withLock { state in
            state.count += 1
            state.requests.append("\(request.method) \(request.path)")
            return number > 0 && (number..<(number + length)).contains(state.count)
        }
        guard isCut else { return try await inner.send(request) }
        guard moment == .after else {
            throw ConnectionError(.unreachable(mayHaveHappened: true), code: "cut", "The network was cut before.")
        }
        _ = try await inner.send(request)
        throw ConnectionError(.unreachable(mayHaveHappened: true), code: "cut", "The network was cut after.")
    }
}

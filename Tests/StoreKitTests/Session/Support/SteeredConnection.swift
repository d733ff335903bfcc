@testable import StoreKit

/// A network on which a test decides what becomes of each request.
struct SteeredConnection: StoreConnection {
    let inner: any StoreConnection
    let steer: @Sendable (StoreRequest, any StoreConnection) async throws(ConnectionError) -> StoreAnswer

    init(
        _ inner: any StoreConnection,
        steer: @escaping @Sendable (StoreRequest, any StoreConnection) async throws(ConnectionError) -> StoreAnswer
    ) {
        self.inner = inner
        self.steer = steer
    }

    func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
        try await steer(request, inner)
    }
}

extension ConnectionError {
    /// The network broke while a request was under way.
    static let lost = ConnectionError(.unreachable(mayHaveHappened: true), code: "cut", "The network was cut.")
}

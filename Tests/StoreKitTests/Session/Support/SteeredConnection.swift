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

    /// Something happens before each request; an error there cuts the network before the store has heard of it.
    static func before(
        _ inner: any StoreConnection, _ body: @escaping @Sendable (StoreRequest) async throws -> Void
    ) -> SteeredConnection {
        SteeredConnection(inner) { request, store throws(ConnectionError) in
            do {
                try await body(request)
            } catch {
                throw ConnectionError(.unreachable(mayHaveHappened: false), code: "cut", "The network was cut.")
            }
            return try await store.send(request)
        }
    }

    func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
        try await steer(request, inner)
    }
}

extension ConnectionError {
    /// The network broke while a request was under way.
    static let lost = ConnectionError(.unreachable(mayHaveHappened: true), code: "cut", "The network was cut.")
}

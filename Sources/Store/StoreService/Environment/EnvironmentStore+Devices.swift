package import StoreDatabase
import StoreModel

/// Work in the scope of the token that a device shows.
extension EnvironmentStore {
    /// Reads in the scope of a token.
    package func read<Result: Sendable>(
        as token: DeviceToken, _ body: @escaping @Sendable (DeviceScope, any ReadTransaction) throws -> Result
    ) async throws -> Result {
        let wall = clocks.wall()
        return try await database.read { try body(DeviceScope.resolve(token: token, at: wall, in: $0), $0) }
    }

    /// Looks up a row or two in the scope of a token.
    package func lookUp<Result: Sendable>(
        as token: DeviceToken, _ body: @escaping @Sendable (DeviceScope, any ReadTransaction) throws -> Result
    ) async throws -> Result {
        let wall = clocks.wall()
        return try await database.lookUp { try body(DeviceScope.resolve(token: token, at: wall, in: $0), $0) }
    }

    /// Changes something in the scope of a token, for the customer who is signed in there.
    package func write<Result: Sendable>(
        as token: DeviceToken, isolation: TransactionIsolation = .serializable, request: String? = nil,
        _ body: @escaping @Sendable (DeviceScope, Change) throws -> Result
    ) async throws -> Result {
        let (wall, cause) = (clocks.wall(), cause(.customer, request: request))
        return try await database.write(isolation: isolation) { transaction in
            let scope = try DeviceScope.resolve(token: token, at: wall, in: transaction)
            return try body(scope, cause.change(in: scope, transaction))
        }
    }

    /// The scope of a token.
    package func scope(of token: DeviceToken) async throws -> DeviceScope {
        try await lookUp(as: token) { scope, _ in scope }
    }

    /// Refuses what only the sandbox lets an app do.
    package func requireSandbox(_ message: String) throws {
        guard environment == .sandbox else { throw ServiceError(.sandboxOnly, message) }
    }
}

import PostgresTestServer
package import StoreDatabase
import StorePostgres
import StoreService
import TestSupport

/// The engines that every use case is tried on. That a file keeps what memory does is proven once, by `StorageCase`.
package enum StoreEngine: String, CaseIterable, Sendable, CustomStringConvertible {
    case memory
    case postgres

    package var description: String { rawValue }

    /// For use cases of statements that others of their suite try on all engines; all of them in a soak.
    package static var usual: [StoreEngine] { RandomizedRun.isSoak ? allCases : [.memory] }

    /// The databases of an empty store, which go away afterwards.
    package func withStore<Result>(_ body: (StoreDatabases) async throws -> Result) async throws -> Result {
        switch self {
        case .memory:
            return try await Self.closing(try await .inMemory(.current()), body)
        case .postgres:
            let cluster = try await PostgresCluster.shared.value
            let name = try await cluster.borrowStore { try await Self.open($0, in: cluster).close() }
            do {
                let result = try await Self.closing(Self.open(name, in: cluster), body)
                try await cluster.giveBackStore(name)
                return result
            } catch {
                try? await cluster.giveBackStore(name)
                throw error
            }
        }
    }

    private static func open(_ name: String, in cluster: PostgresCluster) async throws -> StoreDatabases {
        try await .postgres(
            PostgresSettings(try PostgresAddress(cluster.address(of: name))), .current(),
            random: { .random(in: .min ... .max) })
    }

    private static func closing<Result>(
        _ store: StoreDatabases, _ body: (StoreDatabases) async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await body(store)
            await store.close()
            return result
        } catch {
            await store.close()
            throw error
        }
    }
}

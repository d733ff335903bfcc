import Foundation
import StoreDatabase
import StoreModel
import StoreServer
import StoreService
import StoreSigning

/// What `/readyz` of each environment checks, and what pages and commands tell of it.
struct ServiceChecks: Sendable {
    let databases: StoreDatabases
    let alarm: DatabaseAlarm?
    /// The data directory, whose disk has to have room.
    let folder: String
    let environments: StoreEnvironments

    subscript(environment: StoreEnvironment) -> [ReadinessCheck] {
        [("catalogue", databases.catalogue), (environment.rawValue, databases[environment])].map(check)
            + [DiskCheck.readiness(at: folder)] + keyCheck(environment)
    }

    private func check(_ name: String, _ database: any Database) -> ReadinessCheck {
        ReadinessCheck("\(name) database") { [alarm] in
            try alarm?.requireNone(in: name)
            _ = try await database.read { try $0.value("SELECT 1", as: Int.self) }
        }
    }

    /// Nothing is sold that cannot be signed.
    private func keyCheck(_ environment: StoreEnvironment) -> [ReadinessCheck] {
        guard let store = environments[environment] else { return [] }
        return [ReadinessCheck("\(environment.rawValue) keys") { try store.signers.requireUsable() }]
    }
}

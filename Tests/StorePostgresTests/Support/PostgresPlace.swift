import PostgresTestServer
import StorageTestSupport
import StoreDatabase
import StorePostgres

/// A schema in a database of its own.
struct PostgresPlace: StoragePlace {
    let cluster: PostgresCluster
    let name: String
    var settings: PostgresSettings

    var outlivesClosing: Bool { true }

    func open(_ schema: Schema, _ limits: DatabaseLimits) async throws -> any Database {
        try await openPostgres(schema, limits)
    }

    func openPostgres(_ schema: Schema, _ limits: DatabaseLimits = DatabaseLimits()) async throws -> PostgresDatabase {
        try await .open(settings, schema: schema, limits: limits) { .random(in: .min ... .max) }
    }

    /// A new place, which goes away afterwards.
    static func with<Result>(
        in cluster: PostgresCluster? = nil, _ body: (PostgresPlace) async throws -> Result
    ) async throws -> Result {
        let shared = try await PostgresCluster.shared.value
        let cluster = cluster ?? shared
        let name = try await cluster.borrowDatabase()
        var settings = PostgresSettings(try PostgresAddress(cluster.address(of: name)))
        settings.schemaName = "sample"
        settings.limits.writers = 4
        let place = PostgresPlace(cluster: cluster, name: name, settings: settings)
        do {
            let result = try await body(place)
            try await cluster.giveBackDatabase(name)
            return result
        } catch {
            try? await cluster.giveBackDatabase(name)
            throw error
        }
    }

    /// The same place by a way on which things go wrong.
    func through<Result>(_ body: (FaultProxy, PostgresPlace) async throws -> Result) async throws -> Result {
        let proxy = try FaultProxy(to: cluster)
        defer { proxy.close() }
        var place = self
        place.settings.address = try PostgresAddress(proxy.address(of: name))
        return try await body(proxy, place)
    }

    /// What a connection of somebody else finds in the tables.
    func look(_ query: String) async throws -> [String] {
        try await cluster.run("SET search_path TO sample; \(query)", in: name)
    }
}

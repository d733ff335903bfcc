import PostgresTestServer
import StoreDatabase
import StorePostgres

struct PostgresStorageRow: BenchmarkRow {
    let name = "storage-transactions-postgres"
    let summary =
        "64 writers each make transactions of 10 rows in PostgreSQL over 16 connections, durable; by the wall."
    let reference = "C: libpq, a thread for each of 16 connections"

    private static let connections = 16

    func prepare() throws -> Contest {
        let (cluster, database) = try FirstThread.wait {
            let cluster = try await PostgresCluster.start()
            for name in ["ours", "reference"] { try await cluster.run("CREATE DATABASE \(name)") }
            var settings = PostgresSettings(try PostgresAddress(cluster.address(of: "ours")))
            settings.limits.writers = Self.connections
            let database = try await PostgresDatabase.open(settings, schema: StorageContestant.schema()) {
                .random(in: .min ... .max)
            }
            return (cluster, database)
        }
        return Contest(
            ours: StorageContestant(database, in: cluster),
            reference: try PostgresReference(
                cluster, cluster.address(of: "reference"), connections: Self.connections))
    }
}

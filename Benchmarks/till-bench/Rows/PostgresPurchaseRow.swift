import PostgresTestServer

/// The same purchases with the books in PostgreSQL.
struct PostgresPurchaseRow: BenchmarkRow {
    let name = "purchase-postgres"
    let summary = "The same as purchase, with the books in PostgreSQL over 16 connections."
    let reference = "pgbench: the same rows and transactions over 16 connections, without the processor's log"

    static let connections = 16
    private static let customers = 2000

    func prepare() throws -> Contest {
        let cluster = try FirstThread.wait {
            let cluster = try await PostgresCluster.start()
            for name in ["ours", "reference"] { try await cluster.run("CREATE DATABASE \(name)") }
            return cluster
        }
        let ours = try StoreFolder(customers: Self.customers, on: cluster, database: "ours")
        let other = try StoreFolder(customers: Self.customers, on: cluster, database: "reference")
        let processor = try ServerProcess(processorOf: ours)
        return Contest(
            ours: PostgresConflicts(
                of: try PurchaseClients(try ServerProcess(ours), processor), on: cluster, database: "ours"),
            reference: PostgresConflicts(
                of: try PgbenchReference(
                    cluster, database: "reference", connections: Self.connections,
                    after: other.customers * StoreFiller.purchasesPerCustomer), on: cluster, database: "reference"))
    }
}

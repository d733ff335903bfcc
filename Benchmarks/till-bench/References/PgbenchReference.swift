import Foundation
import PostgresTestServer

/// The rows of purchases, written by PostgreSQL's own `pgbench`: the same statements, prepared, in the same transactions.
final class PgbenchReference: Contestant {
    private let cluster: PostgresCluster
    private let database: String
    private let connections: Int
    private let script: String
    /// The number before that of the first purchase of the next run.
    private var base: Int64

    init(_ cluster: PostgresCluster, database: String, connections: Int, after purchases: Int) throws {
        guard let script = Bundle.module.path(forResource: "purchase", ofType: "sql") else {
            throw BenchmarkError("the script purchase.sql is not among the benchmark's resources")
        }
        (self.cluster, self.database, self.connections) = (cluster, database, connections)
        self.script = script
        base = Int64(purchases)
    }

    func run(seconds: Double) throws -> Rate {
        let whole = max(1, Int(seconds.rounded()))
        // Debian keeps it beside the server; its wrapper in PATH finds it.
        let address =
            "host=\(cluster.folder) user=postgres dbname=\(database)"
            + " options='-c search_path=sandbox -c default_transaction_isolation=repeatable\\\\ read'"
        let text = try ChildProcess.output(
            of: "pgbench",
            [
                "--no-vacuum", "--protocol=prepared", "--client=\(connections)", "--jobs=2", "--time=\(whole)",
                "--max-tries=100", "--define=base=\(base)", "--define=n=0", "--file=\(script)", address,
            ])
        base += Int64(connections) * 1_000_000
        guard let match = text.firstMatch(of: /tps = ([\d.]+)/), let rate = Double(match.1), rate > 0 else {
            throw BenchmarkError("pgbench tells no rate:\n\(text)")
        }
        return Rate(operations: Int(rate * Double(whole)), seconds: Double(whole))
    }
}

import PostgresTestServer

/// A contestant that works on a database of PostgreSQL, which counts the transactions that had to run again.
final class PostgresConflicts: Contestant {
    private let contestant: any Contestant
    private let cluster: PostgresCluster
    private let database: String

    init(of contestant: any Contestant, on cluster: PostgresCluster, database: String) {
        (self.contestant, self.cluster, self.database) = (contestant, cluster, database)
    }

    func run(seconds: Double) throws -> Rate {
        let before = try counts()
        var rate = try contestant.run(seconds: seconds)
        let after = try counts()
        let (committed, rolledBack) = (after[0] - before[0], after[1] - before[1])
        if committed + rolledBack > 0 { rate.conflicts = rolledBack / (committed + rolledBack) }
        return rate
    }

    /// How many transactions were committed and rolled back so far. Sessions tell of theirs once a second.
    private func counts() throws -> [Double] {
        let (cluster, database) = (cluster, database)
        let answer = try FirstThread.wait {
            try await cluster.run(
                """
                SELECT unnest(ARRAY[xact_commit, xact_rollback])::text FROM pg_stat_database
                WHERE datname = '\(database)'
                """)
        }
        let counts = answer.compactMap { Double($0) }
        guard counts.count == 2 else {
            throw BenchmarkError("PostgreSQL does not count the transactions of \(database)")
        }
        return counts
    }
}

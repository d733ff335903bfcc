package import StoreDatabase
import StoreModel

/// Schedules work and does it as fast as it can, until it is killed.
///
/// Half of the work are small writes, which count themselves and so may happen only once. The other half call out: what
/// they do has a key, so that it may happen again but is there once.
package struct CrashWorker: Sendable {
    private static let piecesPerRound = 100
    private static let retries = RetrySchedule(delays: [1, 1, 1])

    private let database: any Database
    private let scheduler: WorkScheduler

    /// - Parameters:
    ///   - database: one with the schema ``Schema/crashingWork()``.
    ///   - life: a number that no other worker of the database had; the leases of lower ones are over.
    ///   - acknowledge: is told of each call while its turn is still claimed.
    package init(_ database: any Database, life: Int64, acknowledge: @escaping @Sendable (String) -> Void = { _ in }) {
        self.database = database
        var limits = WorkLimits()
        limits.turnsPerRound = 16
        limits.turnsAtOnce = 4
        let handlers = [
            WorkHandler("count", retries: Self.retries) { turn, transaction in
                try transaction.execute(
                    """
                    INSERT INTO tally (subject, count) VALUES ($1, 1)
                    ON CONFLICT (subject) DO UPDATE SET count = tally.count + 1
                    """, turn.work.subject)
                return .done
            },
            WorkHandler("call", retries: Self.retries) { turn in
                _ = try await database.write { transaction in
                    try transaction.execute(
                        "INSERT INTO effect (subject) VALUES ($1) ON CONFLICT (subject) DO NOTHING", turn.work.subject)
                }
                acknowledge(turn.work.subject)
                return .done
            },
        ]
        scheduler = WorkScheduler(database, handlers: handlers, limits: limits, name: "life \(life)") {
            Instant(millisecondsSinceEpoch: life * 1_000_000_000)
        }
    }

    /// Works without end.
    package func run() async throws {
        while true {
            try await schedule()
            try await finish()
        }
    }

    /// Does what is there.
    package func finish() async throws {
        _ = try await scheduler.drain(from: Self.epoch, until: Self.epoch)
    }

    private func schedule() async throws {
        try await database.write { transaction in
            let first = try transaction.value("SELECT count FROM tally WHERE subject = 'scheduled'", as: Int.self)
            for number in first..<(first + Self.piecesPerRound) {
                for kind in ["count", "call"] {
                    // The two have nothing to do with each other.
                    let work = Work(kind, "\(kind) \(number)", dueAt: Self.epoch)
                    try WorkTable.schedule(work, in: transaction)
                }
            }
            try transaction.execute(
                "UPDATE tally SET count = count + $1 WHERE subject = 'scheduled'", Self.piecesPerRound)
        }
    }

    private static let epoch = Instant(millisecondsSinceEpoch: 0)

    /// What was lost or done twice; nothing if all is well.
    package static func faults(in database: any Database) async throws -> [String] {
        try await database.read { transaction in
            let scheduled = try transaction.value("SELECT count FROM tally WHERE subject = 'scheduled'", as: Int.self)
            var faults = try transaction.query("SELECT subject, count FROM tally WHERE count > 1") { row in
                "\(try row.value(0, as: String.self)) was counted \(try row.value(1, as: Int.self)) times"
            }
            faults.removeAll { $0.hasPrefix("scheduled") }
            for (kind, query) in [
                ("count", "SELECT count(*) FROM tally WHERE subject <> 'scheduled'"),
                ("call", "SELECT count(*) FROM effect") as (String, SQL),
            ] {
                let done = try transaction.value(query, as: Int.self)
                let left = try transaction.value("SELECT count(*) FROM work WHERE kind = $1", kind, as: Int.self)
                // A call may have been made without its turn being settled.
                let most = kind == "call" ? scheduled + left : scheduled
                if done + left < scheduled || done + left > most {
                    faults.append("\(scheduled) of \(kind) were scheduled, \(done) are done and \(left) are left")
                }
            }
            return faults
        }
    }

    /// How much work is claimed.
    package static func claimCount(in database: any Database) async throws -> Int {
        try await database.read { try $0.value("SELECT count(*) FROM work WHERE lease IS NOT NULL") }
    }
}

extension Schema {
    /// The tables of a ``CrashWorker``.
    package static func crashingWork() throws -> Schema {
        try Schema(
            "crashing_work",
            [
                Migration(
                    1, "work",
                    WorkTable.tables + [
                        """
                        CREATE TABLE tally (
                            subject \(.text) NOT NULL PRIMARY KEY, count \(.integer) NOT NULL
                        ) \(.keyedTable)
                        """,
                        "CREATE TABLE effect (subject \(.text) NOT NULL PRIMARY KEY) \(.keyedTable)",
                        "INSERT INTO tally (subject, count) VALUES ('scheduled', 0)",
                    ])
            ])
    }
}

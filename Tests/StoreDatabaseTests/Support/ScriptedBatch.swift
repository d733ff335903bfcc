import StoreSQLite
import Testing

@testable import StoreDatabase

/// A database with one table of parts, on which batches of jobs are run on the test's own thread.
struct ScriptedBatch {
    let disk: FaultyDisk
    let session: SQLiteSession
    private let limits: DatabaseLimits

    /// How many rows each job writes: all of them are there or none.
    static let partCount = 4

    init(_ disk: FaultyDisk, limits: DatabaseLimits = DatabaseLimits()) throws {
        self.disk = disk
        self.limits = limits
        session = try SQLiteSession(.file(disk.path), limits)
        try session.prepareForWriting(limits, isInMemory: false)
        try session.connection.run(
            """
            CREATE TABLE IF NOT EXISTS part (
                job TEXT NOT NULL, number INTEGER NOT NULL, content BLOB, PRIMARY KEY (job, number)) WITHOUT ROWID;
            CREATE TABLE IF NOT EXISTS counter (id INTEGER PRIMARY KEY, value INTEGER NOT NULL);
            INSERT INTO counter VALUES (1, 0) ON CONFLICT DO NOTHING;
            """)
        // What does not fit into this cache is written before the commit.
        try session.connection.run("PRAGMA cache_size = 10")
    }

    /// Runs jobs as one batch; gives the names of those whose signals were published, in order.
    @discardableResult
    func process(_ jobs: [ScriptedJob]) -> [String] {
        var published: [String] = []
        let commit = GroupCommit(session, limits) { published += $0.compactMap(\.subject) }
        var waiting = jobs[...]
        while let first = waiting.popFirst() {
            commit.process(first) { waiting.popFirst() }
        }
        return published
    }

    /// A job that counts up, writes its parts, signals, and gives the count.
    static func writing(
        _ name: String, bytes: Int = 10,
        then finish: @escaping (ScriptedJob, any WriteTransaction) throws -> Void = { _, _ in }
    ) -> ScriptedJob {
        ScriptedJob(name) { job, transaction in
            try transaction.execute("UPDATE counter SET value = value + 1")
            for number in 1...partCount {
                try transaction.execute(
                    "INSERT INTO part (job, number, content) VALUES ($1, $2, $3)", name, number,
                    [UInt8](repeating: 7, count: bytes))
            }
            try transaction.signal(Signal(SignalTopic("jobs"), subject: name))
            try finish(job, transaction)
            return try transaction.value("SELECT value FROM counter")
        }
    }

    /// What a file holds: the jobs whose parts are all there, sorted. Anything half is an issue.
    static func contents(of path: String) throws -> [String] {
        let session = try SQLiteSession(.file(path), DatabaseLimits())
        let transaction = SQLiteTransaction(in: session, DatabaseLimits(), mayChange: false)
        let jobs = try transaction.query("SELECT job, count(*) FROM part GROUP BY job ORDER BY job") {
            (try $0.value(0, as: String.self), try $0.value(1, as: Int.self))
        }
        for (job, count) in jobs { #expect(count == partCount, "\(job) is there in part") }
        let counted = try transaction.value("SELECT value FROM counter", as: Int.self)
        #expect(counted == jobs.count, "the counter and the parts tell different stories")
        let verdict = try transaction.query("PRAGMA integrity_check") { try $0.value(0, as: String.self) }
        #expect(verdict == ["ok"])
        return jobs.map(\.0)
    }

    func contents() throws -> [String] { try Self.contents(of: disk.path) }
}

import CBenchReference
import StoreDatabase
import StoreModel

/// A clock is advanced past many pieces of work, each of which is a small write.
struct WorkRow: BenchmarkRow {
    let name = "work-turns"
    let summary = "A drain of 100 000 due turns of one small write each in SQLite, durable; by the wall."
    let reference = "C: SQLite, the same rows in durable commits of 64"

    static let turns = 100_000
    static let rowsPerCommit = 64

    func prepare() throws -> Contest {
        let folder = try TemporaryFolder()
        return Contest(ours: try DrainContestant(in: folder), reference: try TurnsReference(in: folder))
    }
}

/// Drains work that is scheduled before the measurement begins.
private final class DrainContestant: Contestant {
    private let folder: TemporaryFolder
    private let database: SQLiteDatabase
    private let scheduler: WorkScheduler
    private var first: Int64 = 0

    init(in folder: TemporaryFolder) throws {
        let done: SQL = """
            CREATE TABLE done (subject \(.text) NOT NULL PRIMARY KEY, at \(.integer) NOT NULL) \(.keyedTable)
            """
        self.folder = folder
        database = try SQLiteDatabase(
            path: folder.path + "/ours.sqlite",
            schema: try Schema("bench", [Migration(1, "work", WorkTable.tables + [done])]))
        let handler = WorkHandler("renewal", retries: RetrySchedule(delays: [])) { turn, transaction in
            try transaction.execute("INSERT INTO done (subject, at) VALUES ($1, $2)", turn.work.subject, turn.at)
            return .done
        }
        scheduler = WorkScheduler(database, handlers: [handler], name: "bench") {
            Instant(millisecondsSinceEpoch: 0)
        }
    }

    func run(seconds: Double) throws -> Rate {
        let numbers = (first + 1)...(first + Int64(WorkRow.turns))
        first = numbers.upperBound
        let (database, scheduler) = (database, scheduler)
        return try FirstThread.wait {
            try await database.write { transaction in
                for number in numbers {
                    let work = Work("renewal", "subscription/\(number)", dueAt: Self.instant(number))
                    try WorkTable.schedule(work, in: transaction)
                }
            }
            let clock = ContinuousClock()
            let start = clock.now
            let report = try await scheduler.drain(
                from: Self.instant(numbers.lowerBound), until: Self.instant(numbers.upperBound))
            let elapsed = (clock.now - start) / .seconds(1)
            guard report.endings == ["renewal": [.done: WorkRow.turns]], report.keptBusyBy == nil else {
                throw BenchmarkError("a drain did \(report.endings) and was kept busy")
            }
            return Rate(operations: WorkRow.turns, seconds: elapsed)
        }
    }

    /// Each piece is due at a time of its own.
    private static func instant(_ number: Int64) -> Instant {
        Instant(millisecondsSinceEpoch: 1_700_000_000_000 + number)
    }
}

/// The rows that turns write, in C on one thread.
final class TurnsReference: Contestant {
    private let folder: TemporaryFolder
    private let pointer: OpaquePointer

    init(in folder: TemporaryFolder) throws {
        guard let pointer = till_turns_reference_new(folder.path + "/reference.sqlite") else {
            throw BenchmarkError("the C reference cannot open a database in \(folder.path)")
        }
        (self.folder, self.pointer) = (folder, pointer)
    }

    deinit {
        till_turns_reference_free(pointer)
    }

    func run(seconds: Double) throws -> Rate {
        let clock = ContinuousClock()
        let start = clock.now
        var done = 0
        while done < WorkRow.turns {
            guard till_turns_reference_commit(pointer, Int32(WorkRow.rowsPerCommit)) == 1 else {
                throw BenchmarkError("the C reference cannot write")
            }
            done += WorkRow.rowsPerCommit
        }
        return Rate(operations: done, seconds: (clock.now - start) / .seconds(1))
    }
}

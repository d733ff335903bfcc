import CSQLite
import StoreSQLite
import Testing

@testable import StoreDatabase

@Suite("Group commit")
struct GroupCommitTests {
    @Test("Jobs that arrive together share one commit, and see what those before them did")
    func sharing() throws {
        let batch = try ScriptedBatch(FaultyDisk())
        let jobs = ["a", "b", "c"].map { ScriptedBatch.writing($0) }
        batch.disk.count(.sync, files: "-wal")
        #expect(batch.process(jobs) == ["a", "b", "c"])
        #expect(batch.disk.calls == 1)
        #expect(
            jobs.map(\.transcript) == ["a: one run, returned 1", "b: one run, returned 2", "c: one run, returned 3"])
        #expect(try batch.contents() == ["a", "b", "c"])
    }

    @Test("A batch has a limit, and what is beyond it another commit")
    func limit() throws {
        var limits = DatabaseLimits()
        limits.writesPerCommit = 2
        let batch = try ScriptedBatch(FaultyDisk(), limits: limits)
        batch.disk.count(.sync, files: "-wal")
        batch.process(["a", "b", "c", "d", "e"].map { ScriptedBatch.writing($0) })
        #expect(batch.disk.calls == 3)
        #expect(try batch.contents() == ["a", "b", "c", "d", "e"])
    }

    @Test("An error of a job's own rolls back only that job, and it runs once")
    func ownError() throws {
        let batch = try ScriptedBatch(FaultyDisk())
        let jobs = [
            ScriptedBatch.writing("a"), ScriptedBatch.writing("b") { _, _ in throw Mistake("own") },
            ScriptedBatch.writing("c") { _, transaction in
                try transaction.execute("INSERT INTO part (job, number) VALUES ('a', 1)")
            },
            ScriptedBatch.writing("d"),
        ]
        #expect(batch.process(jobs) == ["a", "d"])
        #expect(
            jobs.map(\.transcript) == [
                "a: one run, returned 1", "b: one run, threw own", "c: one run, threw unique_violation",
                "d: one run, returned 2",
            ])
        #expect(try batch.contents() == ["a", "d"])
    }

    @Test(
        "What ends the transaction fails where it arose, and the others run again",
        arguments: [
            ("UPDATE counter SET value = till_test_interrupt() + value", "interrupted"),
            ("SELECT till_test_interrupt(), count(*) FROM part AS a, part AS b", "interrupted"),
            ("UPDATE counter SET value = till_test_no_memory()", "out_of_memory"),
            ("SELECT till_test_no_memory()", "out_of_memory"),
            ("INSERT OR ROLLBACK INTO part (job, number) VALUES ('a', 1)", "unique_violation"),
        ] as [(SQL, String)])
    func endingBatch(_ statement: SQL, _ code: String) throws {
        let batch = try ScriptedBatch(FaultyDisk())
        let jobs = [
            ScriptedBatch.writing("a"), ScriptedBatch.writing("b") { _, _ in throw Mistake("own") },
            // A closure that hides the error fails all the same: its transaction is gone.
            ScriptedBatch.writing("c") { _, transaction in
                try? transaction.forEachRow(statement, binding: []) { _ in }
            },
            ScriptedBatch.writing("d"),
        ]
        #expect(batch.process(jobs) == ["a", "d"])
        #expect(
            jobs.map(\.transcript) == [
                "a: 2 runs, returned 1", "b: 2 runs, threw own",
                "c: one run, refused with \(code)\(code == "unique_violation" ? "" : ", retryable")",
                "d: one run, returned 2",
            ])
        #expect(try batch.contents() == ["a", "d"])
    }

    @Test("A job for which there is no room fails, and the others run again")
    func noRoom() throws {
        let batch = try ScriptedBatch(FaultyDisk())
        try batch.session.connection.run("PRAGMA max_page_count = 60")
        let jobs = [
            ScriptedBatch.writing("a"), ScriptedBatch.writing("big", bytes: 100_000), ScriptedBatch.writing("c"),
        ]
        batch.process(jobs)
        #expect(
            jobs.map(\.transcript) == [
                "a: 2 runs, returned 1", "big: one run, refused with full, retryable", "c: one run, returned 2",
            ])
        #expect(try batch.contents() == ["a", "c"])
    }

    @Test(
        "After a commit that failed each job runs again, alone",
        arguments: [
            (FaultyDisk.Calls.sync, failedSync), (.write, SQLITE_FULL), (.write, SQLITE_IOERR),
        ])
    func failedCommit(_ calls: FaultyDisk.Calls, _ code: Int32) throws {
        let batch = try ScriptedBatch(FaultyDisk())
        let jobs = [
            ScriptedBatch.writing("a"), ScriptedBatch.writing("b") { _, _ in throw Mistake("own") },
            ScriptedBatch.writing("c"),
        ]
        batch.disk.fail(calls, from: 1, code: code, files: "-wal")
        #expect(batch.process(jobs) == ["a", "c"])
        #expect(
            jobs.map(\.transcript) == ["a: 2 runs, returned 1", "b: 2 runs, threw own", "c: 2 runs, returned 2"])
        #expect(try batch.contents() == ["a", "c"])
    }

    @Test("A second failure is reported as retryable, and nothing of the job is there")
    func secondFailure() throws {
        let batch = try ScriptedBatch(FaultyDisk())
        let jobs = ["a", "b"].map { ScriptedBatch.writing($0) }
        batch.disk.fail(.sync, from: 1, times: 2, code: failedSync, files: "-wal")
        #expect(batch.process(jobs) == ["b"])
        #expect(
            jobs.map(\.transcript) == [
                "a: 2 runs, refused with commit_failed, retryable", "b: 2 runs, returned 1",
            ])
        #expect(try batch.contents() == ["b"])
        #expect(try ScriptedBatch.contents(of: batch.disk.crashed()) == ["b"])
    }

    @Test("A job that says it did nothing did nothing, even if the process dies after a commit that failed")
    func failedCommitIsOverwritten() throws {
        let batch = try ScriptedBatch(FaultyDisk())
        // The first run writes; the second, alone, finds nothing to do.
        let job = ScriptedBatch.writing("a") { job, _ in
            if job.runs == 2 { throw Mistake("own") }
        }
        batch.disk.fail(.sync, from: 1, code: failedSync, files: "-wal")
        batch.process([job])
        #expect(job.transcript == "a: 2 runs, threw own")
        #expect(try ScriptedBatch.contents(of: batch.disk.crashed()) == [])
    }

    @Test("An error that rests on the changes of another job stands only if they do")
    func dependentError() throws {
        let batch = try ScriptedBatch(FaultyDisk())
        let first = ScriptedBatch.writing("a") { job, _ in
            if job.runs == 2 { throw Mistake("changed its mind") }
        }
        let second = ScriptedBatch.writing("b") { _, transaction in
            let taken = try transaction.value("SELECT count(*) FROM part WHERE job = 'a'", as: Int.self)
            if taken > 0 { throw Mistake("taken") }
        }
        batch.disk.fail(.sync, from: 1, code: failedSync, files: "-wal")
        batch.process([first, second])
        #expect(first.transcript == "a: 2 runs, threw changed its mind")
        #expect(second.transcript == "b: 2 runs, returned 1")
        #expect(try batch.contents() == ["b"])
    }

    @Test("While somebody else has the database, jobs are refused without running")
    func busy() throws {
        var limits = DatabaseLimits()
        limits.busyMilliseconds = 1
        let batch = try ScriptedBatch(FaultyDisk(), limits: limits)
        let other = try SQLiteSession(.file(batch.disk.path), limits)
        try other.run("BEGIN IMMEDIATE")
        let jobs = ["a", "b"].map { ScriptedBatch.writing($0) }
        batch.process(jobs)
        #expect(jobs.map(\.endings) == [[.refused("busy", isRetryable: true)], [.refused("busy", isRetryable: true)]])
        #expect(jobs.map(\.runs) == [0, 0])
        try other.run("ROLLBACK")
        let later = ScriptedBatch.writing("c")
        batch.process([later])
        #expect(later.transcript == "c: one run, returned 1")
    }

    @Test("A closure that ends its transaction by itself fails, and takes nobody with it")
    func ownCommit() throws {
        let batch = try ScriptedBatch(FaultyDisk())
        let jobs = [
            ScriptedBatch.writing("a"),
            ScriptedBatch.writing("b") { _, transaction in try transaction.execute("ROLLBACK") },
            ScriptedBatch.writing("c"),
        ]
        batch.process(jobs)
        #expect(
            jobs.map(\.transcript) == [
                "a: 2 runs, returned 1", "b: one run, refused with statement", "c: one run, returned 2",
            ])
        #expect(try batch.contents() == ["a", "c"])
    }
}

/// SQLITE_IOERR_FSYNC, which Swift does not see.
let failedSync = SQLITE_IOERR | 4 << 8

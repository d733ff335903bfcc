import CSQLite
import StoreSQLite
import TestSupport
import Testing

@testable import StoreDatabase

/// Batches of every shape on a disk that fails at any of its calls, in any way: what is told is what is there.
@Suite("On a failing disk")
struct FailingDiskTests {
    /// How a disk can fail.
    private static let codes = [SQLITE_IOERR, failedSync, SQLITE_FULL, SQLITE_IOERR | 12 << 8]

    @Test("Whichever call of a batch fails, what is told is what is there", arguments: [1, 2, 1000])
    func everyCall(_ times: Int) throws {
        let count = try calls(ofBatch: { try plainBatch($0) })
        #expect(count > 10)
        for number in 1...count {
            for code in Self.codes {
                let batch = try ScriptedBatch(FaultyDisk())
                batch.disk.fail([.read, .write, .sync, .truncate], from: number, times: times, code: code)
                let jobs = Self.jobs
                batch.process(jobs)
                try expectTruth(of: jobs, in: batch, "call \(number), \(times) times, code \(code)")
            }
        }
    }

    private static var jobs: [ScriptedJob] {
        [
            ScriptedBatch.writing("a"), ScriptedBatch.writing("big", bytes: 30_000),
            ScriptedBatch.writing("c") { _, _ in throw Mistake("own") }, ScriptedBatch.writing("d", bytes: 3000),
        ]
    }

    private func plainBatch(_ batch: ScriptedBatch) throws { batch.process(Self.jobs) }

    private func calls(ofBatch run: (ScriptedBatch) throws -> Void) throws -> Int {
        let batch = try ScriptedBatch(FaultyDisk())
        batch.disk.count([.read, .write, .sync, .truncate])
        try run(batch)
        return batch.disk.calls
    }

    @Test("Random batches with random failures, one after the other, leave what they told")
    func random() throws {
        var random = RandomizedRun.generator(named: "failing disk")
        for round in 0..<RandomizedRun.cases(40) {
            let batch = try ScriptedBatch(FaultyDisk())
            var told = Told()
            for number in 0..<Int.random(in: 1...6, using: &random) {
                let jobs = (0..<Int.random(in: 1...8, using: &random)).map { index in
                    randomJob("\(number)/\(index)", &random)
                }
                let kinds: FaultyDisk.Calls =
                    [[.write], [.sync], [.read], [.write, .sync, .truncate]].randomElement(using: &random) ?? []
                batch.disk.fail(
                    kinds, from: Int.random(in: 1...40, using: &random), times: Int.random(in: 1...3, using: &random),
                    code: Self.codes.randomElement(using: &random) ?? SQLITE_IOERR)
                batch.process(jobs)
                told = try expectTruth(
                    of: jobs, in: batch, after: told, "round \(round), TILL_SEED=\(RandomizedRun.seed)")
            }
        }
    }

    private func randomJob(_ name: String, _ random: inout SplitMix64) -> ScriptedJob {
        let bytes = [0, 10, 3000, 30_000].randomElement(using: &random) ?? 0
        let fate = Int.random(in: 0..<10, using: &random)
        return ScriptedBatch.writing(name, bytes: bytes) { _, transaction in
            switch fate {
            case 0: throw Mistake("own")
            case 1: try transaction.forEachRow("UPDATE part SET number = till_test_interrupt()", binding: []) { _ in }
            case 2: try? transaction.forEachRow("SELECT till_test_no_memory()", binding: []) { _ in }
            default: break
            }
        }
    }

    /// What jobs were told so far.
    private struct Told {
        /// What is in the database.
        var there: Set<String> = []
        /// Whose commit failed, with no commit after it: a crash may leave them out or bring them back.
        var unknown: Set<String> = []
    }

    /// Compares what jobs were told with what the files hold, now and after a crash.
    @discardableResult
    private func expectTruth(
        of jobs: [ScriptedJob], in batch: ScriptedBatch, after before: Told = Told(), _ context: String
    ) throws -> Told {
        let hasCommitted = jobs.contains { if case .returned = $0.endings.first { true } else { false } }
        var (there, unknown) = (before.there, hasCommitted ? [] : before.unknown)
        for job in jobs {
            #expect(job.endings.count == 1, "\(job.transcript); \(context)")
            #expect(job.runs <= 2, "\(job.transcript); \(context)")
            switch job.endings.first {
            case .returned: there.insert(job.name)
            case .refused("commit_failed", let isRetryable):
                #expect(isRetryable)
                unknown.insert(job.name)
            default: break
            }
        }
        batch.disk.count([])
        let crashed = Set(try ScriptedBatch.contents(of: batch.disk.crashed()))
        // A commit that failed last may be found whole by who comes after a crash; never half, and nothing else may.
        #expect(there.isSubset(of: crashed) && crashed.subtracting(there).isSubset(of: unknown), "\(context)")
        #expect(Set(try batch.contents()) == there, "\(context)")
        return Told(there: there, unknown: unknown)
    }
}

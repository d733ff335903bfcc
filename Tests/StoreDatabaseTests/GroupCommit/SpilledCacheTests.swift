import StoreSQLite
import TestSupport
import Testing

@testable import StoreDatabase

/// SQLite 3.40 writes pages to its log before the commit when its cache is full. Where a savepoint was rolled back after
/// that, checksums in the log could be wrong: the commit succeeded, and a crash lost it. So no cache of ours is ever
/// written early.
@Suite("A cache that is too small")
struct SpilledCacheTests {
    @Test("What was told to be durable outlives a crash, whoever was rolled back beside it")
    func rolledBackNeighbour() throws {
        var random = RandomizedRun.generator(named: "spilled cache")
        for round in 0..<RandomizedRun.cases(60) {
            let batch = try ScriptedBatch(FaultyDisk())
            var there: [String] = []
            for number in 0..<4 {
                let jobs = (0..<Int.random(in: 1...6, using: &random)).map { index in
                    let fails = Int.random(in: 0..<3, using: &random) == 0
                    return ScriptedBatch.writing(
                        "\(number)/\(index)", bytes: [0, 10, 3000, 30_000].randomElement(using: &random) ?? 0
                    ) { _, _ in if fails { throw Mistake("own") } }
                }
                batch.process(jobs)
                for case (let name, .returned) in jobs.map({ ($0.name, $0.endings[0]) }) { there.append(name) }
                #expect(
                    try ScriptedBatch.contents(of: batch.disk.crashed()) == there.sorted(),
                    "round \(round), TILL_SEED=\(RandomizedRun.seed)")
            }
        }
    }

    @Test("Nothing is written before the commit")
    func noEarlyWrites() throws {
        let batch = try ScriptedBatch(FaultyDisk())
        batch.disk.count(.write, files: "-wal")
        batch.process([
            ScriptedBatch.writing("big", bytes: 100_000) { _, _ in #expect(batch.disk.calls == 0) }
        ])
        #expect(batch.disk.calls > 100)
    }
}

import PostgresTestServer
import StorageTestSupport
import StoreDatabase
import StorePostgres
import TestSupport
import Testing

@Suite("Killed while it writes to PostgreSQL", .serialized, .bounded)
struct CrashTests {
    @Test("PostgreSQL has everything that was acknowledged, and nothing half, after each kill of a process that writes")
    func writer() async throws {
        var random = RandomizedRun.generator(named: "kills of writers")
        try await PostgresPlace.with { place in
            var judge = CrashJudge()
            for round in 0..<RandomizedRun.cases(8, inSoak: 300) {
                let count = round % 5 == 0 ? 0 : Int.random(in: 1...300, using: &random)
                let words = ["postgres", place.cluster.address(of: place.name)]
                let lines = try await KilledProcess.lines(of: "storage-writer", words, killedAfter: count)
                for line in lines { judge.note(line) }
                try await Self.judge(place, &judge, "kill \(round) after \(count) lines")
            }
            #expect(judge.count > 100)
        }
    }

    @Test("Work that was claimed when the process was killed is done later, and none of it twice")
    func work() async throws {
        var random = RandomizedRun.generator(named: "kills of workers")
        try await PostgresPlace.with { place in
            var claims = 0
            for life in 1...(RandomizedRun.isSoak ? 200 : 5) {
                let count = Int.random(in: 1...120, using: &random)
                let words = ["work-postgres", place.cluster.address(of: place.name), "\(2 * life)"]
                _ = try await KilledProcess.lines(of: "storage-writer", words, killedAfter: count)
                try await Self.endSessions(place)
                let database = try await place.openPostgres(.crashingWork())
                claims += try await CrashWorker.claimCount(in: database)
                let seed = "kill \(life) after \(count) lines, TILL_SEED=\(RandomizedRun.seed)"
                #expect(try await CrashWorker.faults(in: database) == [], "\(seed)")
                try await CrashWorker(database, life: Int64(2 * life + 1)).finish()
                #expect(try await CrashWorker.faults(in: database) == [], "finished after \(seed)")
                #expect(try await database.read { try WorkTable.earliest(in: $0) } == nil)
                await database.close()
            }
            #expect(claims > 0, "no kill came between a claim and its end")
        }
    }

    @Test("PostgreSQL has everything that was acknowledged, and nothing half, after each kill of the whole server")
    func server() async throws {
        var random = RandomizedRun.generator(named: "kills of servers")
        let cluster = try await PostgresCluster.start()
        try await PostgresPlace.with(in: cluster) { place in
            var place = place
            place.settings.limits.commitInquiries = 100_000
            place.settings.limits.connectionAttempts = 100_000
            place.settings.limits.pauseMilliseconds = 20
            var judge = CrashJudge()
            for round in 0..<RandomizedRun.cases(5, inSoak: 200) {
                let log = AcknowledgedLines()
                let database = try await place.openPostgres(.crash())
                let writing = Task {
                    defer { log.complete() }
                    // It ends when one of its writers is told that nobody knows what came of a commit.
                    try await CrashWriter(database) { log.append($0) }.run()
                }
                await log.reach(Int.random(in: 0...200, using: &random))
                try await cluster.crash()
                try await cluster.start()
                if round % 2 == 0 { await log.reach(log.lines.count + 20) }
                writing.cancel()
                _ = await writing.result
                await database.close()
                for line in log.lines { judge.note(line) }
                try await Self.judge(place, &judge, "crash \(round)")
            }
            #expect(judge.count > 50)
        }
    }

    /// Looks at what is there once the server has ended what the dead had begun.
    private static func judge(_ place: PostgresPlace, _ judge: inout CrashJudge, _ occasion: String) async throws {
        try await endSessions(place)
        let database = try await place.openPostgres(.crash())
        let faults = try await judge.faults(in: database)
        #expect(faults == [], "\(occasion), TILL_SEED=\(RandomizedRun.seed)")
        try await judge.acceptState(of: database)
        await database.close()
    }

    private static func endSessions(_ place: PostgresPlace) async throws {
        try await place.cluster.run(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '\(place.name)'")
    }
}

import PostgresTestServer
import StorageTestSupport
import StoreDatabase
import StorePostgres
import TestSupport
import Testing

@Suite("A server that crashes", .serialized, .bounded)
struct ServerCrashTests {
    /// Nobody else uses this server.
    private static let cluster = Task { try await PostgresCluster.start() }

    /// A place on a server of its own, behind a proxy, with an account.
    private static func withServer(
        _ body: (PostgresCluster, FaultProxy, PostgresPlace, PostgresDatabase) async throws -> Void
    ) async throws {
        let cluster = try await Self.cluster.value
        try await PostgresPlace.with(in: cluster) { place in
            try await place.through { proxy, faulty in
                var faulty = faulty
                // The server may take its time to come back.
                faulty.settings.limits.commitInquiries = 100_000
                faulty.settings.limits.connectionAttempts = 100_000
                faulty.settings.limits.pauseMilliseconds = 20
                let database = try await faulty.openPostgres(.sample())
                try await database.write { try $0.openAccount(1, named: "one") }
                try await body(cluster, proxy, place, database)
                await database.close()
            }
        }
    }

    private static func payIn(_ database: any Database, _ runs: RunCount) async throws {
        try await database.write { transaction in
            runs.next()
            try transaction.payIn(1, to: 1)
        }
    }

    @Test("A commit that never came to it is made again after the crash")
    func forgotten() async throws {
        try await Self.withServer { cluster, proxy, place, database in
            let runs = RunCount()
            proxy.plan(Fault.beforeSending("COMMIT").lasting)
            let written = Task { try await Self.payIn(database, runs) }
            await proxy.untilStruck(1)
            try await cluster.crash()
            try await cluster.start()
            proxy.open()
            _ = try await written.value
            #expect(runs.value == 2)
            #expect(try await place.look("SELECT balance FROM account") == ["1"])
        }
    }

    @Test("A commit whose answer was lost in the crash is reported as unknown, and made once")
    func unknown() async throws {
        try await Self.withServer { cluster, proxy, place, database in
            let runs = RunCount()
            proxy.plan(Fault.beforeAnswer("COMMIT").lasting)
            let written = Task { try await Self.payIn(database, runs) }
            await proxy.untilStruck(1)
            try await Self.untilBalance(1, place)
            try await cluster.crash()
            try await cluster.start()
            proxy.open()
            let error = await #expect(throws: DatabaseError.self) { _ = try await written.value }
            #expect(error?.code == .commitUnknown)
            #expect(error?.isRetryable == false)
            #expect(runs.value == 1)
            #expect(try await place.look("SELECT balance FROM account") == ["1"])
        }
    }

    @Test("A transaction that got the number of one that the crash made forgotten is not taken for it")
    func numberGivenAgain() async throws {
        try await Self.withServer { cluster, proxy, place, database in
            let (runs, number) = (RunCount(), Kept())
            proxy.plan(Fault.beforeSending("COMMIT").lasting)
            let written = Task {
                try await database.write { transaction in
                    runs.next()
                    try transaction.payIn(1, to: 1)
                    number.value = try transaction.value("SELECT CAST(pg_current_xact_id() AS text)", as: String.self)
                }
            }
            await proxy.untilStruck(1)
            try await cluster.crash()
            try await cluster.start()
            // Somebody else commits under the same number.
            let wanted = try #require(UInt64(number.value))
            var given: UInt64 = 0
            while given < wanted {
                given = try #require(UInt64(try await cluster.run("SELECT pg_current_xact_id()", in: place.name)[0]))
            }
            try #require(given == wanted, "the crash has forgotten nothing, so this proves nothing")
            proxy.open()
            let error = await #expect(throws: DatabaseError.self) { try await written.value }
            #expect(error?.code == .commitUnknown)
            #expect(runs.value == 1)
            #expect(try await place.look("SELECT balance FROM account") == ["0"])
        }
    }

    @Test("A server that was restarted in between knows what it committed")
    func restarted() async throws {
        try await Self.withServer { cluster, proxy, place, database in
            let runs = RunCount()
            proxy.plan(Fault.beforeAnswer("COMMIT").lasting)
            let written = Task { try await Self.payIn(database, runs) }
            await proxy.untilStruck(1)
            try await Self.untilBalance(1, place)
            try await cluster.stop()
            try await cluster.start()
            proxy.open()
            _ = try await written.value
            #expect(runs.value == 1)
            #expect(try await place.look("SELECT balance FROM account") == ["1"])
        }
    }

    /// Waits until others see the balance: the server has the commit before it answers.
    private static func untilBalance(_ balance: Int, _ place: PostgresPlace) async throws {
        while try await place.look("SELECT balance FROM account") != ["\(balance)"] {}
    }
}

// Safe: the closure that fills it is over, or waits, when it is read.
private final class Kept: @unchecked Sendable {
    var value = ""
}

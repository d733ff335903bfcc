import PostgresTestServer
import StorageTestSupport
import StoreDatabase
import StorePostgres
import TestSupport
import Testing

@Suite("Whatever takes too long is ended", .bounded)
struct TimeLimitTests {
    @Test("A statement that takes longer than it may fails, is undone, and is not tried again")
    func statement() async throws {
        try await PostgresPlace.with { place in
            var place = place
            place.settings.limits.statementMilliseconds = 5000
            let runs = RunCount()
            try await place.withDatabase(.sample()) { database in
                let error = await #expect(throws: DatabaseError.self) {
                    try await database.write { transaction in
                        runs.next()
                        try transaction.openAccount(1, named: "one")
                        try transaction.execute("SELECT pg_sleep(3600)")
                    }
                }
                #expect(error?.code == .timeout)
                #expect(error?.isRetryable == false)
                #expect(runs.value == 1)
                try await database.write { try $0.openAccount(2, named: "two") }
            }
            #expect(try await place.look("SELECT name FROM account") == ["two"])
        }
    }

    @Test("An attempt cannot hide that its statement took too long")
    func attempt() async throws {
        try await PostgresPlace.with { place in
            var place = place
            place.settings.limits.statementMilliseconds = 5000
            try await place.withDatabase(.sample()) { database in
                let error = await #expect(throws: DatabaseError.self) {
                    try await database.write { transaction in
                        try transaction.openAccount(1, named: "one")
                        try? transaction.attempt { _ = try transaction.execute("SELECT pg_sleep(3600)") }
                    }
                }
                #expect(error?.code == .timeout)
            }
            #expect(try await place.look("SELECT name FROM account") == [])
        }
    }

    @Test("A closure that keeps the server waiting loses its transaction, and is not tried again")
    func idleClosure() async throws {
        try await PostgresPlace.with { place in
            var place = place
            place.settings.limits.idleInTransactionMilliseconds = 5000
            let (runs, address) = (RunCount(), place.cluster.address(of: "postgres"))
            try await place.withDatabase(.sample()) { database in
                let error = await #expect(throws: DatabaseError.self) {
                    try await database.write { transaction in
                        runs.next()
                        let process = try transaction.value("SELECT pg_backend_pid()", as: Int.self)
                        let other = try Supervisor(address)
                        let query = "SELECT pg_sleep(0.05) FROM pg_stat_activity WHERE pid = \(process)"
                        while try other.run(query) != [] {}
                        try transaction.openAccount(1, named: "one")
                    }
                }
                #expect(error?.code == .timeout)
                #expect(error?.isRetryable == false)
                #expect(runs.value == 1)
                try await database.write { try $0.openAccount(2, named: "two") }
            }
            #expect(try await place.look("SELECT name FROM account") == ["two"])
        }
    }

    @Test("Closing lets what has begun end")
    func closingWaits() async throws {
        try await PostgresPlace.with { place in
            let database = try await place.openPostgres(.sample())
            let meeting = Rendezvous(of: 2)
            let written = Task {
                try await database.write { transaction in
                    meeting.meet()
                    try transaction.execute("SELECT pg_sleep(0.2)")
                    try transaction.openAccount(1, named: "one")
                }
            }
            try await onThread { meeting.meet() }
            await database.close()
            try await written.value
            #expect(try await place.look("SELECT name FROM account") == ["one"])
        }
    }

    @Test("Closing has the server stop what takes too long, and leaves no session behind")
    func closingStops() async throws {
        try await PostgresPlace.with { place in
            var place = place
            place.settings.limits.closingMilliseconds = 50
            let database = try await place.openPostgres(.sample())
            let meeting = Rendezvous(of: 2)
            let written = Task {
                try await database.write { transaction in
                    try transaction.openAccount(1, named: "one")
                    meeting.meet()
                    try transaction.execute("SELECT pg_sleep(3600)")
                }
            }
            try await onThread { meeting.meet() }
            await database.close()
            let error = await #expect(throws: DatabaseError.self) { try await written.value }
            #expect(error?.code == .interrupted)
            #expect(error?.isRetryable == true)
            #expect(try await place.look("SELECT name FROM account") == [])
            // The server takes its time to see that the sessions are over.
            let query = "SELECT 1 FROM pg_stat_activity WHERE datname = '\(place.name)'"
            while try await place.cluster.run(query) != [] {}
        }
    }
}

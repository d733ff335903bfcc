import PostgresTestServer
import StorageTestSupport
import StoreDatabase
import StorePostgres
import TestSupport
import Testing

@Suite("Writes that are in each other's way", .bounded)
struct ConflictTests {
    /// Takes one from an account as long as both together hold something: two at once must not take the same.
    private static func withdraw(_ account: Int, _ transaction: any WriteTransaction, meeting: Rendezvous) throws
        -> Bool
    {
        let sum = try transaction.value("SELECT sum(balance) FROM account", as: Int.self)
        meeting.meet()
        guard sum > 10 else { return false }
        try transaction.execute("UPDATE account SET balance = balance - 10 WHERE id = $1", account)
        return true
    }

    private static func withAccounts(
        _ limits: DatabaseLimits = DatabaseLimits(), _ body: (PostgresPlace, any Database) async throws -> Void
    ) async throws {
        try await PostgresPlace.with { place in
            try await place.withDatabase(.sample(), limits: limits) { database in
                try await database.write { for id in 1...2 { try $0.openAccount(id, named: "\(id)", balance: 10) } }
                try await body(place, database)
            }
        }
    }

    @Test("Two that could not both have been run one after the other: one runs again")
    func writeSkew() async throws {
        try await Self.withAccounts { _, database in
            let (meeting, runs) = (Rendezvous(of: 2), RunCount())
            let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
                for account in 1...2 {
                    group.addTask {
                        try await database.write { transaction in
                            runs.next()
                            return try Self.withdraw(account, transaction, meeting: meeting)
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(taken.sorted { !$0 && $1 } == [false, true])
            #expect(runs.value >= 3)
            let sum = try await database.read { try $0.value("SELECT sum(balance) FROM account", as: Int.self) }
            #expect(sum == 10)
        }
    }

    @Test("In snapshots, rows that are only neighbours are in nobody's way")
    func neighbours() async throws {
        try await Self.withAccounts { place, database in
            let (meeting, runs) = (Rendezvous(of: 2), RunCount())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for account in 1...2 {
                    group.addTask {
                        try await database.write(isolation: .snapshot) { transaction in
                            runs.next()
                            let sum = try transaction.value("SELECT sum(balance) FROM account", as: Int.self)
                            meeting.meet()
                            try transaction.execute("UPDATE account SET balance = $1 WHERE id = $2", sum, account)
                            try transaction.openAccount(account + 10, named: "beside \(account)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(runs.value == 2)
            #expect(try await place.look("SELECT sum(balance) FROM account") == ["40"])
        }
    }

    @Test("In snapshots, a row that both change guards what they decide by others")
    func guardedSkew() async throws {
        try await Self.withAccounts { _, database in
            try await database.write { try $0.openAccount(3, named: "guard") }
            let (meeting, runs) = (Rendezvous(of: 2), RunCount())
            let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
                for account in 1...2 {
                    group.addTask {
                        try await database.write(isolation: .snapshot) { transaction in
                            runs.next()
                            // Both have begun, so that neither sees what the other does.
                            _ = try transaction.value("SELECT count(*) FROM account", as: Int.self)
                            meeting.meet()
                            try transaction.execute("UPDATE account SET balance = balance WHERE id = 3")
                            return try Self.withdraw(account, transaction, meeting: Rendezvous(of: 1))
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(taken.sorted { !$0 && $1 } == [false, true])
            #expect(runs.value >= 3)
        }
    }

    @Test("A closure that finds another in its way runs again, in the pauses and as often as any")
    func ownConflict() async throws {
        try await Self.withAccounts { _, database in
            let runs = RunCount()
            let number = try await database.write(isolation: .snapshot) { transaction in
                try transaction.execute("UPDATE account SET balance = balance + 1 WHERE id = 1")
                guard runs.next() == 3 else {
                    throw DatabaseError(.serialization, "the account was changed meanwhile", isRetryable: true)
                }
                return try transaction.value("SELECT balance FROM account WHERE id = 1", as: Int.self)
            }
            #expect(number == 11)
        }
    }

    @Test("Where nothing may run again, the conflict is an error that may be tried again")
    func givenUp() async throws {
        var limits = DatabaseLimits()
        limits.serializationAttempts = 1
        try await Self.withAccounts(limits) { _, database in
            let meeting = Rendezvous(of: 2)
            let failures = await withTaskGroup(of: (any Error)?.self) { group in
                for account in 1...2 {
                    group.addTask {
                        do {
                            _ = try await database.write { try Self.withdraw(account, $0, meeting: meeting) }
                            return nil
                        } catch {
                            return error
                        }
                    }
                }
                return await group.reduce(into: []) { if let error = $1 { $0.append(error) } } as [any Error]
            }
            #expect(failures.count == 1)
            let error = failures.first as? DatabaseError
            #expect(error?.code == .serialization)
            #expect(error?.isRetryable == true)
        }
    }

    @Test("Two that wait for each other: one runs again")
    func deadlock() async throws {
        try await Self.withAccounts { place, database in
            let (meeting, runs) = (Rendezvous(of: 2), RunCount())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for accounts in [[1, 2], [2, 1]] {
                    group.addTask {
                        try await database.write(isolation: .readCommitted) { transaction in
                            runs.next()
                            let update: SQL = "UPDATE account SET balance = balance + 1 WHERE id = $1"
                            try transaction.execute(update, accounts[0])
                            meeting.meet()
                            try transaction.execute(update, accounts[1])
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(runs.value >= 3)
            #expect(try await place.look("SELECT balance FROM account") == ["12", "12"])
        }
    }

    @Test("A closure that is always in the way of others is alone at last, and succeeds")
    func alone() async throws {
        try await Self.withAccounts { place, database in
            // Each of these reads everything and changes something, so that no two can run at once.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        try await database.write { transaction in
                            let sum = try transaction.value("SELECT sum(balance) FROM account", as: Int.self)
                            try transaction.execute(
                                "UPDATE account SET balance = $1 WHERE id = $2", sum, number % 2 + 1)
                            try transaction.execute(
                                "UPDATE account SET balance = 1 WHERE id = $1", (number + 1) % 2 + 1)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await place.look("SELECT sum(balance) FROM account") == ["80"])
        }
    }

    @Test("A row that was there unseen is seen when the closure runs again; one that is there stays an error")
    func duplicate() async throws {
        try await Self.withAccounts { _, database in
            let meeting = Rendezvous(of: 2)
            let names = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 1...2 {
                    group.addTask {
                        try await database.write { transaction in
                            let there = try transaction.optional("SELECT name FROM account WHERE id = 9") {
                                try $0.value(0, as: String.self)
                            }
                            meeting.meet()
                            if let there { return there }
                            try transaction.openAccount(9, named: "opened by \(number)")
                            return "opened by \(number)"
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(names).count == 1)
            let runs = RunCount()
            let error = await #expect(throws: DatabaseError.self) {
                try await database.write { transaction in
                    runs.next()
                    try transaction.openAccount(9, named: "again")
                }
            }
            #expect(error?.code == .uniqueViolation)
            #expect(runs.value == 2)
        }
    }

    @Test("A lock that another holds for too long is an error that may be tried again")
    func lockTimeout() async throws {
        var limits = DatabaseLimits()
        limits.busyMilliseconds = 50
        try await Self.withAccounts(limits) { place, database in
            let other = try Supervisor(place.cluster.address(of: place.name))
            try other.run("BEGIN; SET LOCAL search_path TO sample; UPDATE account SET balance = 0 WHERE id = 1")
            let error = await #expect(throws: DatabaseError.self) {
                try await database.write { try $0.payIn(1, to: 1) }
            }
            #expect(error?.code == .busy)
            #expect(error?.isRetryable == true)
            try other.run("ROLLBACK")
            try await database.write { try $0.payIn(1, to: 1) }
        }
    }

    @Test("A claim passes over what another has claimed")
    func skipping() async throws {
        try await Self.withAccounts { _, database in
            let meeting = Rendezvous(of: 2)
            let claimed = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        try await database.write(isolation: .readCommitted) { transaction in
                            let id = try transaction.value(
                                "SELECT id FROM account ORDER BY id LIMIT 1 \(.skippingLocked)", as: Int.self)
                            meeting.meet()
                            return id
                        }
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) } as Set<Int>
            }
            #expect(claimed == [1, 2])
        }
    }
}

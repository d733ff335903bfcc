import PostgresTestServer
import StorageTestSupport
import StoreDatabase
import StorePostgres
import TestSupport
import Testing

@Suite("A broken connection leaves no doubt about a write", .bounded)
struct BrokenConnectionTests {
    /// Every moment of a transaction of two statements at which its connection can break.
    static let faults: [Fault] = [
        .beforeSending("BEGIN"), .afterSending("BEGIN"), .beforeAnswer("BEGIN"),
        .beforeSending("UPDATE account"), .afterSending("UPDATE account"), .beforeAnswer("UPDATE account"),
        .beforeSending("INSERT INTO entry"), .beforeAnswer("INSERT INTO entry"),
        .beforeSending("COMMIT"), .afterSending("COMMIT"), .beforeAnswer("COMMIT"),
    ]

    @Test("What it changes is changed once, wherever the connection breaks", arguments: faults)
    func once(_ fault: Fault) async throws {
        try await PostgresPlace.with { place in
            try await place.through { proxy, faulty in
                try await faulty.withDatabase(.sample()) { database in
                    try await database.write { try $0.openAccount(1, named: "one") }
                    proxy.plan(fault)
                    for _ in 0..<2 { try await database.write { try $0.payIn(1, to: 1) } }
                }
                #expect(proxy.struckCount == 1)
                #expect(try await place.look("SELECT balance FROM account") == ["2"])
                #expect(try await place.look("SELECT number FROM entry ORDER BY number") == ["1", "2"])
            }
        }
    }

    @Test(
        "It holds when the connection breaks at every moment in turn, and when the question for the outcome fails too")
    func again() async throws {
        try await PostgresPlace.with { place in
            try await place.through { proxy, faulty in
                try await faulty.withDatabase(.sample()) { database in
                    try await database.write { try $0.openAccount(1, named: "one") }
                    proxy.plan(
                        .beforeAnswer("COMMIT"), .beforeSending("pg_xact_status"), .beforeAnswer("pg_xact_status"))
                    try await database.write { try $0.payIn(1, to: 1) }
                    proxy.plan(.beforeSending("COMMIT"), .afterSending("pg_xact_status"), .beforeAnswer("BEGIN"))
                    try await database.write { try $0.payIn(1, to: 1) }
                }
                #expect(proxy.struckCount == 6)
                #expect(try await place.look("SELECT balance FROM account") == ["2"])
                #expect(try await place.look("SELECT number FROM entry ORDER BY number") == ["1", "2"])
            }
        }
    }

    @Test("A read runs again when its connection breaks")
    func reads() async throws {
        try await PostgresPlace.with { place in
            try await place.through { proxy, faulty in
                try await faulty.withDatabase(.sample()) { database in
                    try await database.write { try $0.openAccount(1, named: "one") }
                    for fault: Fault in [
                        .beforeSending("BEGIN"), .beforeAnswer("SELECT name"), .beforeSending("COMMIT"),
                    ] {
                        proxy.plan(fault)
                        #expect(try await database.read { try $0.accountNames() } == ["one"])
                    }
                }
                #expect(proxy.struckCount == 3)
            }
        }
    }

    @Test("An error of its own stands, and changes nothing, even if the connection breaks while it is undone")
    func ownError() async throws {
        try await PostgresPlace.with { place in
            try await place.through { proxy, faulty in
                try await faulty.withDatabase(.sample()) { database in
                    proxy.plan(.beforeSending("ROLLBACK"))
                    await #expect(throws: CancellationError.self) {
                        try await database.write { transaction in
                            try transaction.openAccount(1, named: "one")
                            throw CancellationError()
                        }
                    }
                    try await database.write { try $0.openAccount(2, named: "two") }
                }
                #expect(proxy.struckCount == 1)
                #expect(try await place.look("SELECT name FROM account") == ["two"])
            }
        }
    }

    @Test("A server that falls silent is given up, and its open transaction with it")
    func silence() async throws {
        try await PostgresPlace.with { place in
            try await place.through { proxy, faulty in
                var faulty = faulty
                faulty.settings.limits.statementMilliseconds = 5000
                faulty.settings.limits.silenceMilliseconds = 1000
                try await faulty.withDatabase(.sample()) { database in
                    try await database.write { try $0.openAccount(1, named: "one") }
                    proxy.plan(.silence("COMMIT"))
                    try await database.write { try $0.payIn(1, to: 1) }
                }
                #expect(proxy.struckCount == 1)
                #expect(try await place.look("SELECT balance FROM account") == ["1"])
            }
        }
    }

    @Test("A connection that breaks every time is an error that may be tried again, and nothing is changed")
    func lasting() async throws {
        try await PostgresPlace.with { place in
            try await place.through { proxy, faulty in
                let runs = RunCount()
                try await faulty.withDatabase(.sample()) { database in
                    for _ in 0..<faulty.settings.limits.connectionAttempts { proxy.plan(.beforeSending("INSERT INTO")) }
                    let error = await #expect(throws: DatabaseError.self) {
                        try await database.write { transaction in
                            runs.next()
                            try transaction.openAccount(1, named: "one")
                        }
                    }
                    #expect(error?.code == .unavailable)
                    #expect(error?.isRetryable == true)
                    #expect(runs.value == faulty.settings.limits.connectionAttempts)
                    try await database.write { try $0.openAccount(2, named: "two") }
                }
                #expect(try await place.look("SELECT name FROM account") == ["two"])
            }
        }
    }

    @Test("A server ended by its operator in the middle of a transaction is survived")
    func terminated() async throws {
        try await PostgresPlace.with { place in
            try await place.withDatabase(.sample()) { database in
                try await database.write { try $0.openAccount(1, named: "one") }
                let runs = RunCount()
                let address = place.cluster.address(of: "postgres")
                try await database.write { transaction in
                    try transaction.payIn(1, to: 1)
                    if runs.next() == 1 {
                        let process = try transaction.value("SELECT pg_backend_pid()", as: Int.self)
                        try Supervisor(address).run("SELECT pg_terminate_backend(\(process), 10000)")
                    }
                }
                #expect(runs.value == 2)
            }
            #expect(try await place.look("SELECT balance FROM account") == ["1"])
        }
    }
}

extension WriteTransaction {
    /// Pays into an account and notes it.
    func payIn(_ amount: Int, to account: Int) throws {
        try execute("UPDATE account SET balance = balance + $1 WHERE id = $2", amount, account)
        try addEntry("\(amount)", to: account)
    }
}

import PostgresTestServer
import StoreBackend
import StoreModel
import TestSupport
import Testing

@Suite("Fulfilments at once and over connections that break", .bounded)
struct FulfilmentAtOnceTests {
    private static let transactions: [VerifiedTransaction] = (1...20).map { number in
        var transaction = FulfilmentLedgerTests.bought
        transaction.transactionID = FulfilmentLedgerTests.id(Int64(number))
        return transaction
    }

    /// The statement, and not the isolation "READ COMMITTED": a statement begins after a zero.
    private static let commit = "\0COMMIT"

    @Test("X5: 64 clients at once bring the same transactions, and each is credited once", arguments: engines)
    func manyClients(dialect: SQLDialect) async throws {
        try await BackendPlace.with(dialect) { place in
            try CreditAccount(place).prepare()
            let database = try place.open()
            let news = try await withThrowingTaskGroup(of: Int.self) { group in
                for client in 0..<64 {
                    // Each brings the same ones in an order of its own, some of them together.
                    let own = Self.transactions.indices.map { Self.transactions[($0 * 7 + client) % 20] }
                    group.addTask {
                        var count = 0
                        for start in stride(from: 0, to: own.count, by: 4) {
                            count += try await Self.fulfil(Array(own[start..<(start + 4)]), in: database)
                        }
                        return count
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(news == Self.transactions.count)
            #expect(try CreditAccount(place).balance() == 100 * Int64(Self.transactions.count))
            database.close()
        }
    }

    private static func fulfil(_ transactions: [VerifiedTransaction], in database: BackendDatabase) async throws -> Int
    {
        try await database.transaction { connection in
            let ledger = SQLFulfilmentLedger(connection)
            return try transactions.sorted { $0.transactionID < $1.transactionID }.count { transaction in
                try ledger.fulfilInTransaction(transaction, at: FulfilmentLedgerTests.now) { _ in
                    let statement = "UPDATE account SET credits = credits + $1 WHERE name = 'me'"
                    try connection.run(statement, [.integer(100)])
                    return "credited"
                }.isNew
            }
        }
    }

    @Test(
        "X5: Connections of the developer's own that read what is committed credit each transaction once, too",
        arguments: engines)
    func ownConnections(dialect: SQLDialect) async throws {
        try await BackendPlace.with(dialect) { place in
            try CreditAccount(place).prepare()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await onOwnThread {
                            let account = try CreditAccount(place)
                            for transaction in Self.transactions {
                                try account.fulfil(transaction)
                                try account.fulfil(transaction.refunded(after: 10))
                                try account.fulfil(transaction.stated(after: 20))
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let account = try CreditAccount(place)
            #expect(try account.balance() == 100 * Int64(Self.transactions.count))
            for transaction in Self.transactions {
                let history = try account.ledger.history(of: transaction.transactionID, in: .sandbox)
                #expect(history.map(\.act) == [.grant, .takeBack, .grant])
            }
        }
    }

    @Test(
        "X5: A commit whose answer is lost is told as such, and the next try finds what was done or does it",
        arguments: [Fault.beforeSending(commit), .afterSending(commit), .beforeAnswer(commit)])
    func lostCommit(fault: Fault) async throws {
        try await BackendPlace.with(.postgres) { place in
            try CreditAccount(place).prepare()
            try await place.through { proxy, place in
                let broken = try CreditAccount(place)
                proxy.plan(fault)
                let error = #expect(throws: BackendError.self) { try broken.fulfil(Self.transactions[0]) }
                #expect(error?.code == .outcomeUnknown)
                #expect(error?.isRetryable == true)
            }
            let account = try CreditAccount(place)
            // The server ends the other's transaction, or has written it, before it lets this one have the row.
            let again = try account.fulfil(Self.transactions[0])
            #expect(again.result == "credited 100")
            #expect(again.isNew == (fault != .beforeAnswer(Self.commit)))
            #expect(try account.balance() == 100)
        }
    }

    @Test("A connection that broke before the commit is made again, and the transaction is run again")
    func brokenBefore() async throws {
        try await BackendPlace.with(.postgres) { place in
            try CreditAccount(place).prepare()
            try await place.through { proxy, place in
                let database = try place.open()
                proxy.plan(.beforeSending("till_fulfilment_revision"), .beforeAnswer("UPDATE account"))
                #expect(try await Self.fulfil([Self.transactions[0]], in: database) == 1)
                #expect(proxy.struckCount == 2)
                proxy.plan(.beforeAnswer(Self.commit))
                let error = await #expect(throws: BackendError.self) {
                    try await Self.fulfil([Self.transactions[1]], in: database)
                }
                #expect(error?.code == .outcomeUnknown)
                #expect(try await Self.fulfil([Self.transactions[1]], in: database) == 0)
                database.close()
            }
            #expect(try CreditAccount(place).balance() == 200)
        }
    }

    @Test("P12: A transaction in which a statement failed is not taken for written", arguments: engines)
    func failedStatement(dialect: SQLDialect) async throws {
        try await CreditAccount.with(dialect) { account in
            try account.connection.run("BEGIN")
            try account.credit(1)
            #expect(throws: BackendError.self) { try account.connection.run("SELECT nothing FROM nowhere") }
            switch dialect {
            case .sqlite:
                try account.connection.run("COMMIT")
                #expect(try account.balance() == 1)
            case .postgres:
                #expect(throws: BackendError.self) { try account.connection.run("COMMIT") }
                #expect(try account.balance() == 0)
            }
        }
    }
}

import StoreBackend
import StoreModel
import TestSupport
import Testing

@Suite("A ledger of fulfilments", .bounded)
struct FulfilmentLedgerTests {
    @Test(
        "X5, P9: A transaction is granted once, and later calls are given what the first one returned",
        arguments: engines)
    func grantedOnce(dialect: SQLDialect) async throws {
        try await CreditAccount.with(dialect) { account in
            let first = try account.fulfil(Self.bought)
            #expect(first == Fulfilment(revision: 1, act: .grant, isNew: true, result: "credited 100"))
            for seconds: Int64 in [0, 5] {
                let repeated = try account.fulfil(Self.bought.stated(after: seconds))
                #expect(repeated == Fulfilment(revision: 1, act: .grant, isNew: false, result: "credited 100"))
            }
            #expect(try account.balance() == 100)
        }
    }

    @Test(
        "P12: A refund takes back once, a receipt from before it gives nothing back, a reversal does",
        arguments: engines)
    func revisions(dialect: SQLDialect) async throws {
        try await CreditAccount.with(dialect) { account in
            try account.fulfil(Self.bought)
            let refunded = Self.bought.refunded(after: 10)
            #expect(try account.fulfil(refunded).result == "debited 100")
            #expect(
                try account.fulfil(refunded)
                    == Fulfilment(revision: 2, act: .takeBack, isNew: false, result: "debited 100"))
            let stale = try account.fulfil(Self.bought.stated(after: 9))
            #expect(stale == Fulfilment(revision: 2, act: .takeBack, isNew: false, result: "debited 100"))
            #expect(try account.balance() == 0)
            let reversed = try account.fulfil(Self.bought.stated(after: 20))
            #expect(reversed == Fulfilment(revision: 3, act: .grant, isNew: true, result: "credited 100"))
            #expect(try account.balance() == 100)
            let history = try account.ledger.history(of: Self.bought.transactionID, in: .sandbox)
            #expect(history.map(\.act) == [.grant, .takeBack, .grant])
            #expect(history.map(\.result) == ["credited 100", "debited 100", "credited 100"])
        }
    }

    @Test("P12: What is first heard of as refunded is neither given nor taken, whatever comes late", arguments: engines)
    func refundedBefore(dialect: SQLDialect) async throws {
        try await CreditAccount.with(dialect) { account in
            let nothing = Fulfilment(revision: 1, act: nil, isNew: false)
            let statements = [
                Self.bought.refunded(after: 10), Self.bought, Self.bought.refunded(after: 30),
                Self.bought.stated(after: 29),
            ]
            for statement in statements {
                let fulfilment = try account.fulfil(statement)
                #expect(fulfilment == nothing)
            }
            #expect(try account.balance() == 0)
            #expect(try account.fulfil(Self.bought.stated(after: 31)).revision == 2)
            #expect(try account.balance() == 100)
        }
    }

    @Test("An upgrade takes back what it replaces, and the same number of the other environment is another transaction")
    func upgrade() async throws {
        try await CreditAccount.with(.sqlite) { account in
            try account.fulfil(Self.bought)
            var other = Self.bought
            other.environment = .production
            #expect(try account.fulfil(other).isNew)
            #expect(try account.balance() == 200)
            var upgraded = Self.bought.stated(after: 1)
            upgraded.isUpgraded = true
            #expect(try account.fulfil(upgraded).act == .takeBack)
            #expect(try account.balance() == 100)
        }
    }

    @Test("P12: Statements in any order, some twice, end with what the last of them says")
    func anyOrder() async throws {
        var random = RandomizedRun.generator(named: "orders of statements")
        try await CreditAccount.with(.sqlite) { account in
            // What the disk has of it is of no interest here.
            try account.connection.run("PRAGMA synchronous = OFF")
            for round in 0..<RandomizedRun.cases(200) {
                // Two statements may have one instant: that which takes back holds.
                let statements = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                    let seconds = Int64.random(in: 0...4, using: &random)
                    let isRefunded = Bool.random(using: &random)
                    var one = isRefunded ? Self.bought.refunded(after: seconds) : Self.bought.stated(after: seconds)
                    one.transactionID = Self.id(Int64(round))
                    return one
                }
                let last = statements.max { one, other in
                    (one.statedAt, one.revocationDate == nil ? 0 : 1) < (
                        other.statedAt, other.revocationDate == nil ? 0 : 1
                    )
                }
                let before = try account.balance()
                for statement in (statements + statements).shuffled(using: &random) { try account.fulfil(statement) }
                let gained = try account.balance() - before
                #expect(
                    gained == (last?.revocationDate == nil ? 100 : 0),
                    "\(statements.map { ($0.statedAt, $0.revocationDate) }), TILL_SEED=\(RandomizedRun.seed)")
            }
        }
    }

    @Test("X5: A closure that throws leaves nothing of itself, and what its caller wrote stays", arguments: engines)
    func closureThrows(dialect: SQLDialect) async throws {
        try await CreditAccount.with(dialect) { account in
            try account.inTransaction {
                try account.credit(1)
                #expect(throws: OwnFailure.self) {
                    try account.ledger.fulfilInTransaction(Self.bought, at: Self.now) { _ in
                        try account.credit(100)
                        throw OwnFailure()
                    }
                }
                #expect(throws: BackendError.self) {
                    try account.ledger.fulfilInTransaction(Self.bought, at: Self.now) { _ in
                        try account.credit(100)
                        try account.connection.run("SELECT nothing FROM nowhere")
                        return ""
                    }
                }
            }
            #expect(try account.balance() == 1)
            #expect(throws: OwnFailure.self) {
                try account.ledger.fulfil(Self.bought, at: Self.now) { _ in
                    try account.credit(100)
                    throw OwnFailure()
                }
            }
            #expect(!account.connection.isInTransaction)
            #expect(try account.fulfil(Self.bought).isNew)
            #expect(try account.balance() == 101)
        }
    }

    @Test("What would be written apart from what it stands for is refused", arguments: engines)
    func misuse(dialect: SQLDialect) async throws {
        try await CreditAccount.with(dialect) { account in
            let error = #expect(throws: BackendError.self) {
                try account.ledger.fulfilInTransaction(Self.bought, at: Self.now) { _ in "never" }
            }
            #expect(error?.message.contains("none is open") == true)
            try account.inTransaction {
                try account.credit(1)
                let error = #expect(throws: BackendError.self) { try account.fulfil(Self.bought) }
                #expect(error?.message.contains("fulfilInTransaction") == true)
                #expect(account.connection.isInTransaction, "the caller's transaction was ended")
            }
            for result in [String(repeating: "x", count: 65_537), "a\0b"] {
                let error = #expect(throws: BackendError.self) {
                    try account.ledger.fulfil(Self.bought, at: Self.now) { _ in result }
                }
                #expect(error?.code == .invalidValue)
            }
            #expect(try account.balance() == 1)
        }
    }

    static let now = Instant(millisecondsSinceEpoch: 1_700_000_100_000)
    static let bought = VerifiedTransaction(
        environment: .sandbox, transactionID: id(1), originalTransactionID: id(1), bundleID: bundleID,
        productID: productID, purchaseDate: start, originalPurchaseDate: start, statedAt: start)
    private static let start = Instant(millisecondsSinceEpoch: 1_700_000_000_000)
    // Safe: the text is well-formed.
    private static let bundleID = try! BundleID(parsing: "com.example.monkeycredits")
    // Safe: this one is, too.
    private static let productID = try! ProductID(parsing: "com.example.monkeycredits.credits100")

    static func id(_ number: Int64) -> TransactionID {
        // Safe: no number of a test is negative.
        try! TransactionID(number: 2_000_000_000_000_000 + number)
    }
}

/// Both engines.
let engines = SQLDialect.allCases

extension VerifiedTransaction {
    /// The same, stated so many seconds later.
    func stated(after seconds: Int64) -> VerifiedTransaction {
        var copy = self
        copy.statedAt = statedAt.adding(milliseconds: seconds * 1000)
        return copy
    }

    /// The same as the store states it after a refund.
    func refunded(after seconds: Int64) -> VerifiedTransaction {
        var copy = stated(after: seconds)
        copy.revocationDate = copy.statedAt
        return copy
    }
}

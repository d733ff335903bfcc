import StoreModel
import TestSupport

@testable import StoreBackend

/// The life of a subscription as a store tells it: each statement is made later than the one before.
struct ToldLife {
    /// What one notification says.
    struct Statement: Hashable {
        let transaction: VerifiedTransaction
        let terms: RenewalTerms
    }

    static let start = Instant(millisecondsSinceEpoch: 1_893_456_000_000)
    static let day = Duration.seconds(24 * 60 * 60)

    private(set) var statements: [Statement] = []
    private(set) var clock = Self.start
    private var transaction: VerifiedTransaction
    private var terms: RenewalTerms

    /// A subscription that begins with a month.
    init(number: Int64 = 1) throws {
        let original = try Self.id(number * 10_000)
        let news = try ProductID(parsing: "news")
        transaction = VerifiedTransaction(
            environment: .sandbox, transactionID: original, originalTransactionID: original,
            bundleID: try BundleID(parsing: "com.example.magazines"), productID: news, kind: .autoRenewable,
            purchaseDate: Self.start, originalPurchaseDate: Self.start, expiresDate: Self.start.adding(.oneMonth),
            subscriptionGroup: try SubscriptionGroupID(parsing: "20001"), statedAt: Self.start)
        terms = RenewalTerms(
            renews: true, nextProductID: news, renewalDate: transaction.expiresDate, statedAt: Self.start)
        tell()
    }

    static func id(_ number: Int64) throws -> TransactionID {
        try TransactionID(number: TransactionID.numbers(in: .sandbox).lowerBound + number)
    }

    /// The period that was told of last.
    var latest: VerifiedTransaction { transaction }

    // MARK: What happens

    mutating func wait(_ time: Duration) { clock += time }

    mutating func renew(as product: ProductID? = nil) throws {
        clock = max(clock, transaction.end)
        transaction.transactionID = try Self.next(transaction.transactionID)
        transaction.productID = product ?? terms.nextProductID
        (transaction.purchaseDate, transaction.expiresDate) = (clock, clock.adding(.oneMonth))
        transaction.revocationDate = nil
        terms = RenewalTerms(
            renews: true, nextProductID: transaction.productID, renewalDate: transaction.expiresDate, statedAt: clock)
        tell()
    }

    mutating func setRenewal(_ renews: Bool) {
        terms.renews = renews
        tell()
    }

    mutating func fail(withGrace grace: Duration?) {
        clock = max(clock, transaction.end)
        terms.isInBillingRetry = true
        terms.gracePeriodEnds = grace.map { transaction.end + $0 }
        tell()
    }

    mutating func expire(_ intent: ExpirationIntent) {
        clock = max(clock, transaction.end)
        (terms.renews, terms.expirationIntent) = (false, intent)
        (terms.isInBillingRetry, terms.gracePeriodEnds) = (false, nil)
        tell()
    }

    mutating func refund() {
        transaction.revocationDate = clock
        terms.renews = false
        tell()
    }

    mutating func reverse() {
        transaction.revocationDate = nil
        tell()
    }

    mutating func extend(_ time: Duration) {
        transaction.expiresDate = transaction.end + time
        terms.renewalDate = transaction.expiresDate
        tell()
    }

    /// A higher plan begins at once; the store tells of the new period alone, and says nothing more of the one that it
    /// replaces.
    mutating func upgrade(to product: ProductID) throws {
        transaction.transactionID = try Self.next(transaction.transactionID)
        transaction.productID = product
        (transaction.purchaseDate, transaction.expiresDate) = (clock, clock.adding(.oneMonth))
        terms.nextProductID = product
        terms.renewalDate = transaction.expiresDate
        tell()
    }

    private mutating func tell() {
        clock = clock.adding(milliseconds: 1)
        (transaction.statedAt, terms.statedAt) = (clock, clock)
        statements.append(Statement(transaction: transaction, terms: terms))
    }

    private static func next(_ id: TransactionID) throws -> TransactionID { try TransactionID(number: id.number + 1) }

    // MARK: At random

    /// A life of so many events.
    static func random(_ events: Int, number: Int64 = 1, from generator: inout SplitMix64) throws -> ToldLife {
        var life = try ToldLife(number: number)
        let products = try [ProductID(parsing: "news"), ProductID(parsing: "all")]
        for _ in 0..<events {
            life.wait(.seconds(Int64.random(in: 0..<20 * 24 * 60 * 60, using: &generator)))
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: life.setRenewal(false)
            case 1: life.setRenewal(true)
            case 2: life.fail(withGrace: Bool.random(using: &generator) ? .seconds(16 * 24 * 60 * 60) : nil)
            case 3: life.expire(.cancelled)
            case 4: life.refund()
            case 5: life.reverse()
            case 6: life.extend(.seconds(10 * 24 * 60 * 60))
            case 7: try life.upgrade(to: products[Int.random(in: 0..<2, using: &generator)])
            default: try life.renew(as: products.randomElement(using: &generator))
            }
        }
        return life
    }

    /// The statements in a random order, some of them twice.
    func delivery(_ generator: inout SplitMix64) -> [Statement] {
        (statements + statements.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 })
            .shuffled(using: &generator)
    }
}

extension SubscriptionRecord {
    /// What is known after some statements, one after the other.
    init(_ statements: [ToldLife.Statement]) {
        self.init()
        for statement in statements { take(statement) }
    }

    mutating func take(_ statement: ToldLife.Statement) {
        take(statement.transaction)
        renewal = renewal?.updated(by: statement.terms) ?? statement.terms
    }

    mutating func take(_ period: VerifiedTransaction) {
        guard let place = periods.firstIndex(where: { $0.transactionID == period.transactionID }) else {
            periods.append(period)
            periods.sort { $0.transactionID < $1.transactionID }
            return
        }
        if period.holds(over: periods[place]) { periods[place] = period }
    }
}

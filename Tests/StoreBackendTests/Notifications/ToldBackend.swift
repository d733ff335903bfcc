import Foundation
import StoreModel
import StoreTestSupport

@testable import StoreBackend

/// A backend of one app, which takes every proof, and is told what a test says.
struct ToldBackend: Sendable {
    let backend: Backend
    let ann: BackendUser
    let ben: BackendUser

    static let bundleID = "com.example.magazines"

    /// In memory, unless another database is given.
    init(
        _ database: BackendDatabase? = nil, notifications: NotificationVerifier? = nil, store: StoreConnection? = nil,
        changing change: (inout BackendSettings) -> Void = { _ in }
    ) async throws {
        let bundleID = try BundleID(parsing: Self.bundleID)
        var settings = BackendSettings(bundleIDs: [bundleID])
        change(&settings)
        backend = Backend(
            database: try database ?? .sqlite(path: ":memory:"), verifier: ShownTransactions(), settings: settings,
            notifications: notifications, store: store)
        ann = try BackendUser(id: "ann")
        ben = try BackendUser(id: "ben")
        try await backend.prepare(at: ToldLife.start)
        var coins = try ListedProduct(ProductID(parsing: "coins"), kind: .consumable)
        coins.credit = Balance(name: "coins", amount: 100)
        var news = try ListedProduct(ProductID(parsing: "news"), kind: .autoRenewable)
        (news.minimumPeriod, news.minimumPeriodReason) = (.oneMonth, "Issues come out once a month.")
        let all = try ListedProduct(ProductID(parsing: "all"), kind: .autoRenewable)
        _ = try await backend.publish(
            ProductList(bundleID: bundleID, products: [coins, news, all]), at: ToldLife.start)
    }

    /// Lets a user bring a transaction.
    @discardableResult
    func bring(
        _ transaction: VerifiedTransaction, by user: BackendUser? = nil, at now: Instant = ToldLife.start
    ) async throws -> Recorded? {
        let shown = ShownTransactions.Shown(bundleID: transaction.bundleID, transactions: [transaction])
        let proof = ProofOfPayment(.signedTransaction, try Array(JSONEncoder().encode(shown)))
        return try await backend.record(proof, for: user ?? ann, at: now).first
    }

    @discardableResult
    func tell(
        _ statement: ToldLife.Statement, _ type: NotificationType = .didRenew, id: NotificationID,
        at now: Instant = ToldLife.start
    ) async throws -> ReceivedNotification {
        try await backend.take(
            Self.notification(type, id, statement.transaction, renewal: statement.terms), at: now)
    }

    /// What the tables have of purchases and of what comes after them, but when it came.
    func tables() async throws -> [[SQLRow]] {
        try await backend.database.transaction { connection in
            [
                try connection.run(
                    "SELECT \(PurchaseTable.columns) FROM backend_purchase p ORDER BY p.transaction_id"),
                try connection.run("SELECT * FROM backend_renewal ORDER BY original_transaction_id"),
                try connection.run("SELECT * FROM backend_balance ORDER BY user_id, name"),
            ]
        }
    }

    static func notification(
        _ type: NotificationType, _ id: NotificationID, _ transaction: VerifiedTransaction? = nil,
        renewal: RenewalTerms? = nil, content: NotificationContentData? = nil, bundleID: String = Self.bundleID
    ) throws -> VerifiedNotification {
        let bundleID = try BundleID(parsing: bundleID)
        let signedAt = transaction?.statedAt ?? ToldLife.start
        return try VerifiedNotification(
            environment: .sandbox, bundleID: bundleID,
            payload: NotificationPayload(
                notificationType: type, notificationUUID: id, signedDate: signedAt,
                data: NotificationData(bundleId: bundleID, environment: .sandbox, hostedContent: content)),
            transaction: transaction.map { try $0.payload(signedAt: $0.statedAt) },
            renewal: renewal.flatMap { terms in transaction?.renewal(terms) })
    }
}

extension VerifiedTransaction {
    /// The payload that a store signs for it.
    func payload(signedAt: Instant) throws -> TransactionPayload {
        var payload = TransactionPayload(
            transactionId: transactionID, originalTransactionId: originalTransactionID, bundleId: bundleID,
            productId: productID, type: kind ?? .autoRenewable, purchaseDate: purchaseDate,
            originalPurchaseDate: originalPurchaseDate, quantity: quantity, inAppOwnershipType: ownership,
            environment: WireEnvironment(environment), signedDate: signedAt)
        (payload.expiresDate, payload.revocationDate) = (expiresDate, revocationDate)
        payload.isUpgraded = isUpgraded ? true : nil
        (payload.appAccountToken, payload.subscriptionGroupIdentifier) = (appAccountToken, subscriptionGroup)
        return payload
    }

    /// The payload that a store signs for what comes after it.
    func renewal(_ terms: RenewalTerms) -> RenewalInfoPayload {
        RenewalInfoPayload(
            originalTransactionId: originalTransactionID, productId: productID, autoRenewProductId: terms.nextProductID,
            autoRenewStatus: terms.renews ? .on : .off, environment: WireEnvironment(environment),
            signedDate: terms.statedAt, renewalDate: terms.renewalDate, expirationIntent: terms.expirationIntent,
            isInBillingRetryPeriod: terms.isInBillingRetry ? true : nil,
            gracePeriodExpiresDate: terms.gracePeriodEnds, priceIncreaseStatus: terms.priceIncrease)
    }
}

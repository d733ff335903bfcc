public import StoreKit
import StoreModel
import StoreRules
import StoreService

/// A transaction as the store of a test session has it.
// Safe: nothing of it ever changes.
open class SKTestTransaction: NSObject, @unchecked Sendable {
    private let content: Content

    struct Content: Sendable {
        var identifier: Int
        var originalIdentifier: Int
        var product: String
        var state: SKPaymentTransactionState
        var date: Date
        var expires: Date?
        var cancelled: Date?
        var hasIssue = false
        var renews = false
        var awaitsApproval = false
        var awaitsConsent = false
    }

    init(_ content: Content) {
        self.content = content
        super.init()
    }

    /// What the methods of the session know the transaction by. It is the transaction's number, or that of the purchase
    /// where no transaction has come of it.
    open var identifier: UInt { UInt(content.identifier) }

    /// The identifier of the transaction that this one goes back to; its own, if it goes back to none.
    open var originalTransactionIdentifier: UInt { UInt(content.originalIdentifier) }

    /// The product.
    open var productIdentifier: String { content.product }

    /// How far it has come.
    open var state: SKPaymentTransactionState { content.state }

    /// When it was bought, by the time of the store.
    open var purchaseDate: Date { content.date }

    /// When the subscription ends; nil for what is no subscription.
    open var expirationDate: Date? { content.expires }

    /// When it was refunded; nil if it was not.
    open var cancelDate: Date? { content.cancelled }

    /// Whether something has to be settled before the purchase goes on, or the subscription could not be paid.
    open var hasPurchaseIssue: Bool { content.hasIssue }

    /// Whether the subscription that this belongs to renews itself.
    open var autoRenewingEnabled: Bool { content.renews }

    /// Whether somebody else has to say yes before the purchase goes on.
    open var pendingAskToBuyConfirmation: Bool { content.awaitsApproval }

    /// Whether the customer was asked to agree to a price, without which the subscription ends, and has not answered.
    open var isPendingPriceIncreaseConsent: Bool { content.awaitsConsent }
}

extension SKTestTransaction.Content {
    /// - Parameter subscription: which the transaction belongs to; nil where it belongs to none.
    init(_ transaction: StoreTransaction, of subscription: StoredSubscription?) {
        let original = transaction.restoredID ?? transaction.originalID
        self.init(
            identifier: Int(transaction.id.number), originalIdentifier: Int(original.number),
            product: transaction.productID.text, state: transaction.restoredID == nil ? .purchased : .restored,
            date: transaction.purchaseDate.date, expires: transaction.expiresDate?.date,
            cancelled: transaction.revocation?.revokedAt.date)
        guard let rules = subscription?.rules else { return }
        renews = rules.state.isLive && rules.renews
        hasIssue = subscription?.latest == transaction.id && (rules.state == .grace || rules.state == .retry)
        awaitsConsent = rules.state.isLive && rules.renews && rules.increase.map { !$0.holds } ?? false
    }

    /// A purchase that waits: the app was told that it failed or is deferred.
    init(waiting purchase: StoredPurchase) {
        let isAsked = purchase.state == .approval
        self.init(
            identifier: Int(purchase.id.number), originalIdentifier: Int(purchase.id.number),
            product: purchase.item.product.text, state: isAsked ? .deferred : .failed, date: purchase.openedAt.date,
            hasIssue: !isAsked, awaitsApproval: isAsked)
    }
}

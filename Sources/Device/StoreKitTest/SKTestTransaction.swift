public import StoreKit
import StoreModel
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

    /// Whether something has to be settled before the purchase goes on.
    open var hasPurchaseIssue: Bool { content.hasIssue }

    /// Whether the subscription renews itself; the store renews nothing yet.
    open var autoRenewingEnabled: Bool { false }

    /// Whether a parent has to decide; the store has no Ask to Buy yet.
    open var pendingAskToBuyConfirmation: Bool { false }

    /// Whether the person has to agree to a higher price; the store raises none yet.
    open var isPendingPriceIncreaseConsent: Bool { false }
}

extension SKTestTransaction.Content {
    init(_ transaction: StoreTransaction) {
        let original = transaction.restoredID ?? transaction.originalID
        self.init(
            identifier: Int(transaction.id.number), originalIdentifier: Int(original.number),
            product: transaction.productID.text, state: transaction.restoredID == nil ? .purchased : .restored,
            date: transaction.purchaseDate.date, expires: transaction.expiresDate?.date,
            cancelled: transaction.revocation?.revokedAt.date)
    }

    /// A purchase that waits for something to be settled: the app was told that it failed.
    init(interrupted purchase: StoredPurchase) {
        self.init(
            identifier: Int(purchase.id.number), originalIdentifier: Int(purchase.id.number),
            product: purchase.item.product.text, state: .failed, date: purchase.openedAt.date, hasIssue: true)
    }
}

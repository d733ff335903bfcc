// Programs that import StoreKit alone use what Foundation and the enumerations of the original API declare.
@_exported public import CStoreKit
@_exported public import Foundation
import StoreModel

/// The queue of payments of the app.
///
/// Payments are added here and come back to the observers as transactions, on the main queue. Everything that is not
/// finished comes back whenever an observer is added, until it is finished. Observers are not retained.
// Safe: everything that changes is behind the mutex of the delivery, but for the weak delegate.
open class SKPaymentQueue: NSObject, @unchecked Sendable {
    let delivery: PaymentDelivery

    /// Makes a queue with no store behind it: its payments fail. Apps use ``default()``.
    public override init() {
        delivery = PaymentDelivery(session: UnprovisionedSession())
        super.init()
        delivery.queue = self
    }

    init(
        serving session: (any OriginalSession)?, now: @escaping @Sendable () -> Instant = SystemClock.now
    ) {
        delivery = PaymentDelivery(session: session, now: now)
        super.init()
        delivery.queue = self
    }

    /// The queue of the process.
    // Safe: made once, and never let go.
    static let shared = SKPaymentQueue(serving: nil)

    /// What decides, during a purchase, whether it goes on; not retained.
    weak open var delegate: (any SKPaymentQueueDelegate)?

    /// The storefront of the customer; nil while it is unknown.
    open var storefront: SKStorefront? { delivery.session.storefront.map(SKStorefront.init) }

    /// The queue of the app.
    ///
    /// Where the device behaves as a simulator, the first call says on standard error that purchases will fail.
    open class func `default`() -> SKPaymentQueue {
        let queue = CurrentSession.own?.queue ?? shared
        queue.delivery.noteFetch()
        return queue
    }

    /// Whether payments are allowed on this device and to this person.
    open class func canMakePayments() -> Bool { CurrentSession.session.canMakePayments }

    /// Buys what the payment says, as it is now; later changes of it have no effect.
    ///
    /// The purchase is written down before this returns. Observers are told afterwards.
    open func add(_ payment: SKPayment) { delivery.session.add(Payment(payment)) }

    /// Brings back what the person bought earlier, on whatever device, and did not lose.
    ///
    /// It returns at once. Observers get a transaction in state restored for each non-consumable, each free subscription and
    /// each period of a renewing one, those that are over too, whose ``SKPaymentTransaction/original`` is what came back; then
    /// exactly one of `paymentQueueRestoreCompletedTransactionsFinished(_:)` and the call for a failure. What was refunded, is
    /// consumed or does not renew by itself does not come. Whether a subscription still runs, the receipt says. Restored
    /// transactions have to be finished too, and change nothing of what the person owns.
    open func restoreCompletedTransactions() { restoreCompletedTransactions(withApplicationUsername: nil) }

    /// Brings back what the person bought earlier, with a hint at the account of the developer's that it was for.
    open func restoreCompletedTransactions(withApplicationUsername username: String?) {
        delivery.session.restore(applicationUsername: username)
    }

    /// Takes a transaction off the queue, once what it bought is delivered, or its failure is dealt with.
    ///
    /// A transaction that is being purchased or is deferred stays, with a line on standard error.
    open func finishTransaction(_ transaction: SKPaymentTransaction) { delivery.finish(transaction) }

    /// Begins downloads, or begins again what failed or was cancelled, while the transaction is unfinished.
    ///
    /// Observers are told of each in any case: of one that has finished already, that it has. Three are fetched at once; the
    /// others wait. What is started goes on at the next launch, as soon as an observer is added, until it ends.
    open func start(_ downloads: [SKDownload]) { ask(.start, of: downloads) }

    /// Pauses downloads that are active or wait for their turn, also beyond the end of the app.
    open func pause(_ downloads: [SKDownload]) { ask(.pause, of: downloads) }

    /// Goes on with paused downloads.
    open func resume(_ downloads: [SKDownload]) { ask(.resume, of: downloads) }

    /// Cancels downloads that have begun and not ended, and removes what has come of them.
    open func cancel(_ downloads: [SKDownload]) { ask(.cancel, of: downloads) }

    private func ask(_ command: DownloadEntry.Command, of downloads: [SKDownload]) {
        let entries = downloads.compactMap(\.entry)
        if !entries.isEmpty { delivery.session.ask(command, of: entries) }
    }

    /// Tells an observer of every unfinished transaction, and of every change from now on. It is not retained.
    open func add(_ observer: any SKPaymentTransactionObserver) { delivery.add(observer) }

    /// Tells an observer nothing more.
    open func remove(_ observer: any SKPaymentTransactionObserver) { delivery.remove(observer) }

    /// Those that are told.
    open var transactionObservers: [any SKPaymentTransactionObserver] { delivery.observers }

    /// The transactions that are not finished, in the order of their purchases.
    open var transactions: [SKPaymentTransaction] { delivery.transactions }

    /// Asks the person to agree to a higher price of a subscription, if one waits for an answer.
    ///
    /// The question comes by itself as soon as the store tells of the price, once, unless
    /// `paymentQueueShouldShowPriceConsent(_:)` of the delegate returns false: then it waits for this call, across launches.
    open func showPriceConsentIfNeeded() { delivery.session.showPriceConsentIfNeeded() }

    /// Lets the person redeem a code.
    open func presentCodeRedemptionSheet() { delivery.session.presentCodeRedemption() }
}

extension SKPaymentQueue {
    /// What the clock of the store shows, by which the dates of transactions and the ends of subscriptions are counted.
    ///
    /// In production that is the time on the wall. In the sandbox clocks can be set and sped up (`till clock`), and a
    /// subscription has ended when this, and not `Date()`, has passed its `expires_date`. Apple's platforms have no such
    /// property.
    public var storeTime: Date { delivery.session.environmentTime.date }
}

/// What decides, during a purchase, whether it goes on.
public protocol SKPaymentQueueDelegate: NSObjectProtocol {
    /// The storefront changed during the purchase; return whether it may go on.
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool

    /// The price of a subscription rises; return whether the person may be asked to agree now.
    ///
    /// After false the question waits for ``SKPaymentQueue/showPriceConsentIfNeeded()``.
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool
}

extension SKPaymentQueueDelegate {
    /// Lets the purchase go on.
    public func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool { true }

    /// Lets the person be asked.
    public func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool { true }
}

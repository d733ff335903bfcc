import Foundation
package import StoreModel

/// What the original API asks of the engine below it.
///
/// `SKPaymentQueue` and the subclasses of `SKRequest` turn these plain values into the objects, the queues and the
/// callbacks that apps know. The engine keeps the journal, talks to the store and asks the person; it knows nothing of
/// observers or of the main queue. No method waits for the network unless it is asynchronous, none waits for the main
/// queue, and all may be called from any thread.
package protocol OriginalSession: AnyObject, Sendable {
    /// Whether payments are allowed on this device and to this person.
    var canMakePayments: Bool { get }

    /// The storefront of the person, nothing while it is unknown.
    var storefront: StorefrontValue? { get }

    /// Every transaction that is not finished, in the order of their purchases.
    var payments: [PaymentRecord] { get }

    /// Where the receipt of the app lies; the file need not be there yet.
    var receiptURL: URL? { get }

    /// Whether the store can be reached.
    var network: NetworkStatusSource { get }

    /// Looks products up. Cancelling the task ends the look-up.
    func products(for identifiers: Set<String>) async throws(SKError) -> ProductAnswer

    /// Begins a purchase.
    ///
    /// The purchase is in the journal, and ``PaymentEvent/updated(_:)`` with a record that is being purchased has been
    /// handed to the sink, before this returns. Whatever is wrong with the order, a quantity of 0 or a restriction for
    /// example, comes as a second event with a failed record: nothing is refused on the spot.
    func add(_ order: PaymentOrder)

    /// Puts an end to a transaction: it leaves the journal's list, and ``PaymentEvent/removed(_:)`` follows.
    ///
    /// Does nothing for a key that is unknown, or that is still being purchased.
    func finish(_ key: PaymentKey)

    /// Begins a restore, unless one is running.
    ///
    /// Its records come by ``PaymentEvent/updated(_:)``, each once; then exactly one event ends it.
    func restore(applicationUsername: String?)

    /// Tells the sink everything from now on, in order, one event at a time.
    ///
    /// The first event is ``PaymentEvent/attached(_:)`` with what is unfinished at that very moment, so that nothing is
    /// missed and nothing comes twice. A queue attaches while it has observers, and the store is watched only then;
    /// what awaits an observer, promoted purchases for example, is kept until then.
    ///
    /// - Parameter sink: Returns at once and calls no method of the session. Called on any thread.
    func attach(_ sink: @escaping @Sendable (PaymentEvent) -> Void)

    /// Tells the sink nothing any more. Payments go on, and are kept for the next one to attach.
    func detach()

    /// Brings the receipt of the app up to date.
    func refreshReceipt(_ properties: ReceiptProperties) async throws(SKError)

    /// Lets the person redeem a code.
    func presentCodeRedemption()

    /// Asks the person to agree to a higher price, if one waits for an answer.
    func showPriceConsentIfNeeded()
}

import Foundation
package import StoreFoundation
package import StoreModel

/// The engine below the original API.
///
/// `SKPaymentQueue` and the subclasses of `SKRequest` turn these plain values into the objects, the queues and the
/// callbacks that apps know. The engine keeps the journal, talks to the store and asks the customer; it knows nothing of
/// observers or of the main queue. No method waits for the network unless it is asynchronous, none waits for the main
/// queue, and all may be called from any thread.
package protocol OriginalSession: AnyObject, Sendable {
    /// The words of StoreKit, in the language of the device.
    var texts: Texts { get }

    /// Whether the device behaves as a simulator, in which prices load and nothing is bought.
    var isSimulator: Bool { get }

    /// Whether payments are allowed on this device and to this customer.
    var canMakePayments: Bool { get }

    /// The storefront of the customer; nil while it is unknown.
    var storefront: StorefrontAnswer? { get }

    /// Everything that is not finished, in the order of the purchases.
    var entries: [QueueEntry] { get }

    /// Where the store is; nil where nothing says so.
    var storeAddress: StoreAddress? { get }

    /// Where the receipt of the app lies; the file need not be there yet.
    var receiptURL: URL? { get }

    /// The time of the environment, by which the store counts what the customer has.
    var environmentTime: Instant { get }

    /// Whether the store can be reached.
    var network: ObservedValue<NetworkStatus> { get }

    /// The error that a test lets a call of StoreKit fail with; nil where none does.
    func simulatedFailure(of call: FailableCall) -> (any Error)?

    /// Looks products up. Cancelling the task ends the look-up.
    func products(for identifiers: Set<String>) async throws(SessionFailure) -> ProductAnswer

    /// Begins a purchase.
    ///
    /// The purchase is in the journal, and ``SessionNews/updated(_:)`` with an entry that is being purchased has been
    /// handed to the sinks, before this returns. What is wrong with the payment, a quantity of 0 or a restriction for
    /// example, comes as a second update with a failed entry: nothing is refused on the spot.
    ///
    /// - Returns: the key of the entry, by which whoever has added the payment knows what is told of it.
    @discardableResult
    func add(_ payment: Payment) -> QueueEntry.Key

    /// Finishes a transaction: it leaves the journal's list, and ``SessionNews/removed(_:)`` follows.
    ///
    /// Does nothing for a key that is unknown, or that is still being purchased.
    func finish(_ key: QueueEntry.Key)

    /// Begins a restore, unless one is running.
    ///
    /// Its entries come by ``SessionNews/updated(_:)``, each once; then exactly one event ends it.
    func restore(applicationUsername: String?)

    /// Tells a sink everything from now on, in order, one event at a time.
    ///
    /// The first event is ``SessionNews/attached(_:)`` with what is unfinished at that moment, so nothing is missed and
    /// nothing comes twice. Events that came while no sink was attached follow. The store is watched while there is a sink.
    func attach(_ sink: SessionSink)

    /// Tells a sink nothing any more. Payments go on, and are kept for the next sink.
    func detach(_ sink: SessionSink)

    /// Brings the receipt of the app up to date.
    func refreshReceipt(_ properties: ReceiptProperties) async throws(SessionFailure)

    /// Does with downloads what the app asks for. Which of them may be started is for the journal to say; of those that are
    /// started the sinks hear in any case, by ``SessionNews/downloads(_:)``.
    func ask(_ command: DownloadEntry.Command, of downloads: [DownloadEntry])

    /// Where content of a product lies that was downloaded and is still there.
    func contentFolder(of product: String) -> URL?

    /// Removes the content of a product that was downloaded.
    func deleteContent(of product: String)

    /// Lets the customer redeem a code.
    func presentCodeRedemption()

    /// Asks the customer to agree to a higher price, if one waits for an answer.
    func showPriceConsentIfNeeded()

    /// Loads a page of the store, which may then be shown.
    func loadPage(_ request: VisitRequest) async throws(SessionFailure) -> LoadedPage

    /// Shows a page that was loaded, and returns when the person has seen enough. Cancelling the task takes the page away.
    func show(_ page: LoadedPage) async
}

/// A page of the store that was loaded, and can be shown once.
package struct LoadedPage: Hashable, Sendable {
    /// What was asked for.
    package let request: VisitRequest
    package let answer: VisitAnswer
    /// Where it is; nil if the store has no pages.
    package let address: String?

    package init(_ answer: VisitAnswer, for request: VisitRequest, in store: StoreAddress) {
        self.request = request
        self.answer = answer
        address = answer.page.map { "\(store)\($0)" }
    }
}

/// A receiver of a session's news: the queue of StoreKit 1 is one. A session has any number of them.
package final class SessionSink: Sendable {
    let tell: @Sendable (SessionNews) -> Void
    /// Which questions it answers; nil for one that answers all that no other does.
    let answers: (@Sendable (Question) -> Bool)?

    // Closed: a session asks nothing else.
    package enum Question: Hashable, Sendable {
        case promotion
        case storefront
        case priceConsent
    }

    /// - Parameters:
    ///   - answers: which questions it answers, before others do; nil for all that are left.
    ///   - tell: returns at once and calls no method of the session. Called on any thread.
    package init(
        answers: (@Sendable (Question) -> Bool)? = nil, _ tell: @escaping @Sendable (SessionNews) -> Void
    ) {
        self.answers = answers
        self.tell = tell
    }
}

/// What a session tells its sinks.
// Closed: a sink has to know all.
package enum SessionNews: Sendable {
    /// Everything unfinished, in the order of the purchases: the first event of each attachment.
    case attached([QueueEntry])
    /// Entries are new, or have changed.
    case updated([QueueEntry])
    /// Entries were finished, by this process or by another one of the app.
    case removed([QueueEntry.Key])
    /// Downloads have changed, or were started once more.
    case downloads([DownloadEntry])
    /// The restore has delivered everything.
    case restoreFinished
    /// The restore was cancelled or failed.
    case restoreFailed(SessionFailure)
    /// The customer lost what was bought, by a refund for example.
    case revoked([String])
    /// The store has told of something that the journal has by now: a transaction, or how a subscription stands.
    case heard
    /// The customer has another storefront.
    case storefrontChanged
    /// The customer chose a product outside the app. Told to the sink that was attached first.
    ///
    /// The receiver adds a payment if the app wants it, and calls `settled` once the app has decided.
    case promoted(ProductRecord, settled: @Sendable () -> Void)
    /// The storefront changed during a purchase: may it go on? Asked of the sink that was attached first; the answer comes
    /// exactly once.
    case shouldContinue(QueueEntry.Key, StorefrontAnswer, answer: @Sendable (Bool) -> Void)
    /// A price rises: may the customer be asked now? Asked of the sink that was attached first; the answer comes exactly once.
    case shouldShowPriceConsent(answer: @Sendable (Bool) -> Void)

    /// Whether it waits for a sink where none is attached. What entries are like is told on attaching, and a product that
    /// was chosen outside the app waits in its file.
    var waitsForSink: Bool {
        switch self {
        case .restoreFinished, .restoreFailed, .revoked, .storefrontChanged: true
        case .attached, .updated, .removed, .downloads, .promoted, .heard, .shouldContinue, .shouldShowPriceConsent:
            false
        }
    }
}

/// The calls of StoreKit that a test may let fail, by the names that `.storekit` files have for them.
package enum FailableCall: String, CaseIterable, Sendable {
    case loadProducts = "Load Products"
    case purchase = "Purchase"
    /// Every verification of something signed, which then is not believed.
    case verification = "Verification"
    case appStoreSync = "App Store Sync"
    case subscriptionStatus = "Subscription Status"
    case appTransaction = "App Transaction"
    case manageSubscriptions = "Manage Subscriptions Sheet"
    case refundRequest = "Refund Request Sheet"
    case offerCodeRedeem = "Offer Code Redeem Sheet"
}

extension OriginalSession {
    /// Throws the error that a test lets a call fail with, if one does.
    package func failIfSimulated(_ call: FailableCall) throws {
        if let error = simulatedFailure(of: call) { throw error }
    }

    package func simulatedFailure(of call: FailableCall) -> (any Error)? { nil }
}

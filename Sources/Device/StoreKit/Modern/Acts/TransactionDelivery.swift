import Foundation
import StoreModel
import Synchronization

/// Brings what an engine says to the sequences of the modern API: the counterpart of ``PaymentDelivery``.
///
/// The engine is attached as long as a sequence is read. What it says before the first reading of the process is in the journal.
final class TransactionDelivery: Sendable {
    /// That of the process, which follows the engine that was activated last.
    static let shared = TransactionDelivery(nil)

    /// That of the present task, else that of the process.
    static var current: TransactionDelivery { CurrentSession.own?.transactions ?? shared }

    private struct State {
        var session: (any OriginalSession)?
        var sink: SessionSink?
        /// How many sequences are read.
        var readers = 0
        /// How each subscription stood when it was last told.
        var subscriptions: [UInt64: SubscriptionStatus]?
    }

    private let state: Mutex<State>
    private let attaching = NSRecursiveLock()
    private let refreshing = SerialQueue()
    let updates = UpdateLog()
    let intents = Broadcast<PurchaseIntent>()
    let messages = Broadcast<Message>()
    let storefronts = Broadcast<Storefront>()
    let statuses = Broadcast<SubscriptionStatus>()

    init(_ session: (any OriginalSession)?) {
        state = Mutex(State(session: session))
    }

    /// The engine; made if the process has none yet.
    var session: any OriginalSession {
        if let session = state.withLock({ $0.session }) { return session }
        let session = CurrentSession.shared
        return state.withLock { state in
            if let other = state.session { return other }
            state.session = session
            return session
        }
    }

    /// Goes over to another engine; the readers stay.
    func serve(_ session: any OriginalSession) {
        attaching.withLock {
            guard state.withLock({ $0.session }) !== session else { return }
            detach()
            updates.clear()
            state.withLock { state in
                state.session = session
                state.subscriptions = nil
            }
            attachIfRead()
        }
    }

    /// Goes over to the engine of a new process of the app, which reads nothing yet.
    func relaunch(with session: any OriginalSession) {
        attaching.withLock {
            detach()
            updates.restart()
            intents.restart()
            messages.restart()
            storefronts.restart()
            statuses.restart()
            state.withLock { state in
                state.session = session
                state.subscriptions = nil
            }
            attachIfRead()
        }
    }

    /// A sequence is read from now on, until the reading is let go.
    func read() -> Reading {
        attaching.withLock {
            state.withLock { $0.readers += 1 }
            attachIfRead()
        }
        return Reading(self)
    }

    /// Keeps an engine attached.
    final class Reading: Sendable {
        let delivery: TransactionDelivery

        init(_ delivery: TransactionDelivery) { self.delivery = delivery }

        deinit { delivery.endReading() }
    }

    private func endReading() {
        attaching.withLock {
            let isLast = state.withLock { state in
                state.readers -= 1
                return state.readers == 0
            }
            if isLast { detach() }
        }
    }

    private func attachIfRead() {
        guard state.withLock({ $0.readers > 0 && $0.sink == nil }) else { return }
        let session = session
        let sink = SessionSink { [weak self] question in
            switch question {
            case .promotion: self?.intents.hasReaders ?? false
            case .priceConsent: self?.messages.hasReaders ?? false
            case .storefront: false
            }
        } _: { [weak self, weak session] news in
            if let self, let session { self.take(news, of: session) }
        }
        state.withLock { $0.sink = sink }
        session.attach(sink)
    }

    private func detach() {
        let (session, sink) = state.withLock { state in (state.session, state.sink.take()) }
        if let sink { session?.detach(sink) }
    }

    // MARK: What the engine says

    /// Takes in an event, on any thread; calls no method of the engine.
    private func take(_ news: SessionNews, of session: any OriginalSession) {
        switch news {
        case .attached(let entries), .updated(let entries): tell(entries, of: session)
        case .removed(let keys):
            for key in keys { updates.remove(key) }
        case .heard:
            Task { [weak self] in await self?.tellHeard(by: session) }
        case .storefrontChanged:
            Task { [weak self] in
                if let storefront = session.storefront { self?.storefronts.send(Storefront(storefront)) }
            }
        case .promoted(let record, let settled):
            Task { [weak self] in
                guard let product = try? await Product.products(for: [record.identifier], of: session).first else {
                    return
                }
                self?.intents.send(PurchaseIntent(product: product))
                settled()
            }
        case .shouldShowPriceConsent(let answer):
            messages.send(Message(reason: .priceIncreaseConsent))
            answer(false)
        case .shouldContinue(_, _, let answer): answer(true)
        case .downloads, .restoreFinished, .restoreFailed, .revoked: break
        }
    }

    private func tell(_ entries: [QueueEntry], of session: any OriginalSession) {
        guard let session = session as? DeviceSession else { return }
        for entry in entries where entry.state == .purchased && entry.audience == .both {
            guard let bought = entry.bought, let verified = bought.verified else { continue }
            updates.add(
                UpdateLog.Update(
                    key: .init(id: bought.id, isRevoked: false), value: session.signed.transaction(verified),
                    entry: entry.key))
        }
    }

    /// Tells what does not wait for the app, and how subscriptions stand otherwise.
    private func tellHeard(by session: any OriginalSession) async {
        guard let session = session as? DeviceSession else { return }
        await refreshing.run { [self] in
            for announced in (try? session.journal.announcements()) ?? [] {
                updates.add(
                    UpdateLog.Update(
                        key: .init(id: announced.id, isRevoked: announced.isRevoked),
                        value: session.transaction(announced.signed), announced: announced))
            }
            for one in session.unreturned {
                updates.add(
                    UpdateLog.Update(
                        key: .init(id: one.id, isRevoked: false, isVerified: false),
                        value: session.transaction(one.signed)))
            }
            if statuses.hasReaders || messages.hasReaders { await tellSubscriptions(of: session) }
        }
    }

    private func tellSubscriptions(of session: DeviceSession) async {
        guard let found = try? await session.statuses() else { return }
        let known = state.withLock { $0.subscriptions }
        var next: [UInt64: SubscriptionStatus] = [:]
        for (_, status) in found {
            let original = status.transaction.unsafePayloadValue.originalID
            next[original] = status
            // Once in each run of the app.
            if status.hasWinBackOffer, known?[original]?.hasWinBackOffer != true {
                messages.send(Message(reason: .winBackOffer))
            }
            guard let known, known[original].map({ !$0.saysTheSame(as: status) }) ?? true else { continue }
            statuses.send(status)
            let isUnpaid = status.state == .inBillingRetryPeriod || status.state == .inGracePeriod
            if isUnpaid, known[original]?.state == .subscribed { messages.send(Message(reason: .billingIssue)) }
        }
        state.withLock { $0.subscriptions = next }
    }
}

extension SubscriptionStatus {
    /// Whether the customer may come back by an offer.
    fileprivate var hasWinBackOffer: Bool { !renewalInfo.unsafePayloadValue.eligibleWinBackOfferIDs.isEmpty }

    /// Whether another one differs in nothing but when and for which device it was signed.
    fileprivate func saysTheSame(as other: SubscriptionStatus) -> Bool {
        let (mine, theirs) = (renewalInfo.unsafePayloadValue, other.renewalInfo.unsafePayloadValue)
        let (bought, theirBought) = (transaction.unsafePayloadValue, other.transaction.unsafePayloadValue)
        return state == other.state && bought.id == theirBought.id
            && bought.expirationDate == theirBought.expirationDate
            && bought.revocationDate == theirBought.revocationDate
            && mine.willAutoRenew == theirs.willAutoRenew && mine.autoRenewPreference == theirs.autoRenewPreference
            && mine.expirationReason == theirs.expirationReason
            && mine.priceIncreaseStatus == theirs.priceIncreaseStatus
            && mine.isInBillingRetry == theirs.isInBillingRetry
            && mine.gracePeriodExpirationDate == theirs.gracePeriodExpirationDate && mine.offer == theirs.offer
            && mine.renewalPrice == theirs.renewalPrice && mine.renewalDate == theirs.renewalDate
    }
}

import Synchronization

/// Brings what an engine says to the observers of a payment queue.
///
/// An event is taken in on the engine's thread, where the objects of new transactions are made, and is told on the main
/// queue, where objects change. An observer that was just added is told of everything unfinished first, and of nothing
/// before that.
// Safe: everything that changes is behind the mutex; `queue` is set before anyone else knows of this object.
final class PaymentDelivery: @unchecked Sendable {
    struct State {
        /// Nothing for the queue of the process, until it is needed.
        var session: (any OriginalSession)?
        weak var context: SessionContext?
        var isAttached = false
        /// Tells the events of the present attachment from those of earlier ones.
        var attachment = 0
        var entries: [ObserverEntry] = []
        var table = TransactionTable()
        /// What came when nobody was there to be told.
        var held: [PaymentEvent] = []
        /// Whether the observer that was asked last has no answer of its own on promoted purchases.
        var isUndecided = false
    }

    let state: Mutex<State>
    /// Held while an engine is attached or detached, so that threads do so one after the other.
    private let attaching = NSRecursiveLock()
    weak var queue: SKPaymentQueue?

    init(session: (any OriginalSession)?) {
        state = Mutex(State(session: session))
    }

    /// The engine that serves the queue.
    var session: any OriginalSession {
        if let session = state.withLock({ $0.session }) { return session }
        let session = CurrentSession.shared
        return state.withLock { state in
            if let other = state.session { return other }
            state.session = session
            return session
        }
    }

    /// Goes over to another engine; the observers stay.
    func serve(_ session: any OriginalSession) {
        attaching.withLock {
            let former = state.withLock { $0.session }
            guard former !== session else { return }
            detach()
            state.withLock { state in
                state.session = session
                state.table = TransactionTable()
            }
            attachIfObserved()
        }
    }

    /// Makes the context's engine the current one during callbacks.
    func serve(_ context: SessionContext) {
        state.withLock { $0.context = context }
    }

    /// The transactions that are not finished.
    var transactions: [SKPaymentTransaction] {
        if let all = state.withLock({ $0.isAttached ? $0.table.all : nil }) { return all }
        let records = session.payments
        return state.withLock { state in
            guard !state.isAttached else { return state.table.all }
            let objects = state.table.replace(with: records)
            for (object, record) in zip(objects, records) { object.update(record) }
            return objects
        }
    }

    /// Finishes a transaction, at the queue that it came from.
    func finish(_ transaction: SKPaymentTransaction) {
        guard let key = transaction.key else { return }
        let transactionState = transaction.transactionState
        guard transactionState != .purchasing, transactionState != .deferred else {
            SessionLog.write("a transaction that is not decided yet cannot be finished: \(key)")
            return
        }
        transaction.isFinished = true
        session.finish(key)
    }
}

// MARK: Observers

extension PaymentDelivery {
    var observers: [any SKPaymentTransactionObserver] {
        state.withLock { $0.entries }.compactMap(\.observer)
    }

    func add(_ observer: any SKPaymentTransactionObserver) {
        let entry = ObserverEntry(observer)
        attaching.withLock {
            state.withLock { state in
                // The observer is held by the caller, so no other object has its identity now.
                let places = state.entries.filter { $0.identity == entry.identity }
                if places.contains(where: { $0.observer != nil }) { return }
                state.entries.removeAll { $0.identity == entry.identity }
                state.entries.append(entry)
                guard state.isAttached else { return }
                let pending = state.table.all
                onMain(state) { self.greet([entry], with: pending) }
            }
            attachIfObserved()
        }
    }

    func remove(_ observer: any SKPaymentTransactionObserver) {
        // An observer that is going away has lost its weak references, but not its identity.
        let identity = ObjectIdentifier(observer)
        state.withLock { state in state.entries.removeAll { $0.identity == identity } }
        detachIfUnobserved()
    }

    /// Forgets observers that are gone, and the engine with the last of them.
    func detachIfUnobserved() {
        attaching.withLock {
            let entries = state.withLock { $0.entries }
            let gone = entries.filter { $0.observer == nil }
            let isUnobserved = state.withLock { state in
                state.entries.removeAll { entry in gone.contains { $0 === entry } }
                return state.entries.isEmpty
            }
            if isUnobserved { detach() }
        }
    }

    private func attachIfObserved() {
        let attachment: Int? = state.withLock { state in
            guard !state.entries.isEmpty, !state.isAttached else { return nil }
            state.isAttached = true
            state.attachment += 1
            return state.attachment
        }
        guard let attachment else { return }
        session.attach { [weak self] event in self?.take(event, attachment: attachment) }
    }

    private func detach() {
        let session = state.withLock { state -> (any OriginalSession)? in
            guard state.isAttached else { return nil }
            state.isAttached = false
            state.attachment += 1
            return state.session
        }
        session?.detach()
    }

    /// Runs on the main queue, later, with the engine of the queue as the current one.
    ///
    /// Called under the lock of the state, so that what is told has the order of what was taken in.
    func onMain(_ state: borrowing State, _ body: @escaping @Sendable () -> Void) {
        let context = state.context
        DispatchQueue.main.async { CurrentSession.$own.withValue(context, operation: body) }
    }
}

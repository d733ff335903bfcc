import StoreModel
import Synchronization

/// Brings what an engine says to the observers of a payment queue.
///
/// An event is taken in on the engine's thread, where the objects of new transactions are made, and is told on the main
/// queue, where objects change. An observer that was just added is told of everything unfinished first, and of nothing
/// before that.
// Safe: everything that changes is behind the mutex; `queue` is set before anyone else knows of this object.
final class PaymentDelivery: @unchecked Sendable {
    struct State {
        /// Nil for the queue of the process, until it is needed.
        var session: (any OriginalSession)?
        weak var context: SessionContext?
        /// What the engine tells; nil while the queue has no observers.
        var sink: SessionSink?
        /// Tells the events of the present attachment from those of earlier ones.
        var attachment = 0
        var entries: [ObserverEntry] = []
        var table = TransactionTable()
        var calls = DownloadCalls()
        /// What came when no observer was there to be told.
        var held: [SessionNews] = []
        /// Whether the app has asked for the queue.
        var isFetched = false
        /// Whether the observer that was asked last has no answer of its own on promoted purchases.
        var isUndecided = false
    }

    let state: Mutex<State>
    /// Held while an engine is attached or detached, so that threads do so one after the other.
    private let attaching = NSRecursiveLock()
    weak var queue: SKPaymentQueue?
    let now: @Sendable () -> Instant

    init(session: (any OriginalSession)?, now: @escaping @Sendable () -> Instant = SystemClock.now) {
        state = Mutex(State(session: session))
        self.now = now
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

    /// Goes over to the engine of a new process of the app, in which nobody observes the queue yet.
    func relaunch(with session: any OriginalSession) {
        attaching.withLock {
            state.withLock { state in
                state.entries = []
                state.held = []
                state.isFetched = false
            }
            serve(session)
        }
    }

    /// Makes the context's engine the current one during callbacks.
    func serve(_ context: SessionContext) {
        state.withLock { $0.context = context }
    }

    /// The app has asked for the queue: warns the developer where nothing can be bought.
    func noteFetch() {
        let isFirst = state.withLock { state in
            defer { state.isFetched = true }
            return !state.isFetched
        }
        guard isFirst, CurrentSession.isSimulator else { return }
        SessionLog.write(
            "this device behaves as a simulator: purchases and restores fail. till device simulator off ends it.")
    }

    /// The transactions that are not finished.
    var transactions: [SKPaymentTransaction] {
        if let all = state.withLock({ $0.sink == nil ? nil : $0.table.all }) { return all }
        let entries = session.entries.filter(\.isListed)
        return state.withLock { state in
            guard state.sink == nil else { return state.table.all }
            let objects = state.table.replace(with: entries)
            for (object, entry) in zip(objects, entries) { object.update(entry) }
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
                guard state.sink != nil else { return }
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
        let sink: SessionSink? = state.withLock { state in
            guard !state.entries.isEmpty, state.sink == nil else { return nil }
            state.attachment += 1
            state.calls.forget()
            let attachment = state.attachment
            let sink = SessionSink { [weak self] news in self?.take(news, attachment: attachment) }
            state.sink = sink
            return sink
        }
        if let sink { session.attach(sink) }
    }

    private func detach() {
        let (session, sink) = state.withLock { state in
            defer { state.sink = nil }
            if state.sink != nil { state.attachment += 1 }
            return (state.session, state.sink)
        }
        if let sink { session?.detach(sink) }
    }

    /// Runs on the main queue, later, with the engine of the queue as the current one.
    ///
    /// Called under the lock of the state, so that what is told has the order of what was taken in.
    func onMain(_ state: borrowing State, _ body: @escaping @Sendable () -> Void) {
        let context = state.context
        DispatchQueue.main.async {
            CurrentSession.$own.withValue(context, operation: body)
            OpenQuestion.showAgain()
        }
    }
}

/// An observer's place at a payment queue.
// Safe: `isGreeted` is touched on the main queue alone; the rest never changes, and weak references are atomic.
final class ObserverEntry: @unchecked Sendable {
    /// Tells the observer from others even while it is going away.
    let identity: ObjectIdentifier
    private(set) weak var observer: (any SKPaymentTransactionObserver)?
    /// Whether it was told of what is unfinished, and so is told of changes.
    var isGreeted = false

    init(_ observer: any SKPaymentTransactionObserver) {
        identity = ObjectIdentifier(observer)
        self.observer = observer
    }
}

/// The objects of the unfinished transactions: one for each, as long as it is unfinished.
struct TransactionTable {
    private var objects: [QueueEntry.Key: SKPaymentTransaction] = [:]
    private var keys: [QueueEntry.Key] = []

    /// In the order of their purchases.
    var all: [SKPaymentTransaction] { keys.compactMap { objects[$0] } }

    subscript(key: QueueEntry.Key) -> SKPaymentTransaction? { objects[key] }

    /// The object of a transaction, made if it is new.
    mutating func object(for entry: QueueEntry) -> SKPaymentTransaction {
        if let object = objects[entry.key] { return object }
        let object = SKPaymentTransaction(entry)
        objects[entry.key] = object
        keys.append(entry.key)
        return object
    }

    mutating func remove(_ key: QueueEntry.Key) -> SKPaymentTransaction? {
        keys.removeAll { $0 == key }
        return objects.removeValue(forKey: key)
    }

    /// Keeps exactly these transactions, in this order, and the objects that they have.
    mutating func replace(with entries: [QueueEntry]) -> [SKPaymentTransaction] {
        let former = objects
        objects = [:]
        keys = []
        return entries.map { entry in
            if let object = former[entry.key] {
                objects[entry.key] = object
                keys.append(entry.key)
            }
            return object(for: entry)
        }
    }
}

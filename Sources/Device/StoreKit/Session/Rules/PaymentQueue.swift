package import StoreModel

/// The queue of payments as pure rules: what happened comes in, what is to be told and done goes out.
///
/// What an app is told comes from here alone, and what comes here was written to the journal before: an app is never told
/// anything that would be forgotten when it ends.
package struct PaymentQueue: Hashable, Sendable {
    /// Everything that is not finished, in the order in which it was added or came.
    package private(set) var entries: [QueueEntry] = []
    /// Whether a restore is under way.
    package private(set) var isRestoring = false

    package init() {}

    /// What can happen.
    // Closed: only the machine switches over them.
    package enum Event: Hashable, Sendable {
        /// The app added a payment, and the journal has it.
        case added(JournalPayment)
        /// The app added a payment that cannot be sent, or that the journal could not keep.
        case refused(JournalPayment, SessionFailure)
        /// A payment of a process that has gone was taken over.
        case adopted(JournalPayment)
        /// A payment waits for something that may take long.
        case deferred(PurchaseKey)
        case failed(PurchaseKey, SessionFailure)
        /// There is a transaction, which the journal has; of a payment, if it is named.
        case arrived(BoughtTransaction, of: PurchaseKey?)
        /// The app finishes an entry.
        case finish(QueueEntry.Key)
        /// The journal has no such transaction waiting any more.
        case settled(TransactionID)
        /// The customer lost what was bought.
        case revoked([String])
        case storefrontChanged
        /// The app asks for a restore under a user name.
        case restoreAsked(username: String?)
        /// A restore brought back what was in the queue before.
        case restoredAgain(Set<TransactionID>)
        case restoreEnded
        case restoreFailed(SessionFailure)
    }

    /// What is to be done, in this order.
    // Closed: the driver must know all.
    package enum Action: Hashable, Sendable {
        /// Tell the app of entries that are new or have changed.
        case tell([QueueEntry])
        case tellRemoved([QueueEntry.Key])
        case tellRestoreFinished
        case tellRestoreFailed(SessionFailure)
        case tellRevoked([String])
        case tellStorefrontChanged
        /// Bring a payment to the store.
        case send(PurchaseKey)
        /// Find out what became of a payment that another process began.
        case resume(PurchaseKey)
        /// Ask the store to restore.
        case restore(username: String?)
        /// Tell the store that a transaction was finished. The journal has that already.
        case acknowledge
    }

    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .added(let payment): return add(payment, .send(payment.key))
        case .adopted(let payment): return add(payment, .resume(payment.key))
        case .refused(let payment, let failure):
            return add(payment, nil) + fail(payment.key, failure)
        case .deferred(let key): return change(key) { $0.state = .deferred }
        case .failed(let key, let failure): return fail(key, failure)
        case .arrived(let bought, let key): return arrive(bought, of: key)
        case .finish(let key): return finish(key)
        case .settled(let id): return remove { $0.bought?.id == id }
        case .revoked(let products): return [.tellRevoked(products)]
        case .storefrontChanged: return [.tellStorefrontChanged]
        case .restoreAsked(let username):
            guard !isRestoring else { return [] }
            isRestoring = true
            return [.restore(username: username)]
        case .restoredAgain(let ids):
            let again = entries.filter { entry in entry.bought.map { ids.contains($0.id) } ?? false }
            return again.isEmpty ? [] : [.tell(again)]
        case .restoreEnded: return endRestore(.tellRestoreFinished)
        case .restoreFailed(let failure): return endRestore(.tellRestoreFailed(failure))
        }
    }

    private mutating func add(_ payment: JournalPayment, _ next: Action?) -> [Action] {
        guard !entries.contains(where: { $0.key == .payment(payment.key) }) else { return [] }
        let entry = QueueEntry(payment)
        insert(entry)
        return [.tell([entry])] + (entry.isOpen ? [next].compactMap(\.self) : [])
    }

    private mutating func insert(_ entry: QueueEntry) {
        let place = entries.lastIndex { $0.number <= entry.number }.map { $0 + 1 } ?? 0
        entries.insert(entry, at: place)
    }

    /// Changes an open payment, and tells of it if that made a difference.
    private mutating func change(_ key: PurchaseKey, _ body: (inout QueueEntry) -> Void) -> [Action] {
        guard let index = entries.firstIndex(where: { $0.key == .payment(key) && $0.isOpen }) else { return [] }
        let former = entries[index]
        body(&entries[index])
        return entries[index] == former ? [] : [.tell([entries[index]])]
    }

    private mutating func fail(_ key: PurchaseKey, _ failure: SessionFailure) -> [Action] {
        change(key) { entry in
            entry.state = .failed
            entry.failure = failure
        }
    }

    private mutating func arrive(_ bought: BoughtTransaction, of key: PurchaseKey?) -> [Action] {
        let payment = key.flatMap { key in entries.firstIndex { $0.key == .payment(key) } }
        guard let payment, entries[payment].isOpen else {
            guard payment == nil, !entries.contains(where: { $0.bought?.id == bought.id }) else { return [] }
            let entry = QueueEntry(bought)
            insert(entry)
            return [.tell([entry])]
        }
        // The transaction came first, while the payment was waiting for it: the app has it already.
        let wasTold = entries.contains { entry in
            entry.bought?.id == bought.id && !entry.isOfPayment && entry.number > entries[payment].number
        }
        if wasTold {
            let gone = entries.remove(at: payment)
            return [.tellRemoved([gone.key])]
        }
        entries[payment].state = .purchased
        entries[payment].bought = bought
        return [.tell([entries[payment]])]
    }

    private mutating func finish(_ key: QueueEntry.Key) -> [Action] {
        guard let entry = entries.first(where: { $0.key == key }), !entry.isOpen else { return [] }
        guard let id = entry.bought?.id else { return remove { $0.key == key } }
        return remove { $0.bought?.id == id } + [.acknowledge]
    }

    private mutating func remove(where isGone: (QueueEntry) -> Bool) -> [Action] {
        let gone = entries.filter(isGone).map(\.key)
        entries.removeAll(where: isGone)
        return gone.isEmpty ? [] : [.tellRemoved(gone)]
    }

    private mutating func endRestore(_ end: Action) -> [Action] {
        guard isRestoring else { return [] }
        isRestoring = false
        return [end]
    }
}

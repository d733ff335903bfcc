package import StoreModel

/// The queue of payments as pure rules: what happened comes in, what is to be told and done goes out.
///
/// What an app is told comes from here alone, and what comes here was written to the journal before: an app can therefore
/// be told nothing that would be forgotten when it ends.
package struct PaymentQueue: Hashable, Sendable {
    /// Everything that is not finished, in the order in which it was added or came.
    package private(set) var entries: [QueueEntry] = []
    /// Whether anybody wants to be told.
    package private(set) var isAttached = false
    /// Whether a restore is under way.
    package private(set) var isRestoring = false

    package init() {}

    /// What can happen.
    // Closed: nobody but the machine switches over them.
    package enum Event: Hashable, Sendable {
        /// Somebody wants to be told from now on.
        case attached
        case detached
        /// The app added a payment, and the journal has it.
        case added(JournalPayment)
        /// A payment of a process that has gone was taken over.
        case adopted(JournalPayment)
        /// A payment waits for something that may take long.
        case deferred(PurchaseKey)
        case failed(PurchaseKey, SessionFailure)
        /// There is a transaction, which the journal has; of a payment, if it is named.
        case arrived(BoughtTransaction, of: PurchaseKey?)
        /// The app wants to finish an entry.
        case finish(QueueEntry.Key)
        /// The journal has no such transaction waiting any more.
        case settled(TransactionID)
        /// The customer lost what was bought.
        case revoked([String])
        case storefrontChanged
        case restoreAsked
        case restoreEnded
        case restoreFailed(SessionFailure)
    }

    /// What is to be done, in this order.
    // Closed: whoever does it must know all.
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
        case restore
        /// Tell the store that a transaction was finished. The journal has that already.
        case acknowledge
        /// Watch the store.
        case follow
    }

    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .attached:
            isAttached = true
            return [.follow]
        case .detached:
            isAttached = false
            return []
        case .added(let payment): return add(payment, .send(payment.key))
        case .adopted(let payment): return add(payment, .resume(payment.key))
        case .deferred(let key): return change(key) { $0.state = .deferred }
        case .failed(let key, let failure):
            return change(key) { entry in
                entry.state = .failed
                entry.failure = failure
            }
        case .arrived(let bought, let key): return arrive(bought, of: key?.description)
        case .finish(let key): return finish(key)
        case .settled(let id): return remove { $0.bought?.id == id }
        case .revoked(let products): return told(.tellRevoked(products))
        case .storefrontChanged: return told(.tellStorefrontChanged)
        case .restoreAsked, .restoreEnded, .restoreFailed: return restore(event)
        }
    }

    private func told(_ action: Action) -> [Action] { isAttached ? [action] : [] }

    private mutating func add(_ payment: JournalPayment, _ road: Action) -> [Action] {
        guard !entries.contains(where: { $0.key == payment.key.description }) else { return [] }
        let entry = QueueEntry(payment: payment)
        insert(entry)
        return told(.tell([entry])) + (entry.isOpen ? [road] : [])
    }

    private mutating func insert(_ entry: QueueEntry) {
        let place = entries.lastIndex { $0.number <= entry.number }.map { $0 + 1 } ?? 0
        entries.insert(entry, at: place)
    }

    /// Changes an open payment, and tells of it if that made a difference.
    private mutating func change(_ key: PurchaseKey, _ body: (inout QueueEntry) -> Void) -> [Action] {
        guard let index = entries.firstIndex(where: { $0.key == key.description && $0.isOpen }) else { return [] }
        let former = entries[index]
        body(&entries[index])
        return entries[index] == former ? [] : told(.tell([entries[index]]))
    }

    private mutating func arrive(_ bought: BoughtTransaction, of key: QueueEntry.Key?) -> [Action] {
        let payment = key.flatMap { key in entries.firstIndex { $0.key == key } }
        guard let payment, entries[payment].isOpen else {
            guard payment == nil, !entries.contains(where: { $0.bought?.id == bought.id }) else { return [] }
            let entry = QueueEntry(bought)
            insert(entry)
            return told(.tell([entry]))
        }
        // The transaction came first, while the payment was waiting for it: the app has it already.
        let wasTold = entries.contains { entry in
            entry.bought?.id == bought.id && !entry.isOfPayment && entry.number > entries[payment].number
        }
        if wasTold {
            let gone = entries.remove(at: payment)
            return told(.tellRemoved([gone.key]))
        }
        entries[payment].state = .purchased
        entries[payment].bought = bought
        return told(.tell([entries[payment]]))
    }

    private mutating func finish(_ key: QueueEntry.Key) -> [Action] {
        guard let entry = entries.first(where: { $0.key == key }), !entry.isOpen else { return [] }
        guard let id = entry.bought?.id else { return remove { $0.key == key } }
        return remove { $0.bought?.id == id } + [.acknowledge]
    }

    private mutating func remove(where isGone: (QueueEntry) -> Bool) -> [Action] {
        let gone = entries.filter(isGone).map(\.key)
        entries.removeAll(where: isGone)
        return gone.isEmpty ? [] : told(.tellRemoved(gone))
    }

    private mutating func restore(_ event: Event) -> [Action] {
        if event == .restoreAsked {
            guard !isRestoring else { return [] }
            isRestoring = true
            return [.restore]
        }
        guard isRestoring else { return [] }
        isRestoring = false
        if case .restoreFailed(let failure) = event { return told(.tellRestoreFailed(failure)) }
        return told(.tellRestoreFinished)
    }
}

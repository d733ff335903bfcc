import Synchronization

extension PaymentDelivery {
    /// Takes in an event, on any thread: objects of new transactions are made now, observers are told later.
    func take(_ event: SessionNews, attachment: Int) {
        let isTaken = state.withLock { state in
            guard state.attachment == attachment else { return false }
            let change = Change(event, in: &state.table)
            switch event {
            case .downloads: carryOut(state.calls.take(change.downloads, at: now()), state)
            case .removed:
                carryOut(state.calls.all(at: now()), state)
                fallthrough
            default: onMain(state) { self.tell(event, change, attachment: attachment) }
            }
            return true
        }
        if !isTaken { leave(event) }
    }

    /// Tells of downloads, now or later. Called under the lock of the state.
    private func carryOut(_ step: DownloadCalls.Step, _ state: borrowing State) {
        let attachment = state.attachment
        switch step {
        case .tell(let changed):
            onMain(state) { self.tell(.downloads([]), Change(changed), attachment: attachment) }
        case .wait(let milliseconds, let round):
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(Int(milliseconds))) { [weak self] in
                guard let self else { return }
                self.state.withLock { state in
                    guard state.attachment == attachment else { return }
                    self.carryOut(state.calls.due(round, at: self.now()), state)
                }
            }
        case .nothing: break
        }
    }

    /// The objects that an event is about.
    struct Change: Sendable {
        var objects: [SKPaymentTransaction] = []
        var downloads: [DownloadCalls.Changed] = []

        init(_ downloads: [DownloadCalls.Changed]) { self.downloads = downloads }

        init(_ event: SessionNews, in table: inout TransactionTable) {
            switch event {
            case .attached(let entries): objects = table.replace(with: entries.filter(\.isListed))
            case .updated(let entries): objects = entries.filter(\.isListed).map { table.object(for: $0) }
            case .removed(let keys):
                objects = keys.compactMap { table.remove($0) }
                for object in objects { object.isFinished = true }
            case .downloads(let entries):
                let known = table.all.compactMap(\.download)
                // Another process of the app may have transactions that this one does not know.
                downloads = entries.compactMap { entry in
                    known.first { $0.entry?.transaction == entry.transaction }
                        .map { DownloadCalls.Changed(download: $0, entry: entry) }
                }
            default: break
            }
        }
    }

    /// Tells of an event, on the main queue.
    private func tell(_ event: SessionNews, _ change: Change, attachment: Int) {
        guard state.withLock({ $0.attachment == attachment }), let queue else {
            leave(event)
            return
        }
        switch event {
        case .attached(let entries):
            for (object, entry) in zip(change.objects, entries.filter(\.isListed)) { object.update(entry) }
            let observers = state.withLock { $0.entries }
            // Those that were greeted already heard of another engine's transactions.
            for observer in observers { observer.isGreeted = false }
            greet(observers, with: Self.told(change.objects, entries.filter(\.isListed)))
        case .updated(let entries):
            let changed = zip(change.objects, entries.filter(\.isListed)).filter { !$0.0.isFinished }
            for (object, entry) in changed { object.update(entry) }
            let told = changed.filter { $0.1.audience != .modern }.map(\.0)
            if !told.isEmpty { forEachObserver { $0.paymentQueue(queue, updatedTransactions: told) } }
        case .removed:
            guard !change.objects.isEmpty else { return }
            forEachObserver { $0.paymentQueue(queue, removedTransactions: change.objects) }
        case .downloads:
            for changed in change.downloads { changed.download.update(changed.entry) }
            let changed = change.downloads.map(\.download)
            if !changed.isEmpty { forEachObserver { $0.paymentQueue(queue, updatedDownloads: changed) } }
        case .restoreFinished:
            forEachObserver { $0.paymentQueueRestoreCompletedTransactionsFinished(queue) }
        case .restoreFailed(let failure):
            let error = SKError(failure)
            forEachObserver { $0.paymentQueue(queue, restoreCompletedTransactionsFailedWithError: error) }
        case .promoted(let product, let settled): offer(product, settled, queue)
        case .storefrontChanged, .revoked: news(event, queue)
        case .heard: break
        case .shouldContinue, .shouldShowPriceConsent:
            ask(event, queue)
        }
    }

    /// The objects that observers are told of.
    private static func told(_ objects: [SKPaymentTransaction], _ entries: [QueueEntry]) -> [SKPaymentTransaction] {
        zip(objects, entries).filter { $0.1.audience != .modern }.map(\.0)
    }

    /// Tells observers that were just added of everything unfinished, and of what no observer was told yet.
    func greet(_ entries: [ObserverEntry], with objects: [SKPaymentTransaction]) {
        guard let queue else { return }
        var greeted = false
        for entry in entries where !entry.isGreeted && isPresent(entry) {
            entry.isGreeted = true
            greeted = true
            let pending = objects.filter { !$0.isFinished }
            if !pending.isEmpty { entry.observer?.paymentQueue(queue, updatedTransactions: pending) }
        }
        guard greeted else { return }
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for event in held {
            if case .promoted(let product, let settled) = event {
                offer(product, settled, queue)
            } else {
                news(event, queue)
            }
        }
    }

    /// Asks whether a purchase that was begun outside the app is wanted now; it waits until an observer decides.
    private func offer(
        _ product: ProductRecord, _ settled: @escaping @Sendable () -> Void, _ queue: SKPaymentQueue
    ) {
        let wanted = Payment(product.identifier)
        var (isDecided, isWanted) = (false, false)
        forEachObserver { observer in
            state.withLock { $0.isUndecided = false }
            let payment = SKPayment(wanted)
            let isBought = observer.paymentQueue(
                queue, shouldAddStorePayment: payment, for: SKProduct(record: product))
            guard !state.withLock({ $0.isUndecided }) else { return }
            isDecided = true
            isWanted = isWanted || isBought
        }
        guard isDecided else {
            return state.withLock { $0.held.append(.promoted(product, settled: settled)) }
        }
        // The payment is in the journal before the promotion is forgotten.
        if isWanted { session.add(wanted) }
        settled()
    }

    /// The observer that is being asked does not decide on purchases that were begun outside the app.
    func leaveUndecided() { state.withLock { $0.isUndecided = true } }

    /// Tells what must not be lost: it waits if there is no observer.
    private func news(_ event: SessionNews, _ queue: SKPaymentQueue) {
        var isTold = false
        forEachObserver { observer in
            isTold = true
            switch event {
            case .storefrontChanged: observer.paymentQueueDidChangeStorefront(queue)
            case .revoked(let identifiers):
                observer.paymentQueue(queue, didRevokeEntitlementsForProductIdentifiers: identifiers)
            default: break
            }
        }
        if !isTold { state.withLock { $0.held.append(event) } }
    }

    /// Asks the delegate; without one the answer is yes.
    private func ask(_ event: SessionNews, _ queue: SKPaymentQueue) {
        switch event {
        case .shouldContinue(let key, let storefront, let answer):
            guard let delegate = queue.delegate, let transaction = state.withLock({ $0.table[key] }) else {
                answer(true)
                return
            }
            answer(delegate.paymentQueue(queue, shouldContinue: transaction, in: SKStorefront(storefront)))
        case .shouldShowPriceConsent(let answer):
            answer(queue.delegate?.paymentQueueShouldShowPriceConsent(queue) ?? true)
        default: break
        }
    }

    /// Does with an event of an attachment that is over what must be done all the same.
    private func leave(_ event: SessionNews) {
        switch event {
        case .promoted, .storefrontChanged, .revoked: state.withLock { $0.held.append(event) }
        case .shouldContinue(_, _, let answer), .shouldShowPriceConsent(let answer): answer(true)
        default: break
        }
    }

    /// Calls each observer that is still there when its turn comes.
    private func forEachObserver(_ body: (any SKPaymentTransactionObserver) -> Void) {
        for entry in state.withLock({ $0.entries }) where entry.isGreeted && isPresent(entry) {
            if let observer = entry.observer { body(observer) } else { detachIfUnobserved() }
        }
    }

    private func isPresent(_ entry: ObserverEntry) -> Bool {
        state.withLock { state in state.entries.contains { $0 === entry } }
    }
}

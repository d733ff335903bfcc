import StoreHTTPClient
import StoreModel
import StoreSigning

/// What the session tells the store, and gets from it, without anybody asking.
extension DeviceSession {
    /// How many receipts are asked for at once.
    private static let receiptsAtOnce = 4

    /// Watches the store for as long as the task runs and this process has the lease.
    func watchStore() async {
        var failures = 0
        while !Task.isCancelled {
            guard lease.take() else {
                await bell.wait(upTo: SessionLimits.leaseInquiry, sleep: settings.retries.wait)
                continue
            }
            takeOver()
            do throws(ConnectionError) {
                try await follow()
                failures = 0
            } catch {
                guard error.kind != .cancelled else { return }
                if error.status == 410 {
                    try? journal.set([.cursor: nil])
                    if failures == 0 {
                        failures += 1
                        continue
                    }
                }
                failures += 1
                trouble.note(error)
                var policy = settings.retries
                policy.attempts = .max
                let delay = policy.delay(afterFailures: failures, retryAfter: error.retryAfter)
                await bell.wait(upTo: delay ?? SessionLimits.longestDelay, sleep: policy.wait)
            }
        }
    }

    /// Looks after what other processes have left behind.
    private func takeOver() {
        presence.sweep()
        for payment in (try? journal.payments()) ?? [] where !presence.isAlive(payment.owner) {
            guard payment.state != .purchased,
                (try? journal.adopt(payment.key, of: payment.owner, by: presence.name)) == true
            else { continue }
            handle(.adopted(payment))
        }
        bringUpToDate(all: true)
    }

    /// One round: says what is to be said, and waits for news.
    private func follow() async throws(ConnectionError) {
        try await device.prepare()
        if !receipt.isThere { try await receipt.renew() }
        guard device.answer?.isSignedIn == true else {
            await bell.wait(upTo: SessionLimits.signInInquiry, sleep: settings.retries.wait)
            if Task.isCancelled { throw .abandoned }
            _ = try await device.device()
            return
        }
        await tellFinishes()
        guard let cursor = try? journal.value(.cursor) else { return try await readEverything() }
        guard let page = try await news(after: cursor) else { return }
        try await take(page, after: cursor)
        // Whoever looks after the store may have moved the account to another storefront.
        if page.events.isEmpty { _ = try await device.device() }
    }

    /// Takes in everything that has happened until now: when this returns, the journal has it, whoever is attached was told,
    /// and the store knows what was finished.
    package func catchUp() async throws(ConnectionError) {
        try await device.prepare()
        // Without the lease nobody would be told of what came of no payment.
        if isAttached, !lease.isHeld, lease.take() { takeOver() }
        _ = try await device.device()
        await tellFinishes()
        var isBehind = device.answer?.isSignedIn == true
        while isBehind, !Task.isCancelled {
            guard let cursor = try? journal.value(.cursor) else {
                try await readEverything()
                continue
            }
            do throws(ConnectionError) {
                let page = try await device.events(after: cursor, wait: 0)
                try await take(page, after: cursor)
                // The task that watches the store may have been faster, and then nothing was kept here.
                isBehind = page.hasMore || (try? journal.value(.cursor)) != page.cursor
            } catch {
                guard error.status == 410 else { throw error }
                try? journal.set([.cursor: nil])
            }
        }
        await renewReceipt()
    }

    /// What happened after a place; nil if something here is to be looked at first.
    private func news(after cursor: String) async throws(ConnectionError) -> EventsAnswer? {
        let known = device.answer
        let outcome = await withTaskGroup(of: Result<EventsAnswer, ConnectionError>?.self) { group in
            group.addTask {
                do throws(ConnectionError) {
                    return .success(try await self.device.events(after: cursor, wait: ConnectionLimits.news))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                repeat {
                    await self.bell.wait()
                    if !Task.isCancelled { self.takeOver() }
                } while !Task.isCancelled && self.isQuiet(after: cursor, known)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        return try outcome?.get()
    }

    /// Whether whoever waits for news may go on waiting: nothing is to be said first, and nothing else to be asked for.
    private func isQuiet(after cursor: String, _ known: DeviceAnswer?) -> Bool {
        (try? journal.finishes())?.isEmpty == true && (try? journal.value(.cursor)) == cursor && device.answer == known
    }

    /// Takes in a page of events: what they tell and the place after them become part of the journal together.
    private func take(_ page: EventsAnswer, after cursor: String) async throws(ConnectionError) {
        var found: [JournalTransaction] = []
        for event in page.events {
            // What was restored to another device is of no interest here.
            guard let signed = event.signedTransaction, event.isOwn || event.restoredTransactionId == nil,
                let payload = verified(signed)
            else { continue }
            let original = event.restoredTransactionId.map { (try? journal.transaction($0)?.signed) ?? signed }
            found.append(
                JournalTransaction(
                    id: payload.transactionId, signed: signed, originalSigned: original,
                    payment: event.purchaseKey, state: event.isFinished == true ? .finished : .waiting,
                    isRevoked: payload.revocationDate != nil))
        }
        if found.contains(where: { $0.originalSigned != nil }) { await untilRestored() }
        let news = found
        try await arrivals.take { () async -> Result<Void, ConnectionError> in
            let complete = await self.withNewReceipts(news)
            return Result { () throws(ConnectionError) in
                try self.keep(complete, cursor: page.cursor, after: cursor)
            }
        }.get()
    }

    /// The transactions with their receipts; the receipt of the app tells of them by then, too.
    func withNewReceipts(_ transactions: [JournalTransaction]) async -> [JournalTransaction] {
        let hasNews = transactions.contains(where: isNews)
        async let renewal: Void = hasNews ? renewReceipt() : ()
        let complete = await withReceipts(transactions)
        await renewal
        return complete
    }

    /// Whether a transaction changes what the journal knows, or its receipts were not to be had before.
    private func isNews(_ transaction: JournalTransaction) -> Bool {
        guard let known = try? journal.transaction(transaction.id) else { return true }
        let isIncomplete = known.state == .waiting && (transaction.state != .waiting || known.receipt == nil)
        return isIncomplete || known.isRevoked != transaction.isRevoked
    }

    /// Reads everything that the store has of the customer, in the place of what the journal has.
    private func readEverything() async throws(ConnectionError) {
        var (found, cursor, last): ([JournalTransaction], String?, TransactionID?) = ([], nil, nil)
        var restored: [TransactionID: TransactionID] = [:]
        var isWhole = false
        // What is not believed today may be with other roots.
        var areAllBelieved = true
        let change = (try? journal.lastChange()) ?? .max
        for _ in 0..<SessionLimits.pages {
            let page = try await device.transactions(after: last)
            // The first place counts: what happened since is told again.
            cursor = cursor ?? page.cursor
            let unfinished = Set(page.unfinished)
            let keys = Dictionary(page.purchases.map { ($0.transactionId, $0.purchaseKey) }) { $1 }
            for link in page.restored { restored[link.transactionId] = link.restoredTransactionId }
            for signed in page.signedTransactions {
                guard let payload = verified(signed) else {
                    areAllBelieved = false
                    continue
                }
                last = payload.transactionId
                found.append(
                    JournalTransaction(
                        id: payload.transactionId, signed: signed, payment: keys[payload.transactionId],
                        state: unfinished.contains(payload.transactionId) ? .waiting : .finished,
                        isRevoked: payload.revocationDate != nil))
            }
            isWhole = areAllBelieved && !page.hasMore
            guard page.hasMore, last != nil else { break }
        }
        let signed = Dictionary(found.map { ($0.id, $0.signed) }) { $1 }
        for index in found.indices {
            let copy = found[index]
            found[index].originalSigned = restored[copy.id].map { signed[$0] ?? copy.signed }
        }
        await renewReceipt()
        if !restored.isEmpty { await untilRestored() }
        do {
            try journal.replaceAll(await withReceipts(found), isWhole: isWhole, cursor: cursor ?? "", since: change)
        } catch {
            throw .journal(error)
        }
        bringUpToDate()
        presence.wakeOthers()
    }

    private func keep(
        _ transactions: [JournalTransaction], cursor: String, after former: String
    ) throws(ConnectionError) {
        do {
            try journal.store(transactions, cursor: cursor, after: former)
        } catch {
            throw .journal(error)
        }
        bringUpToDate()
        if !transactions.isEmpty { presence.wakeOthers() }
    }

    /// The transactions with their receipts, as far as these are to be had; an app that needs one asks again.
    func withReceipts(_ transactions: [JournalTransaction]) async -> [JournalTransaction] {
        var (complete, next) = (transactions, 0)
        await withTaskGroup(of: (Int, [UInt8]?).self) { group in
            func begin() {
                while next < transactions.count {
                    let (index, transaction) = (next, transactions[next])
                    next += 1
                    guard transaction.state == .waiting, (try? journal.transaction(transaction.id)?.receipt) == nil
                    else { continue }
                    return group.addTask { [device] in
                        let answer = try? await device.receipt(of: transaction.id)
                        return (index, answer.flatMap { Base64.decode($0.receipt) })
                    }
                }
            }
            for _ in 0..<Self.receiptsAtOnce { begin() }
            while let (index, receipt) = await group.next() {
                complete[index].receipt = receipt
                begin()
            }
        }
        return complete
    }

    /// Gets the receipt of the app anew; one that is not to be had now is got with the next occasion.
    func renewReceipt() async {
        do throws(ConnectionError) {
            try await receipt.renew()
        } catch {
            if error.kind == .malformed { settings.report("\(error)") }
        }
    }

    /// Tells the store of everything that the app has finished, until it has heard.
    package func tellFinishes() async {
        // Who has joined a round that was about to end may have finished something since.
        while (try? await tellFinishesOnce()) != nil, (try? journal.finishes())?.isEmpty == false, !Task.isCancelled {}
    }

    private func tellFinishesOnce() async throws(ConnectionError) {
        try await finishing.run { [self] () async throws(ConnectionError) in
            var isAny = false
            while let id = (try? journal.finishes())?.first, !Task.isCancelled {
                do throws(ConnectionError) {
                    try await repeating { () async throws(ConnectionError) in try await self.device.finish(id) }
                } catch {
                    // A transaction that the store does not know there is nothing to be told of.
                    guard error.status == 404 else { throw error }
                }
                try? journal.acknowledge(id)
                isAny = true
            }
            if isAny { await renewReceipt() }
        }
    }
}

extension ConnectionError {
    static func journal(_ error: any Error) -> ConnectionError {
        ConnectionError(.unavailable, code: "journal", "The journal of purchases cannot be written: \(error)")
    }
}

import StoreModel
import StoreSigning

/// Transactions on their way into the journal, with the place in the events that is kept together with them.
struct Delivery: Sendable {
    // Closed: the three sources of transactions.
    enum Place: Sendable {
        /// An answer to a request: the events tell of it too, and what they find in the journal stays.
        case answer
        /// A page of events.
        case events(after: String, to: String, withdrawn: [TransactionID], isPriceHigher: Bool)
        /// Everything that the store has of the customer, asked for after a change of the journal.
        case everything(isWhole: Bool, to: String, since: Int64)
    }

    var transactions: [JournalTransaction]
    var place: Place
}

/// The one way of transactions into the journal.
///
/// The answer to a payment or a restore and the events tell of the same transaction in any order. Both become deliveries,
/// these are taken in one after the other, and the journal keeps what it knows: the result does not depend on the order.
extension DeviceSession {
    /// Keeps a delivery with its receipts, and tells what is new. When this returns, the journal has it.
    func take(_ delivery: Delivery) async throws(ConnectionError) {
        try await deliveries.run { () async -> Result<Void, ConnectionError> in
            let transactions: [JournalTransaction]
            do throws(ConnectionError) {
                // Both wait for the store.
                async let contents = self.hostedContents(of: delivery.transactions)
                var complete = await self.withReceipts(delivery)
                let known = try await contents.get()
                for index in complete.indices { complete[index].content = known[complete[index].id] }
                transactions = complete
            } catch {
                return .failure(error)
            }
            do {
                try self.keep(transactions, delivery.place)
            } catch {
                return .failure(.journal(error))
            }
            // An answer to a payment says nothing of what happened elsewhere.
            if case .answer = delivery.place {} else { self.noteHeard() }
            self.bringUpToDate()
            self.askAboutPrices()
            if case .events(_, _, let withdrawn, false) = delivery.place, transactions.isEmpty, withdrawn.isEmpty {
                return .success(())
            }
            self.presence.wakeOthers()
            return .success(())
        }.get()
    }

    private func keep(_ transactions: [JournalTransaction], _ place: Delivery.Place) throws {
        switch place {
        case .answer: try journal.store(transactions)
        case .events(let former, let cursor, let withdrawn, let isPriceHigher):
            try journal.store(
                transactions, withdrawn: withdrawn, cursor: cursor, after: former, isPriceHigher: isPriceHigher)
        case .everything(let isWhole, let cursor, let change):
            try journal.replaceAll(transactions, isWhole: isWhole, cursor: cursor, since: change)
        }
    }

    /// The store has heard of this device: what waits for the app is its own for a while, and what was held back until now may
    /// be told.
    private func noteHeard() {
        let (now, patience) = (settings.wall(), Int64(device.answer?.patience ?? 0))
        let until = (try? journal.value(.ownUntil)).flatMap { $0 }.flatMap { Int64($0) } ?? 0
        // Short of the store's own time, which may have heard of it a moment earlier.
        let (early, late) = (now + .seconds(patience * 7 / 10), now + .seconds(patience * 8 / 10))
        if until < early.millisecondsSinceEpoch {
            try? journal.set([.ownUntil: "\(late.millisecondsSinceEpoch)"], isDurable: false)
        }
        letGo()
    }

    // MARK: What answers and events deliver

    func delivery(of answer: PurchaseAnswer, to payment: JournalPayment) throws(ConnectionError) -> Delivery {
        guard let signed = answer.signedTransaction, let bought = transaction(signed, payment: payment.key) else {
            throw ConnectionError(
                .refused(status: 200), code: "signature_untrusted",
                "The store's signature is not one that the provisioning profile knows; it may need renewing.")
        }
        return Delivery(transactions: [bought], place: .answer)
    }

    func delivery(of answer: RestorationAnswer) -> Delivery {
        let restored = answer.restored.compactMap { restored -> JournalTransaction? in
            guard let original = verified(restored.originalSignedTransaction) else { return nil }
            return transaction(
                restored.signedTransaction,
                restoring: (original.transactionId, restored.originalSignedTransaction))
        }
        return Delivery(transactions: restored, place: .answer)
    }

    func delivery(of page: EventsAnswer, after cursor: String) -> Delivery {
        let found = page.events.compactMap { event -> JournalTransaction? in
            // What was restored to another device is of no interest here.
            guard let signed = event.signedTransaction, event.isOwn || event.restoredTransactionId == nil else {
                return nil
            }
            return transaction(
                signed, payment: event.purchaseKey, isFinished: event.isFinished == true,
                restoring: event.restoredTransactionId.map { ($0, (try? journal.transaction($0))?.signed ?? signed) })
        }
        let withdrawn = page.events.compactMap(\.withdrawnTransactionId)
        let isPriceHigher = page.events.contains { $0.kind == .priceConsent }
        return Delivery(
            transactions: found,
            place: .events(after: cursor, to: page.cursor, withdrawn: withdrawn, isPriceHigher: isPriceHigher))
    }

    /// Reads everything that the store has of the customer, in the place of what the journal has.
    func readEverything() async throws(ConnectionError) {
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
                guard var bought = transaction(signed) else {
                    areAllBelieved = false
                    continue
                }
                last = bought.id
                bought.payment = keys[bought.id]
                bought.state = unfinished.contains(bought.id) ? .waiting : .finished
                found.append(bought)
            }
            isWhole = areAllBelieved && !page.hasMore
            guard page.hasMore, last != nil else { break }
        }
        let signed = Dictionary(found.map { ($0.id, $0.signed) }) { $1 }
        for (index, copy) in found.enumerated() where restored[copy.id] != nil {
            guard let original = restored[copy.id] else { continue }
            found[index] =
                transaction(
                    copy.signed, isFinished: copy.state == .finished,
                    restoring: (original, signed[original] ?? copy.signed)) ?? copy
        }
        try await take(
            Delivery(
                transactions: found, place: .everything(isWhole: isWhole, to: cursor ?? "", since: change)))
    }

    /// A transaction for the journal; nil, with a line for the developer, if its signature is not good.
    ///
    /// - Parameter original: the transaction that this one restores.
    private func transaction(
        _ signed: String, payment: PurchaseKey? = nil, isFinished: Bool = false,
        restoring original: (id: TransactionID, signed: String)? = nil
    ) -> JournalTransaction? {
        guard let payload = verified(signed) else { return nil }
        return JournalTransaction(
            id: payload.transactionId, signed: signed, originalSigned: original?.signed, payment: payment,
            username: original.flatMap { restoredName(of: payload, for: $0.id) },
            state: isFinished ? .finished : .waiting, isRevoked: payload.revocationDate != nil)
    }

    /// What a signed transaction says, if it is good; a line for the developer if it is not.
    private func verified(_ signed: String) -> TransactionPayload? {
        do {
            return try settings.profile.payload(of: signed)
        } catch {
            settings.report("a transaction of the store cannot be believed: \(error)")
            return nil
        }
    }

    // MARK: Content

    /// What the store hosts for transactions that are new to the app, asked before it hears of them: it may look at once whether
    /// there is something to download.
    private func hostedContents(
        of transactions: [JournalTransaction]
    ) async -> Result<[TransactionID: DownloadableContent], ConnectionError> {
        let ids = transactions.filter(mayHaveContent).map(\.id)
        var found: [TransactionID: DownloadableContent] = [:]
        do throws(ConnectionError) {
            for start in stride(from: 0, to: ids.count, by: HostedContentsRequest.longest) {
                let page = Array(ids[start..<min(start + HostedContentsRequest.longest, ids.count)])
                let answers = try await repeating { () async throws(ConnectionError) in
                    try await self.device.hostedContents(page)
                }
                for answer in answers {
                    found[answer.transactionId] = DownloadableContent(
                        version: answer.contentVersion.text, length: answer.contentLength)
                }
            }
            return .success(found)
        } catch {
            return .failure(error)
        }
    }

    private func mayHaveContent(_ transaction: JournalTransaction) -> Bool {
        guard transaction.state == .waiting, !transaction.isRevoked,
            (try? settings.profile.payload(of: transaction.signed))?.type == .nonConsumable
        else { return false }
        return (try? journal.transaction(transaction.id))?.state != .waiting
    }

    // MARK: Receipts

    /// The transactions of a delivery with their receipts; the receipt of the app tells of them by then, too.
    private func withReceipts(_ delivery: Delivery) async -> [JournalTransaction] {
        let isEverything = if case .everything = delivery.place { true } else { false }
        let hasNews = isEverything || delivery.transactions.contains(where: isNews)
        async let renewal: Void = hasNews ? renewReceipt() : ()
        let complete = await withReceipts(delivery.transactions)
        await renewal
        return complete
    }

    /// Whether a transaction changes what the journal knows, or its receipts were not to be had before. What was restored is
    /// in the receipt of the app as what it restores.
    private func isNews(_ transaction: JournalTransaction) -> Bool {
        guard transaction.originalSigned == nil else { return false }
        guard let known = try? journal.transaction(transaction.id) else { return true }
        let isIncomplete = known.state == .waiting && (transaction.state != .waiting || known.receipt == nil)
        return isIncomplete || known.isRevoked != transaction.isRevoked || expiry(of: known) != expiry(of: transaction)
    }

    /// The end of the period of a subscription, which the sandbox may cut short.
    private func expiry(of transaction: JournalTransaction) -> Instant? {
        (try? settings.profile.payload(of: transaction.signed))?.expiresDate
    }

    /// The transactions with their receipts, as far as these are to be had; an app that needs one asks again.
    private func withReceipts(_ transactions: [JournalTransaction]) async -> [JournalTransaction] {
        var (complete, wanted) = (transactions, [TransactionID]())
        var originals: [TransactionID: TransactionID] = [:]
        for transaction in transactions where transaction.state == .waiting {
            let known = try? journal.transaction(transaction.id)
            if known?.receipt == nil { wanted.append(transaction.id) }
            guard known?.originalReceipt == nil, let original = original(of: transaction) else { continue }
            originals[transaction.id] = original
            wanted.append(original)
        }
        let receipts = await receipts(of: wanted)
        for index in complete.indices {
            let id = complete[index].id
            complete[index].receipt = receipts[id]
            complete[index].originalReceipt = originals[id].flatMap { receipts[$0] }
        }
        return complete
    }

    /// The transaction that a restored one stands for, if that is another.
    private func original(of transaction: JournalTransaction) -> TransactionID? {
        let original = transaction.originalSigned.flatMap { try? settings.profile.payload(of: $0) }?.transactionId
        return original == transaction.id ? nil : original
    }

    private func receipts(of ids: [TransactionID]) async -> [TransactionID: [UInt8]] {
        var found: [TransactionID: [UInt8]] = [:]
        for start in stride(from: 0, to: ids.count, by: ReceiptsRequest.longest) {
            let page = Array(ids[start..<min(start + ReceiptsRequest.longest, ids.count)])
            for answer in (try? await device.receipts(of: page)) ?? [] {
                found[answer.transactionId] = Base64.decode(answer.receipt)
            }
        }
        return found
    }

    /// Gets the receipt of the app anew; one that is not to be had now is got with the next occasion.
    func renewReceipt() async {
        do throws(ConnectionError) {
            try await receipt.renew()
        } catch {
            if error.kind == .malformed { settings.report("\(error)") }
        }
    }
}

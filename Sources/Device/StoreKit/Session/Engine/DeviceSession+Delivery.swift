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

    var transactions: [DeliveredTransaction]
    /// What came with them and could not be verified.
    var unverified: [UnverifiedTransaction] = []
    var place: Place
}

/// A transaction that was verified, and how the journal is to keep it.
struct DeliveredTransaction: Sendable {
    let verified: VerifiedTransaction
    /// Of a restored one: the one it stands for, or itself where that is not to be had.
    let original: VerifiedTransaction?
    var row: JournalTransaction
}

/// The one way of transactions into the journal.
///
/// The answer to a payment or a restore and the events tell of the same transaction in any order. Both become deliveries,
/// these are taken in one after the other, and the journal keeps what it knows: the result does not depend on the order.
extension DeviceSession {
    /// Keeps a delivery with its receipts, and tells what is new. When this returns, the journal has it.
    func take(_ delivery: Delivery) async throws(ConnectionError) {
        try await deliveries.run { () async -> Result<Void, ConnectionError> in
            let transactions: [DeliveredTransaction]
            do throws(ConnectionError) {
                // Both wait for the store.
                async let contents = self.hostedContents(of: delivery.transactions)
                var complete = await self.withReceipts(delivery)
                let known = try await contents.get()
                for index in complete.indices {
                    complete[index].row.content = known[complete[index].row.id]
                }
                transactions = complete
            } catch {
                return .failure(error)
            }
            do {
                try self.keep(transactions.map(\.row), delivery)
            } catch {
                return .failure(.journal(error))
            }
            // An answer to a payment says nothing of what happened elsewhere.
            if case .answer = delivery.place {} else { self.noteHeard() }
            self.bringUpToDate()
            if case .answer = delivery.place {} else { self.tellHeard() }
            self.askAboutPrices()
            if case .events(_, _, let withdrawn, false) = delivery.place, transactions.isEmpty, withdrawn.isEmpty {
                return .success(())
            }
            self.presence.wakeOthers()
            return .success(())
        }.get()
    }

    private func keep(_ transactions: [JournalTransaction], _ delivery: Delivery) throws {
        let unverified = delivery.unverified
        switch delivery.place {
        case .answer: try journal.store(transactions)
        case .events(let former, let cursor, let withdrawn, let isPriceHigher):
            try journal.store(
                transactions, withdrawn: withdrawn, cursor: cursor, after: former, isPriceHigher: isPriceHigher,
                unverified: unverified)
        case .everything(let isWhole, let cursor, let change):
            try journal.replaceAll(
                transactions, isWhole: isWhole, cursor: cursor, since: change, unverified: unverified)
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
        guard let signed = answer.signedTransaction, let bought = verified(signed) else {
            throw ConnectionError(
                .refused(status: 200), code: "signature_untrusted",
                "The store's signature is not one that the provisioning profile knows; it may need renewing.")
        }
        return Delivery(transactions: [delivered(bought, payment: payment.key)], place: .answer)
    }

    func delivery(of answer: RestorationAnswer) -> Delivery {
        let restored = answer.restored.compactMap { restored -> DeliveredTransaction? in
            guard let original = verified(restored.originalSignedTransaction),
                let copy = verified(restored.signedTransaction)
            else { return nil }
            return delivered(copy, restoring: (original.payload.transactionId, original))
        }
        return Delivery(transactions: restored, place: .answer)
    }

    func delivery(of page: EventsAnswer, after cursor: String) -> Delivery {
        var unverified: [UnverifiedTransaction] = []
        let found = page.events.compactMap { event -> DeliveredTransaction? in
            // What was restored to another device is of no interest here.
            guard let signed = event.signedTransaction, event.isOwn || event.restoredTransactionId == nil
            else { return nil }
            guard let told = verified(signed) else {
                if event.restoredTransactionId == nil {
                    unverified += [UnverifiedTransaction(signed, isFinished: event.isFinished == true)].compactMap(
                        \.self)
                }
                return nil
            }
            var found = delivered(
                told, payment: event.purchaseKey, isFinished: event.isFinished == true,
                restoring: event.restoredTransactionId.map { ($0, kept($0) ?? told) })
            // It was bought and finished on another device.
            found.row.isNews = !event.isOwn && found.row.state == .finished && found.original == nil
            return found
        }
        let withdrawn = page.events.compactMap(\.withdrawnTransactionId)
        let isPriceHigher = page.events.contains { $0.kind == .priceConsent }
        return Delivery(
            transactions: found, unverified: unverified,
            place: .events(after: cursor, to: page.cursor, withdrawn: withdrawn, isPriceHigher: isPriceHigher))
    }

    /// Reads everything that the store has of the customer, in the place of what the journal has.
    func readEverything() async throws(ConnectionError) {
        var (found, cursor, last): ([DeliveredTransaction], String?, TransactionID?) = ([], nil, nil)
        var restored: [TransactionID: TransactionID] = [:]
        var unverified: [UnverifiedTransaction] = []
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
                guard let told = verified(signed) else {
                    areAllBelieved = false
                    if let one = UnverifiedTransaction(signed), unfinished.contains(one.id), restored[one.id] == nil {
                        unverified.append(one)
                    }
                    continue
                }
                let id = told.payload.transactionId
                last = id
                found.append(delivered(told, payment: keys[id], isFinished: !unfinished.contains(id)))
            }
            isWhole = areAllBelieved && !page.hasMore
            guard page.hasMore, last != nil else { break }
        }
        let known = Dictionary(found.map { ($0.row.id, $0.verified) }) { $1 }
        for (index, copy) in found.enumerated() {
            guard let original = restored[copy.row.id] else { continue }
            found[index] = delivered(
                copy.verified, isFinished: copy.row.state == .finished,
                restoring: (original, known[original] ?? copy.verified))
        }
        try await take(
            Delivery(
                transactions: found, unverified: unverified,
                place: .everything(isWhole: isWhole, to: cursor ?? "", since: change)))
    }

    /// A transaction for the journal.
    ///
    /// - Parameter original: the transaction that this one restores.
    private func delivered(
        _ transaction: VerifiedTransaction, payment: PurchaseKey? = nil, isFinished: Bool = false,
        restoring original: (id: TransactionID, transaction: VerifiedTransaction)? = nil
    ) -> DeliveredTransaction {
        let payload = transaction.payload
        return DeliveredTransaction(
            verified: transaction, original: original?.transaction,
            row: JournalTransaction(
                id: payload.transactionId, signed: transaction.signed, originalSigned: original?.transaction.signed,
                payment: payment, username: original.flatMap { restoredName(of: payload, for: $0.id) },
                state: isFinished ? .finished : .waiting, isRevoked: payload.revocationDate != nil,
                // What was finished elsewhere this device has only if it is owned.
                wasHad: !isFinished || !payload.isForOneDevice))
    }

    /// A transaction that the journal has, if its signature is good.
    private func kept(_ id: TransactionID) -> VerifiedTransaction? {
        (try? journal.transaction(id)).flatMap { try? verifier.verified($0.signed) }
    }

    /// A signed transaction, if its signature is good; nil, with a line for the developer, if it is not.
    func verified(_ signed: String) -> VerifiedTransaction? {
        do {
            return try verifier.verified(signed)
        } catch {
            settings.report("a transaction of the store cannot be believed: \(error)")
            return nil
        }
    }

    // MARK: Content

    /// What the store hosts for transactions that are new to the app, asked before it hears of them: it may look at once whether
    /// there is something to download.
    private func hostedContents(
        of transactions: [DeliveredTransaction]
    ) async -> Result<[TransactionID: DownloadableContent], ConnectionError> {
        let ids = transactions.filter(mayHaveContent).map(\.row.id)
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

    private func mayHaveContent(_ transaction: DeliveredTransaction) -> Bool {
        let row = transaction.row
        guard row.state == .waiting, !row.isRevoked, transaction.verified.payload.type == .nonConsumable else {
            return false
        }
        return (try? journal.transaction(row.id))?.state != .waiting
    }

    // MARK: Receipts

    /// The transactions of a delivery with their receipts; the receipt of the app tells of them by then, too.
    private func withReceipts(_ delivery: Delivery) async -> [DeliveredTransaction] {
        let isEverything = if case .everything = delivery.place { true } else { false }
        let hasNews = isEverything || delivery.transactions.contains(where: isNews)
        async let renewal: Void = hasNews ? renewReceipt() : ()
        let complete = await withReceipts(delivery.transactions)
        await renewal
        return complete
    }

    /// Whether a transaction changes what the journal knows, or its receipts were not to be had before. What was restored is
    /// in the receipt of the app as what it restores.
    private func isNews(_ transaction: DeliveredTransaction) -> Bool {
        guard transaction.original == nil else { return false }
        let row = transaction.row
        guard let known = try? journal.transaction(row.id) else { return true }
        let isIncomplete = known.state == .waiting && (row.state != .waiting || known.receipt == nil)
        return isIncomplete || known.isRevoked != row.isRevoked || hasOtherEnd(transaction, than: known)
    }

    /// Whether a period of a subscription ends at another time than is known: the sandbox may cut it short.
    private func hasOtherEnd(_ transaction: DeliveredTransaction, than known: JournalTransaction) -> Bool {
        guard known.signed != transaction.verified.signed else { return false }
        return (try? verifier.verified(known.signed))?.payload.expiresDate != transaction.verified.payload.expiresDate
    }

    /// The transactions with their receipts, as far as these are to be had; an app that needs one asks again.
    private func withReceipts(_ transactions: [DeliveredTransaction]) async -> [DeliveredTransaction] {
        var (complete, wanted) = (transactions, [TransactionID]())
        var originals: [TransactionID: TransactionID] = [:]
        for transaction in transactions where transaction.row.state == .waiting {
            let id = transaction.row.id
            let known = try? journal.transaction(id)
            if known?.receipt == nil { wanted.append(id) }
            // What stands for itself has one receipt.
            guard known?.originalReceipt == nil, let original = transaction.original?.payload.transactionId,
                original != id
            else { continue }
            originals[id] = original
            wanted.append(original)
        }
        let receipts = await receipts(of: wanted)
        for index in complete.indices {
            let id = complete[index].row.id
            complete[index].row.receipt = receipts[id]
            complete[index].row.originalReceipt = originals[id].flatMap { receipts[$0] }
        }
        return complete
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

import Foundation
import StoreFoundation
import StoreHTTPClient
import StoreModel

/// What the modern API asks of the session.
///
/// Transactions are read from the journal, after the store was asked once what is new. Where it cannot be reached, the journal is
/// what the customer has.
extension DeviceSession {
    /// Buys something, and returns when it is decided, or when that may take long.
    ///
    /// The payment is in the journal before anything is sent. Cancelling the task does not end it.
    func purchase(
        _ payment: Payment, mayContinueIn question: (@Sendable (StorefrontAnswer) -> Bool)?
    ) async -> PurchaseOutcome {
        var payment = payment
        payment.source = .modern
        return await withCheckedContinuation { continuation in
            add(payment) { calls, key in calls.wait(for: key, question: question, continuation) }
        }
    }

    /// Finishes a transaction for both APIs. One that is finished stays so.
    func finish(transaction id: TransactionID) {
        if let entry = entries.first(where: { $0.bought?.id == id }) { return finish(entry.key) }
        let isWaiting = (try? journal.transaction(id))?.state == .waiting || unverified().contains { $0.id == id }
        guard isWaiting else { return }
        do {
            try journal.finish(id, by: presence.name)
            bringUpToDate()
            tasks.start { [weak self] in await self?.tellFinishes() }
        } catch {
            settings.report("a transaction could not be finished: \(error)")
        }
        presence.wakeOthers()
    }

    /// Brings the journal up to date with the store, if that can be reached.
    func freshen() async {
        let session = self
        try? await TaskThreads.run(on: settings.executor) { () async throws(ConnectionError) in
            do throws(ConnectionError) {
                try await session.readNews()
            } catch {
                session.trouble.note(error)
            }
        }
    }

    private func readNews() async throws(ConnectionError) {
        guard try await isSignedIn() else { return }
        for _ in 0..<SessionLimits.pages where !Task.isCancelled {
            guard let cursor = try? journal.value(.cursor) else {
                try await readEverything()
                continue
            }
            do throws(ConnectionError) {
                let page = try await device.events(after: cursor, wait: 0)
                if !page.events.isEmpty || page.cursor != cursor { try await take(delivery(of: page, after: cursor)) }
                if !page.hasMore, (try? journal.value(.cursor)) == page.cursor { return }
            } catch {
                guard error.status == 410 else { throw error }
                try? journal.set([.cursor: nil])
            }
        }
    }

    private func isSignedIn() async throws(ConnectionError) -> Bool {
        try await device.prepare()
        if device.answer?.isSignedIn == true { return true }
        return try await device.device().isSignedIn
    }

    /// How the customer's subscriptions stand; what was told last, where the store cannot be reached.
    func subscriptions() async throws(ConnectionError) -> [SubscriptionStatusAnswer] {
        let session = self
        do throws(ConnectionError) {
            return try await TaskThreads.run(on: settings.executor) {
                () async throws(ConnectionError) -> [SubscriptionStatusAnswer] in
                guard try await session.isSignedIn() else { return [] }
                let found = try await session.device.subscriptions()
                if let data = try? JSONEncoder().encode(found) {
                    try? session.journal.set(
                        [.subscriptions: String(decoding: data, as: UTF8.self)], isDurable: false)
                }
                return found
            }
        } catch {
            trouble.note(error)
            guard error.isTemporary, let kept = try? journal.value(.subscriptions),
                let known = try? JSONDecoder().decode([SubscriptionStatusAnswer].self, from: Data(kept.utf8))
            else { throw error }
            return known
        }
    }

    /// The download of the app as the store signed it; asked for anew if it is not known, or if that is wanted.
    func appTransaction(anew: Bool) async throws(ConnectionError) -> String {
        if !anew, let kept = try? journal.value(.appTransaction) { return kept }
        let session = self
        return try await TaskThreads.run(on: settings.executor) { () async throws(ConnectionError) -> String in
            let signed = try await session.repeating { () async throws(ConnectionError) in
                try await session.device.prepare()
                return try await session.device.appTransaction()
            }
            try? session.journal.set([.appTransaction: signed], isDurable: false)
            return signed
        }
    }

    /// Reads everything that the store has of the customer anew, after a question who that is if nobody is signed in.
    ///
    /// - Returns: why nobody is; nil if all was read.
    func synchronize() async throws(ConnectionError) -> SessionFailure? {
        let session = self
        return try await TaskThreads.run(on: settings.executor) { () async throws(ConnectionError) -> SessionFailure? in
            try await session.repeating { () async throws(ConnectionError) in try await session.device.prepare() }
            if let obstacle = try await session.requireSignIn() { return obstacle }
            await session.tellFinishes()
            try await session.repeating { () async throws(ConnectionError) in try await session.readEverything() }
            await session.renewReceipt()
            return nil
        }
    }

    /// Asks the store for money back.
    func askForRefund(of id: TransactionID, because reason: RefundRequestReason) async throws(ConnectionError) {
        let session = self
        try await TaskThreads.run(on: settings.executor) { () async throws(ConnectionError) in
            try await session.repeating { () async throws(ConnectionError) in
                try await session.device.prepare()
                try await session.device.askForRefund(of: id, because: reason)
            }
        }
    }

    /// Products with all that the store says of them.
    func listings(of identifiers: Set<String>) async throws(ConnectionError) -> [ProductListingAnswer] {
        let session = self
        let ids = identifiers.sorted()
        do throws(ConnectionError) {
            return try await TaskThreads.run(on: settings.executor) {
                () async throws(ConnectionError) -> [ProductListingAnswer] in
                var found = ProductsAnswer(products: [], invalid: [])
                for start in stride(from: 0, to: ids.count, by: ProductsRequest.longest) {
                    let page = Array(ids[start..<min(start + ProductsRequest.longest, ids.count)])
                    let answer = try await session.withinTime { () async throws(ConnectionError) in
                        try await session.device.prepare()
                        return try await session.device.products(page)
                    }
                    found.products += answer.products
                    found.invalid += answer.invalid
                }
                session.report(found.invalid)
                return found.products
            }
        } catch {
            trouble.note(error)
            throw error
        }
    }

    /// Opens a page of the store in the browser, or says where it is.
    func open(_ path: String, _ text: String) async {
        let address = "\(settings.profile.content.storeUrl)\(path)"
        if let open = settings.openPage, open(address) { return }
        await settings.prompt.tell(PromptNotice(text, address: address))
    }
}

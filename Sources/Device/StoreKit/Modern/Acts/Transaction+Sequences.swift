import StoreModel

/// Which transactions a sequence is about.
// Closed: there are these sequences.
enum TransactionSource: Hashable, Sendable {
    case updates
    case unfinished
    case all(String?)
    case entitlements(String?)
}

extension Transaction {
    /// Transactions, each with what came of verifying it.
    public struct Transactions: AsyncSequence, Sendable {
        /// A transaction that is verified, or is not.
        public typealias Element = VerificationResult<Transaction>

        let source: TransactionSource

        /// Reads the sequence from now on.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source) }

        /// Reads a sequence of transactions. It ends when its task is cancelled.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let source: TransactionSource
            private let session: any OriginalSession
            private var reader: UpdateReader?
            /// Lets the engine work while what is unfinished is asked for, which it brings.
            private var reading: TransactionDelivery.Reading?
            private var rows: ArraySlice<String>?

            init(_ source: TransactionSource) {
                self.source = source
                let delivery = TransactionDelivery.current
                session = CurrentSession.session
                switch source {
                case .updates: reader = UpdateReader(delivery)
                case .unfinished: reading = delivery.read()
                case .all, .entitlements: break
                }
            }

            /// The next transaction; of updates, as soon as there is one.
            public mutating func next() async -> VerificationResult<Transaction>? {
                if let reader { return await reader.next() }
                guard !Task.isCancelled, let session = session as? DeviceSession else { return nil }
                defer { withExtendedLifetime(reading) {} }
                if rows == nil { rows = await session.selection(source)[...] }
                guard !Task.isCancelled else { return nil }
                return rows?.popFirst().map { session.transaction($0) }
            }
        }
    }

    /// What was bought, renewed or taken back other than by a call of ``Product/purchase(options:)`` that has returned it: on
    /// another device, by a renewal, after an approval, by a refund. It never ends.
    ///
    /// The first reading of a process begins with everything unfinished. Each reader gets what comes while it reads; what nobody
    /// has read waits. Of one transaction, a purchase and that it was taken back come once each.
    public static var updates: Transactions { Transactions(source: .updates) }

    /// Everything that is not finished, consumables too.
    public static var unfinished: Transactions { Transactions(source: .unfinished) }

    /// Everything that the customer has bought in the app; consumables only while they are unfinished or after a refund, unless
    /// the app has `SKIncludeConsumableInAppPurchaseHistory`.
    public static var all: Transactions { Transactions(source: .all(nil)) }

    /// Everything that the customer has bought of a product.
    public static func all(for productID: String) -> Transactions { Transactions(source: .all(productID)) }

    /// What the customer has now: what is owned, subscriptions that run or are in their grace period, and all that does not renew
    /// itself, over or not. Nothing that was taken back.
    public static var currentEntitlements: Transactions { Transactions(source: .entitlements(nil)) }

    /// What the customer has of a product now: several, where the family shares it too.
    public static func currentEntitlements(for productID: String) -> Transactions {
        Transactions(source: .entitlements(productID))
    }

    /// What the customer has of a product now.
    public static func currentEntitlement(for productID: String) async -> VerificationResult<Transaction>? {
        var last: VerificationResult<Transaction>?
        for await found in currentEntitlements(for: productID) { last = found }
        return last
    }

    /// The newest transaction of a product, whatever became of it.
    public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
        guard !Task.isCancelled, let session = CurrentSession.session as? DeviceSession else { return nil }
        return await session.latest(of: productID).map { session.transaction($0) }
    }
}

/// A reader of `Transaction.updates`.
final class UpdateReader: Sendable {
    private let reading: TransactionDelivery.Reading
    private let number: Int
    private let session: any OriginalSession

    init(_ delivery: TransactionDelivery) {
        // It is there before the engine says what waits.
        number = delivery.updates.open()
        session = delivery.session
        reading = delivery.read()
    }

    deinit { reading.delivery.updates.close(number) }

    func next() async -> VerificationResult<Transaction>? {
        guard let update = await reading.delivery.updates.next(number) else { return nil }
        if let announced = update.announced, let session = reading.delivery.session as? DeviceSession {
            try? session.journal.noteAnnounced(announced)
        }
        return update.value
    }
}

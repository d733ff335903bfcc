import Foundation
package import StoreModel

/// A transaction in the queue, from the payment that began it to what became of it.
package struct QueueEntry: Hashable, Sendable {
    /// What tells an entry from all others.
    // Closed: an entry comes of a payment, or of a transaction.
    package enum Key: Hashable, Sendable {
        /// It began with a payment of this device.
        case payment(PurchaseKey)
        /// It is a transaction that came of no payment that is known.
        case transaction(TransactionID)
    }

    // Closed: these are the states that StoreKit has.
    package enum State: Hashable, Sendable {
        case purchasing
        /// Something has to happen elsewhere, and may take long.
        case deferred
        case purchased
        case restored
        case failed
    }

    package let key: Key
    /// Rises in the order in which payments were added and transactions came.
    package var number: Int64
    package var payment: Payment
    package internal(set) var state: State
    package internal(set) var bought: BoughtTransaction?
    package internal(set) var failure: SessionFailure?
    /// The download of its content, as it is when the entry is told.
    package internal(set) var download: DownloadEntry?

    /// Which API tells the app of it.
    package internal(set) var audience = Audience.both

    // Closed: there are two APIs.
    package enum Audience: Hashable, Sendable {
        /// The queue of the original API has asked for it in this process.
        case original
        /// `Product.purchase(options:)` answers it.
        case modern
        /// It came by itself: both tell of it.
        case both
    }

    /// Whether it is not known yet what becomes of it.
    package var isOpen: Bool { state == .purchasing || state == .deferred }
    /// Whether the queue of the original API has it: of what `purchase(options:)` asks for, it has what was bought.
    package var isListed: Bool { payment.source != .modern || bought != nil }
    /// Whether it came of a payment of this device that is known.
    package var isOfPayment: Bool {
        if case .payment = key { true } else { false }
    }

    init(_ key: Key, number: Int64 = 0, _ payment: Payment, _ state: State, bought: BoughtTransaction? = nil) {
        self.key = key
        self.number = number
        self.payment = payment
        self.state = state
        self.bought = bought
    }

    /// A payment that the journal does not have.
    static func unkept(_ payment: Payment) -> QueueEntry {
        QueueEntry(.payment(PurchaseKey(UUID())), payment, .purchasing)
    }

    /// A payment that has begun.
    package init(_ kept: JournalPayment) {
        self.init(.payment(kept.key), number: kept.number, kept.payment, .purchasing)
        if kept.state == .failed {
            state = .failed
            failure = kept.failure
        }
    }

    /// A transaction that came of no payment.
    init(_ bought: BoughtTransaction) {
        self.init(
            .transaction(bought.id), number: bought.number, bought.payment, bought.isRestored ? .restored : .purchased,
            bought: bought)
    }
}

extension QueueEntry.Key: CustomStringConvertible {
    /// The key of the payment, or the number of the transaction.
    package var description: String {
        switch self {
        case .payment(let key): key.description
        case .transaction(let id): id.description
        }
    }
}

/// What the queue has to know of a transaction.
package struct BoughtTransaction: Hashable, Sendable {
    package let id: TransactionID
    package var number: Int64
    /// What was signed of it; nil of one that is known only as what another one goes back to.
    package let verified: VerifiedTransaction?
    /// What the transaction itself says of its payment.
    package var payment: Payment
    package var date: Instant
    package var isRestored: Bool
    /// The transaction that was restored, or the first one of what was renewed.
    package var original: Original?
    package var receipt: [UInt8]?
    /// What the store hosts for it.
    package var content: DownloadableContent?

    /// A transaction that another one goes back to.
    package struct Original: Hashable, Sendable {
        package var id: TransactionID
        package var date: Instant
        package var quantity: Int
        /// Of what was restored alone.
        package var receipt: [UInt8]?

        package init(id: TransactionID, date: Instant, quantity: Int, receipt: [UInt8]? = nil) {
            self.id = id
            self.date = date
            self.quantity = quantity
            self.receipt = receipt
        }
    }

    package init(
        id: TransactionID, number: Int64, verified: VerifiedTransaction? = nil, payment: Payment, date: Instant,
        isRestored: Bool = false, original: Original? = nil, receipt: [UInt8]? = nil,
        content: DownloadableContent? = nil
    ) {
        self.id = id
        self.number = number
        self.verified = verified
        self.payment = payment
        self.date = date
        self.isRestored = isRestored
        self.original = original
        self.receipt = receipt
        self.content = content
    }
}

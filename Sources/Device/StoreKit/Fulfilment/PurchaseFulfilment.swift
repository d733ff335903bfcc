public import Foundation
import StoreFoundation

/// Gives the customer what was bought, once for each change of what the store says of it, and takes back what was refunded.
///
/// The app's goods, such as credits, lie in one file with the record of what was given. A closure changes them; what it has changed,
/// that it did, and what it returned are written together or not at all. So a crash at any moment leaves nothing half, and the
/// transaction, which is finished after that alone, comes again and finds what was done:
///
/// ```swift
/// struct Goods: Codable { var credits = 0 }
///
/// let fulfilment = try PurchaseFulfilment(at: file, initially: Goods()) { goods, delivery in
///     let credits = 5 * delivery.transaction.purchasedQuantity
///     goods.credits += delivery.act == .grant ? credits : -credits
///     return "\(credits) credits"
/// }
/// Task { await fulfilment.run() }
/// ```
///
/// For a server of your own, `StoreBackend` has the same in its database. Apple's platforms have no such type.
public final class PurchaseFulfilment<Goods: Codable & Sendable>: Sendable {
    /// Changes the goods as a delivery says, and returns a text that is kept with it. It does nothing else: it is undone and
    /// called again after a crash.
    public typealias Deliver = @Sendable (_ goods: inout Goods, _ delivery: PurchaseDelivery) throws -> String

    private let ledger: DeliveryLedger
    private let first: Goods
    private let deliver: Deliver
    private let changed = ObservedValue(0)

    /// Opens the file of the goods, or makes it.
    ///
    /// - Parameters:
    ///   - file: where it lies, in a folder that is there. Several processes may have it open.
    ///   - goods: what there is before anything was bought.
    ///   - deliver: what a delivery changes.
    public init(at file: URL, initially goods: Goods, deliver: @escaping Deliver) throws {
        ledger = try DeliveryLedger(file.path)
        first = goods
        self.deliver = deliver
    }

    /// What there is now.
    public var goods: Goods {
        get throws { try ledger.read { try decoded($0) } }
    }

    /// Yields at once, and whenever goods were changed through this value; a slow reader gets the newest alone.
    public var changes: AsyncStream<Void> {
        let counts = changed.changes()
        return AsyncStream { continuation in
            let task = Task {
                for await _ in counts { continuation.yield() }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Changes goods without a purchase, such as to spend them.
    @discardableResult
    public func change<Result>(_ body: (inout Goods) throws -> Result) throws -> Result {
        let result = try ledger.change { stored in
            var goods = try decoded(stored.goods)
            let result = try body(&goods)
            stored.goods = try JSONEncoder().encode(goods)
            return result
        }
        changed.update { ($0 ?? 0) + 1 }
        return result
    }

    /// What the closure returned when it last did something about a transaction; nil if it never did.
    public func result(of transaction: Transaction.ID) throws -> String? {
        try ledger.row(of: transaction)?.result
    }

    // MARK: Deliveries

    /// Delivers everything that waits and all that comes, until the task is cancelled.
    ///
    /// What the closure throws at, and what cannot be verified, stays unfinished and comes again with the next launch.
    public func run() async {
        // What comes while the rest is looked through waits here.
        var updates = Transaction.updates.makeAsyncIterator()
        for await result in Transaction.unfinished { await attempt(result) }
        for await result in Transaction.all where isLost(result) { await attempt(result) }
        while let result = await updates.next() { await attempt(result) }
    }

    /// Delivers what a purchase came to, and finishes it. Called again, it changes nothing.
    ///
    /// - Throws: the error of the verification, or of the closure; the transaction stays unfinished then.
    public func fulfil(_ result: VerificationResult<Transaction>) async throws {
        let transaction = try result.payloadValue
        let isNew = try ledger.fulfil(transaction) { goods, delivery in
            var decoded = try decoded(goods)
            let result = try deliver(&decoded, delivery)
            goods = try JSONEncoder().encode(decoded)
            return result
        }
        if isNew { changed.update { ($0 ?? 0) + 1 } }
        await transaction.finish()
    }

    /// Buys a product, and delivers it.
    public func purchase(
        _ product: Product, options: Set<Product.PurchaseOption> = []
    ) async throws -> Product.PurchaseResult {
        let bought = try await product.purchase(options: options)
        if case .success(let result) = bought { try await fulfil(result) }
        return bought
    }

    private func attempt(_ result: VerificationResult<Transaction>) async {
        do {
            try await fulfil(result)
        } catch {
            SessionLog.write("the transaction \(result.unsafePayloadValue.id) was not delivered: \(error)")
        }
    }

    /// Whether something was given that the customer has no more, of which nobody may have told.
    private func isLost(_ result: VerificationResult<Transaction>) -> Bool {
        let transaction = result.unsafePayloadValue
        return !DeliveryLedger.isHeld(transaction) && (try? ledger.row(of: transaction.id))??.isHeld == true
    }

    private func decoded(_ bytes: Data?) throws -> Goods {
        try bytes.map { try JSONDecoder().decode(Goods.self, from: $0) } ?? first
    }
}

/// What the app is to do for the customer about a transaction.
public struct PurchaseDelivery: Sendable {
    /// What is done.
    // Closed: what the store says of a transaction is that it holds, or that it does not.
    public enum Act: String, Hashable, Sendable {
        /// Give what was bought, for the first time or again after a refund was reversed.
        case grant
        /// Take back what was given: it was refunded, withdrawn, or replaced by an upgrade.
        case takeBack
    }

    /// What was bought; its signature is good.
    public let transaction: Transaction
    /// What is done.
    public let act: Act
    /// How often what the store says of the transaction has changed, 1 being the purchase.
    public let revision: Int
}

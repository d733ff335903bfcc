public import Foundation
public import PurchaseVault
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
public final class PurchaseFulfilment<Goods: Sendable>: Sendable {
    /// Changes the goods as a delivery says, and returns a text that is kept with it. It does nothing else: it is undone and
    /// called again after a crash.
    public typealias Deliver = @Sendable (_ goods: inout Goods, _ delivery: PurchaseDelivery) throws -> String
    /// Is told of a transaction what was done, nil where nothing had to be, or why it could not be.
    public typealias Report =
        @Sendable (VerificationResult<Transaction>, Result<PurchaseDelivery?, any Error>) async -> Void

    private let storage: any FulfilmentStorage<Goods>
    private let finishes: Bool
    private let deliver: Deliver
    private let changed = ObservedValue(0)

    /// Opens the file of the goods, or makes it.
    ///
    /// - Parameters:
    ///   - file: where it lies, in a folder that is there. Several processes may have it open.
    ///   - goods: what there is before anything was bought.
    ///   - finishes: whether a transaction is finished when it is delivered. An app of which a server is to know first does it itself.
    ///   - deliver: what a delivery changes.
    public convenience init(
        at file: URL, initially goods: Goods, finishes: Bool = true, deliver: @escaping Deliver
    ) throws where Goods: Codable {
        self.init(
            try FulfilmentFile(file.path, initially: goods), finishes: finishes, deliver: deliver)
    }

    /// Keeps the goods in a vault: encrypted, and known as such when they come from a backup.
    ///
    /// What `VaultContents.deliver(_:)` has noted, such as by StoreKit 1, counts as given, and what is given here is noted there.
    ///
    /// - Parameters:
    ///   - vault: keeps them, with the record of what was given.
    ///   - finishes: whether a transaction is finished when it is delivered. An app of which a server is to know first does it itself.
    ///   - deliver: what a delivery changes.
    public convenience init(in vault: Vault, finishes: Bool = true, deliver: @escaping Deliver)
    where Goods == VaultContents {
        self.init(FulfilmentVault(vault: vault), finishes: finishes, deliver: deliver)
    }

    private init(_ storage: any FulfilmentStorage<Goods>, finishes: Bool, deliver: @escaping Deliver) {
        self.storage = storage
        self.finishes = finishes
        self.deliver = deliver
    }

    /// What there is now.
    public var goods: Goods {
        get throws { try storage.contents }
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
    public func change<Result: Sendable>(_ body: (inout Goods) throws -> Result) throws -> Result {
        let result = try storage.change(nil) { goods, _ in try body(&goods) }
        changed.update { ($0 ?? 0) + 1 }
        return result
    }

    /// What the closure returned when it last did something about a transaction; nil if it never did.
    public func result(of transaction: Transaction.ID) throws -> String? {
        try storage.record(of: transaction)?.result
    }

    // MARK: Deliveries

    /// Delivers everything that waits and all that comes, until the task is cancelled.
    ///
    /// What the closure throws at, and what cannot be verified, stays unfinished and comes again with the next launch.
    ///
    /// - Parameter report: is told of each; without it the log is told what was not delivered.
    public func run(_ report: Report? = nil) async {
        // What comes while the rest is looked through waits here.
        var updates = Transaction.updates.makeAsyncIterator()
        var seen: Set<Seen> = []
        for await result in Transaction.unfinished {
            seen.insert(Seen(result))
            await attempt(result, report)
        }
        for await result in Transaction.all where isLost(result) {
            seen.insert(Seen(result))
            await attempt(result, report)
        }
        while let result = await updates.next() {
            // The updates begin with what was just looked through.
            if seen.remove(Seen(result)) == nil { await attempt(result, report) }
        }
    }

    /// A transaction as the store's word on it was.
    private struct Seen: Hashable {
        let id: Transaction.ID
        let isHeld: Bool
        let isVerified: Bool

        init(_ result: VerificationResult<Transaction>) {
            id = result.unsafePayloadValue.id
            isHeld = FulfilmentRecord.isHeld(result.unsafePayloadValue)
            isVerified = if case .verified = result { true } else { false }
        }
    }

    /// Delivers what a purchase came to, and finishes it. Called again, it changes nothing.
    ///
    /// - Returns: what was done; nil if nothing had to be.
    /// - Throws: the error of the verification, or of the closure; the transaction stays unfinished then.
    @discardableResult
    public func fulfil(_ result: VerificationResult<Transaction>) async throws -> PurchaseDelivery? {
        let transaction = try result.payloadValue
        let done = try storage.change(transaction.id) { goods, record -> PurchaseDelivery? in
            guard let delivery = FulfilmentRecord.hear(transaction, in: &record) else { return nil }
            record?.result = try deliver(&goods, delivery)
            return delivery
        }
        if done != nil { changed.update { ($0 ?? 0) + 1 } }
        if finishes { await transaction.finish() }
        return done
    }

    /// Buys a product, and delivers it.
    public func purchase(
        _ product: Product, options: Set<Product.PurchaseOption> = []
    ) async throws -> Product.PurchaseResult {
        let bought = try await product.purchase(options: options)
        if case .success(let result) = bought { try await fulfil(result) }
        return bought
    }

    private func attempt(_ result: VerificationResult<Transaction>, _ report: Report?) async {
        let outcome: Result<PurchaseDelivery?, any Error>
        do {
            outcome = .success(try await fulfil(result))
        } catch {
            outcome = .failure(error)
        }
        if let report {
            await report(result, outcome)
        } else if case .failure(let error) = outcome {
            SessionLog.write("the transaction \(result.unsafePayloadValue.id) was not delivered: \(error)")
        }
    }

    /// Whether something was given that the customer has no more, of which nobody may have told.
    private func isLost(_ result: VerificationResult<Transaction>) -> Bool {
        let transaction = result.unsafePayloadValue
        return !FulfilmentRecord.isHeld(transaction) && (try? storage.record(of: transaction.id))?.isHeld == true
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

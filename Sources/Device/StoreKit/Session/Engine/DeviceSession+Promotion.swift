import Foundation
import StoreModel
import Synchronization

/// Purchases that a customer begins outside the app.
extension DeviceSession {
    /// Brings what was begun outside the app to the sinks, one after the other.
    ///
    /// Of several processes one takes each, and keeps it until the app has decided or the process ends.
    func offerPromotions() async {
        await promoting.run { await self.offerEach() }
    }

    private func offerEach() async {
        for file in promotions.files where takesPromotions && !Task.isCancelled {
            guard let claimed = ClaimedPromotion(file) else { continue }
            guard let purchase = claimed.purchase else {
                settings.report("\(file) is no purchase that was begun outside the app; it is removed.")
                claimed.settle()
                continue
            }
            await offer(purchase.productId, claimed)
        }
    }

    private func offer(_ product: ProductID, _ claimed: ClaimedPromotion) async {
        do throws(ConnectionError) {
            let answer = try await repeating(forever: true) { () async throws(ConnectionError) in
                try await self.device.prepare()
                return try await self.device.products([product.text])
            }
            guard let offer = answer.products.first else {
                let explanation = answer.invalid.first?.explanation ?? "The store does not sell it here."
                settings.report("\(product) was chosen outside the app, and cannot be sold. \(explanation)")
                return claimed.settle()
            }
            let record = ProductRecord(offer, in: device.answer?.storefront.countryCode)
            self.offer(record) { claimed.settle() }
        } catch {
            guard error.kind != .cancelled else { return }
            settings.report("\(product) was chosen outside the app, which cannot be told of it in this run: \(error)")
            stuckPromotions.withLock { $0.append(claimed) }
        }
    }

    /// Looks for purchases that were begun outside the app, without waiting for anything.
    func lookForPromotions() {
        guard takesPromotions else { return }
        tasks.start { [weak self] in await self?.offerPromotions() }
    }
}

/// A purchase that was begun outside the app, in the hands of this object alone: no other process takes it meanwhile.
///
/// Unless it is settled it waits for the next process that looks, also when this one is killed.
final class ClaimedPromotion: Sendable {
    /// Nil if the file holds no purchase.
    let purchase: PromotedPurchase?
    private let path: String
    /// Other processes hear of its end, and find it free then.
    private let lock: FileLock

    /// Takes what is in a file; nil if another process has it, or it is gone.
    init?(_ path: String) {
        // The process that had it before may have settled it between the opening and the lock.
        guard let lock = FileLock(path, makesFile: false), lock.isNamed else { return nil }
        self.path = path
        self.lock = lock
        purchase = PromotedPurchase(Data(lock.content(upTo: PromotedPurchase.longestFile + 1)))
    }

    /// The app has decided, and is not asked again.
    func settle() { unlink(path) }
}

import Foundation
import StoreModel

/// A purchase that was begun outside the app, in the hands of this object alone: no other process takes it meanwhile.
///
/// Unless it is settled it waits for the next who looks, also when the process is killed.
final class ClaimedPromotion: Sendable {
    /// Nothing if the file holds no purchase.
    let purchase: PromotedPurchase?
    private let path: String
    /// Others hear of its end, and find it free then.
    private let lock: FileLock

    /// Takes what is in a file; nil if somebody else has it, or it is gone.
    init?(_ path: String) {
        // Who had it before may have settled it between the opening and the lock.
        guard let lock = FileLock(path, makesFile: false), lock.isNamed else { return nil }
        self.path = path
        self.lock = lock
        purchase = PromotedPurchase(Data(lock.content(upTo: PromotedPurchase.longestFile + 1)))
    }

    /// The app has decided: nobody is to be asked again.
    func settle() { unlink(path) }
}

import Foundation
import StoreModel

/// A purchase that was begun outside the app, in the hands of this object alone: no other process takes it meanwhile.
///
/// Unless it is settled it waits for the next who looks, also when the process is killed.
final class ClaimedPromotion: Sendable {
    /// Nothing if the file holds no purchase.
    let purchase: PromotedPurchase?
    private let path: String
    private let lock: Int32
    private let writer: Int32

    /// Takes what is in a file; nil if somebody else has it, or it is gone.
    init?(_ path: String) {
        let lock = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard lock >= 0 else { return nil }
        var status = stat()
        // Who had it before may have settled it between the opening and the lock.
        guard flock(lock, LOCK_EX | LOCK_NB) == 0, fstat(lock, &status) == 0, status.st_nlink > 0 else {
            close(lock)
            return nil
        }
        self.path = path
        self.lock = lock
        // The closing of what was opened for writing is what others hear of; those who merely looked are not heard.
        writer = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        var bytes = [UInt8](repeating: 0, count: PromotedPurchase.longestFile + 1)
        let count = read(lock, &bytes, bytes.count)
        purchase = PromotedPurchase(Data(bytes.prefix(max(0, count))))
    }

    deinit {
        // The lock is free before anybody hears of it.
        close(lock)
        if writer >= 0 { close(writer) }
    }

    /// The app has decided: nobody is to be asked again.
    func settle() { unlink(path) }
}

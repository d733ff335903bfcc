import StoreModel
import Synchronization

/// What the store has sold, and what cannot be verified on this device: the profile may be older than the store's keys, or
/// somebody has changed the answer. Nothing is given for it, and nothing is lost: the store has it as unfinished.
extension DeviceSession {
    /// Returns the transaction of a purchase as unverified; false if its signature is good, or the original API has asked, which
    /// has no word for that.
    func returnUnverified(_ answer: PurchaseAnswer, to payment: JournalPayment) -> Bool {
        guard payment.payment.source == .modern, let signed = answer.signedTransaction, verified(signed) == nil
        else { return false }
        guard UnverifiedTransaction(signed) != nil else { return false }
        let caller = queue.withLock { $0.calls.take(payment.key) }
        let kept = UnverifiedTransaction(signed, returnedIn: caller == nil ? nil : presence.name)
        do {
            if let kept { try journal.keep(kept) }
        } catch {
            // The events bring it again.
            settings.report("the journal of purchases cannot be written: \(error)")
        }
        fail(payment.key, .unverified)
        caller?.resume(returning: .unverified(signed))
        tellHeard()
        return true
    }

    /// What waits for the app and is not verified.
    func unverified(of product: String? = nil) -> [UnverifiedTransaction] {
        let all = (try? journal.unverified()) ?? []
        return product == nil ? all : all.filter { Transaction(signed: $0.signed).productID == product }
    }

    /// Those that `purchase(options:)` has not returned in this process.
    var unreturned: [UnverifiedTransaction] { unverified().filter { $0.returnedIn != presence.name } }
}

extension SessionFailure {
    /// It was bought, and is handed out as unverified.
    static let unverified = SessionFailure(
        code: internalCode, reason: "signature_untrusted",
        text:
            "It was bought, and the store's signature is not one that the provisioning profile knows; it may need renewing."
    )
}

import StoreModel
package import StoreRules

extension ServiceError {
    /// The refusal of something that a purchase does not wait for: what was wanted, how the purchase stands, and since
    /// when.
    package init(tooLate event: Purchase.Event, for purchase: StoredPurchase) {
        let standing = Self.standing(purchase)
        self.init(
            .tooLate,
            "purchase \(purchase.id) cannot be \(Self.wish(event)): \(standing) since "
                + "\(purchase.changedAt.rfc3339)")
    }

    private static func wish(_ event: Purchase.Event) -> String {
        switch event {
        case .confirmed, .confirmedButInterrupted: "confirmed"
        case .interruptionSettled: "settled, which is for purchases that are interrupted"
        case .cancelled: "cancelled"
        case .voided: "settled as voided, which is for purchases whose money the processor does not let go of"
        default: "changed (\(event.name))"
        }
    }

    private static func standing(_ purchase: StoredPurchase) -> String {
        let reason = purchase.rules.failure.map { " (\($0.rawValue.replacing("declined:", with: "")))" } ?? ""
        return switch purchase.state {
        case .signIn: "it has waited for somebody to sign in"
        case .confirmation: "it has waited for a yes"
        case .interrupted: "it has been interrupted"
        case .action: "it has waited for the customer at the bank"
        case .authorising, .capturing: "the processor has been asked for the money"
        case .voiding: "the processor has been asked to let go of the money\(reason)"
        case .purchased:
            "it has been paid" + (purchase.transaction.map { " with transaction \($0), which can be refunded," } ?? "")
        case .declined: "its payment has been declined\(reason)"
        case .cancelled: "it has been cancelled"
        case .failed: "it has failed\(reason)"
        }
    }
}

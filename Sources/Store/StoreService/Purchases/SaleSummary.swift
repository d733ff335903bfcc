import StoreCatalogue
package import StoreModel
package import StoreRules

/// A sale in words: how it stands, and what happened. Commands, answers and pages say the same.
package struct SaleSummary {
    private let status: SaleStatus?
    private let bought: StoreTransaction?
    /// What was given back of the money; nil where that is nothing, or not known.
    private let refunded: Refunded?
    private let isFinished: Bool?
    private let customer: String
    private let time: (Instant) -> String

    private enum Refunded {
        case all, part
        /// The processor has not answered.
        case asked
    }

    /// - Parameters:
    ///   - customer: how the customer is called.
    ///   - time: how an instant is written.
    package init(
        _ status: SaleStatus, customer: String = "the customer", time: @escaping (Instant) -> String = { $0.rfc3339 }
    ) {
        (self.status, bought, refunded, isFinished) = (status, status.bought, nil, nil)
        (self.customer, self.time) = (customer, time)
    }

    /// With all that is known of what was delivered.
    package init(
        _ details: OperatorTransactions.Details, customer: String = "the customer",
        time: @escaping (Instant) -> String = { $0.rfc3339 }
    ) {
        (status, bought, isFinished) = (details.sale, details.transaction, details.finishedAt != nil)
        let states = details.refunds.map(\.state)
        refunded =
            states.contains(.refunded) ? details.rest.isZero ? .all : .part : states.contains(.refunding) ? .asked : nil
        (self.customer, self.time) = (customer, time)
    }

    /// How it stands, and what it waits for.
    package var sentence: String {
        let sentence = bought.map(delivered) ?? status.map(waiting) ?? "It is not known."
        // An address is written as it is.
        if customer.contains("@"), sentence.hasPrefix(customer) { return sentence }
        return sentence.prefix(1).uppercased() + sentence.dropFirst()
    }

    private func waiting(_ status: SaleStatus) -> String {
        let reason = status.failure.map { ": \(Self.reason($0))" } ?? ""
        return switch status.state {
        case .signIn: "It waits for somebody to sign in on the device."
        case .confirmation: "It waits for a yes of \(customer); nothing was charged."
        case .approval: "\(customer) said yes, and waits for an approval. Nothing was charged."
        case .interrupted:
            "\(customer) said yes, and has to settle something with the store first. Nothing was charged."
        case .action: "It waits for \(customer) at the bank."
        case .authorising, .capturing:
            "The processor was asked for the money"
                + (status.nextInquiry.map { " and is asked again at \(time($0))." } ?? ".")
        case .choosing:
            "A payment was declined\(reason). \(customer) may choose another card until \(time(status.expiresAt)). "
                + "Nothing was charged."
        case .voiding: "The processor is asked to let go of the money."
        case .purchased: "Bought by \(customer)."
        case .cancelled: "It was cancelled; nothing was charged."
        case .declined: "The payment was declined\(reason). Nothing was charged."
        case .failed: "It came to nothing\(reason). Nothing was charged."
        }
    }

    private func delivered(_ sold: StoreTransaction) -> String {
        if sold.restoredID != nil { return "A restore brought it back to \(customer)." }
        if let revocation = sold.revocation { return taken(revocation, sold.expiresDate) }
        let back =
            switch refunded {
            case .all?: " All of the money was given back."
            case .part?: " A part of the money was given back."
            case .asked?, nil: ""
            }
        return switch isFinished {
        case nil: "Bought by \(customer)."
        case true?: "Bought by \(customer), delivered and finished.\(back)"
        case false?: "Bought by \(customer) and delivered; the app has not said yet that it was used.\(back)"
        }
    }

    /// - Parameter end: that of the period it was for.
    private func taken(_ revocation: TransactionRevocation, _ end: Instant?) -> String {
        let isOver = end.map { $0 <= revocation.revokedAt } ?? false
        let fate = "\(customer) \(isOver ? "had it to its end" : "lost it")"
        guard revocation.refund != nil else { return "\(fate): it was revoked, and no money was given back." }
        return switch refunded {
        case .all?: "\(fate), and got the money back."
        case .part?: "\(fate), and got a part of the money back."
        case .asked?: "\(fate), and the processor is asked to give money back."
        case nil: "\(fate), and money was given back."
        }
    }

    /// Why there is no transaction, in a few words.
    package static func reason(_ failure: PurchaseFailure) -> String {
        (failure.isDecline ? failure.detail ?? failure.word : failure.rawValue).replacing("_", with: " ")
    }

    /// What a sale in a state does, after its name: `is declined`.
    package static func words(_ state: SaleState) -> String {
        switch state {
        case .signIn: "waits for a sign-in"
        case .confirmation: "is not confirmed"
        case .interrupted: "is interrupted"
        case .approval: "waits for an approval"
        case .action: "waits for the customer at the bank"
        case .authorising, .capturing: "is being paid"
        case .choosing: "was declined, and waits for another card"
        case .voiding: "lets go of the money"
        case .purchased: "is purchased"
        case .declined: "is declined"
        case .cancelled: "is cancelled"
        case .failed: "has failed"
        }
    }

    /// What happened, of a line of the history.
    package static func sentence(_ entry: SaleHistoryEntry) -> String {
        sentence(entry.event) + (isDecision(entry.event) ? Actor.phrase(of: entry.actor) : "")
    }

    private static func sentence(_ event: SaleEvent) -> String {
        switch event {
        case .opened: "Asked for"
        case .ordered: "Ordered"
        case .signedIn: "Somebody signed in on the device"
        case .pricedAnew: "It costs something else there, and was asked again"
        case .confirmed: "Confirmed"
        case .interrupted: "Confirmed, but the customer has to settle something with the store first"
        case .approvalAsked: "Confirmed, and waits for an approval"
        case .approved: "Approved"
        case .refused: "Declined"
        case .interruptionSettled: "What interrupted it was settled"
        case .cancelled: "Cancelled"
        case .expired: "Nobody confirmed it in time"
        case .prevented: "It could not be sold"
        case .authorised: "The money was reserved"
        case .authorisedInVain: "The money was reserved too late, and is let go of"
        case .lateAuthorisationVoided: "Money that was reserved too late was let go of"
        case .declined: "The payment was declined"
        case .actionNeeded: "The bank asked the customer for a confirmation"
        case .authorisationRefused: "The processor refused to reserve the money"
        case .captured: "The money was taken"
        case .captureRefused: "The processor refused to take the money"
        case .voided, .released: "The money was let go of"
        case .triedAgain: "Tried once more"
        case .givenUp: "Given up"
        case .settledAsVoided: "Settled as voided"
        case .refunded: "Money was given back"
        case .refundReversed: "Money that was given back came back after a dispute"
        }
    }

    /// Whether somebody did it who is named; the rest comes of itself, or of what the processor says.
    private static func isDecision(_ event: SaleEvent) -> Bool {
        switch event {
        case .ordered, .confirmed, .approved, .refused, .interruptionSettled, .cancelled, .settledAsVoided, .refunded:
            true
        default: false
        }
    }
}

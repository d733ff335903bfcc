import StoreHTTP
import StoreRules
import StoreService

// What forms of the console do, by the words in their paths, and what a page says when it is done.

/// What can be done with a transaction.
enum SaleAct: String, CaseIterable {
    case refund, revocation, redelivery, finish
    /// Asks for a refund in the customer's name.
    case question = "refund-request"

    /// Whether it takes something away, so that what will happen is said before.
    var isQuestion: Bool { self == .refund || self == .revocation }
}

/// What can be done with a purchase that has no transaction yet.
enum PurchaseAct: String, CaseIterable {
    case approval, cancellation, settlement
    case parentalApproval = "parental-approval"
    case parentalRefusal = "parental-refusal"
}

/// What can be done with a request for a refund.
enum RefundAct: String, CaseIterable {
    case approval, refusal, withdrawal, reversal, consumption
}

/// What can be done with an account.
enum CustomerAct: String, CaseIterable {
    case payment, interruption, family, redemption, purchases
    case renewalRate = "renewal-rate"
    case askToBuy = "ask-to-buy"
    case familyMember = "family-member"
    case familyLeaving = "family-leaving"
    case consentWithdrawal = "consent-withdrawal"
    case consent
}

/// What can be done with a device.
enum DeviceAct: String, CaseIterable {
    case purchases
    case signOut = "sign-out"
}

/// What can be done with a clock.
enum ClockAct: String, CaseIterable {
    case freeze, rate, set, advance
}

/// What can be done with a product.
enum ProductAct: String, CaseIterable {
    case clearance, withdrawal
}

/// What a developer does about a review.
enum SubmissionAct: String, CaseIterable {
    case sending, withdrawal
}

/// What a reviewer does.
enum ReviewAct: String, CaseIterable {
    case beginning, approval, rejection
}

/// What can be done with a partner.
enum PartnerAct: String, CaseIterable {
    case end, share
}

/// Whether the store hosts the content of a product.
enum HostingAct: String, CaseIterable {
    case on, off
}

extension ConsoleVisit {
    /// What the path of a form asks for; throws if there is no such page.
    func act<Act: RawRepresentable>(_ type: Act.Type = Act.self) throws -> Act where Act.RawValue == String {
        guard let act = request.parameters.text("act").flatMap(Act.init) else {
            throw APIError(.notFound, code: "path_unknown", "There is no such page.")
        }
        return act
    }

    /// A link to a page that says what was done.
    func link(_ path: String, done notice: Notice) -> Link { link(path, (Notice.parameter, notice.rawValue)) }
}

/// What a page says after something was done, by the word in its address.
enum Notice: String, CaseIterable {
    case refunded, refunding, revoked, redelivered, finished, approved, declined, cancelled, renewed, settled, changed
    case raised, unraised, later, sent, asked, made, clock, uploaded, submitted, reviewed
    case refundedPart = "refunded-part"
    case signedOut = "signed-out"
    case begun, entered, removed, imported, moved, kept, published, discarded, rotated
    case ended, joined, applied

    static let parameter = "done"

    /// What came of a refund that the processor did not refuse.
    static func of(_ refund: StoredRefund) -> Notice {
        if refund.state == .refunding { return .refunding }
        return refund.rules.revokes ? .refunded : .refundedPart
    }

    var sentence: String {
        switch self {
        case .refunded: "The money was given back, and the app is told."
        case .refundedPart:
            "A part was given back; the customer keeps what was bought, and the app hears nothing of it."
        case .refunding: "The refund is asked for; the processor has not answered yet."
        case .revoked: "It was taken back, and the app is told."
        case .redelivered: "It is delivered once more."
        case .finished: "It is finished."
        case .approved: "The yes was given."
        case .declined: "The no was given."
        case .cancelled: "It was cancelled."
        case .renewed: "The period was ended, and the next one asked for."
        case .settled: "The interruption is settled."
        case .changed: "It was changed."
        case .raised: "The price reaches those who subscribe already."
        case .unraised: "Nobody who subscribes here pays less."
        case .later: "They were asked in this period already; bring it to them in their next one."
        case .sent: "It is on its way; load this page again to see what came of it."
        case .asked: "The refund was asked for."
        case .made: "It was made."
        case .clock: "The clock was changed, and what became due by that is done."
        case .uploaded: "The package has arrived, and is being looked at."
        case .submitted: "It waits for a reviewer."
        case .reviewed: "The decision was noted."
        case .published: "Production sells by it now."
        case .discarded: "The sandbox sells what production does."
        case .begun: "It is being made; load this page again to see whether it is ready."
        case .entered: "It was entered."
        case .removed: "It was removed."
        case .imported: "The file was applied."
        case .moved: "It was moved."
        case .kept: "It was kept."
        case .ended: "The session is over."
        case .joined: "Everything is for the other one from now on."
        case .applied: "The decision was noted, and the page of the application says so."
        case .rotated: "The certificates were replaced; what the old ones signed goes on verifying."
        case .signedOut: "Whoever was signed in on the device is not any more."
        }
    }
}

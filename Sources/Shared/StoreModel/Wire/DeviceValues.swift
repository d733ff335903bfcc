/// How far a purchase has come, as `/device/v1` tells it.
package struct PurchaseState: WireValue {
    package let rawValue: String

    /// Any state, known or not.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The customer has to sign in.
    package static let signIn = PurchaseState(rawValue: "sign-in")
    /// The customer has to say yes.
    package static let confirmation = PurchaseState(rawValue: "confirmation")
    /// The customer said yes and has to settle something with the store first.
    package static let interrupted = PurchaseState(rawValue: "interrupted")
    /// The customer said yes, and somebody else decides, as in Ask to Buy.
    package static let deferred = PurchaseState(rawValue: "deferred")
    /// The store is asking the payment processor.
    package static let processing = PurchaseState(rawValue: "processing")
    /// The customer has to complete the payment elsewhere, as with the bank.
    package static let action = PurchaseState(rawValue: "action")
    /// There is a transaction.
    package static let purchased = PurchaseState(rawValue: "purchased")
    /// The processor refused the money.
    package static let declined = PurchaseState(rawValue: "declined")
    /// The customer said no.
    package static let cancelled = PurchaseState(rawValue: "cancelled")
    /// It ended without a transaction for another reason.
    package static let failed = PurchaseState(rawValue: "failed")

    package static let known: Set<PurchaseState> = [
        .signIn, .confirmation, .interrupted, .deferred, .processing, .action, .purchased, .declined, .cancelled,
        .failed,
    ]
}

/// What the devices of a customer are told has happened. Devices pass over kinds that they do not know.
package struct CustomerEventKind: WireValue {
    package let rawValue: String

    /// Any kind, known or not.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// There is a transaction, or one has come again.
    package static let transaction = CustomerEventKind(rawValue: "transaction")
    /// A transaction was revoked.
    package static let revocation = CustomerEventKind(rawValue: "revocation")
    /// A purchase is in another state than before.
    package static let purchase = CustomerEventKind(rawValue: "purchase")
    /// Something that a store for tests has taken back, as if it had never been.
    package static let forgotten = CustomerEventKind(rawValue: "forgotten")

    /// A subscription becomes more expensive, and ends unless its customer agrees.
    package static let priceConsent = CustomerEventKind(rawValue: "price-consent")

    /// A subscription stands otherwise, and no transaction came of that: it does not renew any more, or is not paid.
    package static let subscription = CustomerEventKind(rawValue: "subscription")

    package static let known: Set<CustomerEventKind> = [
        .transaction, .revocation, .purchase, .forgotten, .priceConsent, .subscription,
    ]
}

/// The kind of an offer of a subscription. Where the store names it, it is a ``WireWord``; signed data use ``OfferType``.
///
/// A new kind is a case here, with its number in signed data, a condition in `OfferCondition`, and a list in files for Xcode.
package enum OfferKind: String, CaseIterable, Codable, Sendable, CustomStringConvertible {
    /// For those who never had a subscription of the group.
    case introductory
    /// For those whom the developer offers it.
    case promotional
    /// For those who redeem a code.
    case code
    /// For former subscribers.
    case winBack = "win_back"

    /// The kind in signed data.
    package var type: OfferType {
        switch self {
        case .introductory: .introductory
        case .promotional: .promotional
        case .code: .offerCode
        case .winBack: .winBack
        }
    }

    /// The kind of a number in signed data; nil if this version does not know it.
    package init?(_ type: OfferType) {
        guard let kind = Self.allCases.first(where: { $0.type == type }) else { return nil }
        self = kind
    }

    package var description: String { rawValue }
}

/// How the price of an offer is paid. Where the store names it, it is a ``WireWord``; signed data use ``OfferDiscountType``.
package enum OfferPaymentMode: String, CaseIterable, Codable, Sendable, CustomStringConvertible {
    case free
    /// Each period.
    case payAsYouGo = "pay_as_you_go"
    /// Once, for the whole offer.
    case payUpFront = "pay_up_front"

    /// The mode in signed data.
    package var discountType: OfferDiscountType {
        switch self {
        case .free: .freeTrial
        case .payAsYouGo: .payAsYouGo
        case .payUpFront: .payUpFront
        }
    }

    /// The mode of a word in signed data; nil if this version does not know it.
    package init?(_ type: OfferDiscountType) {
        guard let mode = Self.allCases.first(where: { $0.discountType == type }) else { return nil }
        self = mode
    }

    package var description: String { rawValue }
}

/// Who may redeem the codes of an offer.
package struct OfferEligibility: WireValue {
    package let rawValue: String

    /// Anybody, known or not.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Those who never had a subscription of the group.
    package static let new = OfferEligibility(rawValue: "new")
    /// Those who have one.
    package static let existing = OfferEligibility(rawValue: "existing")
    /// Those who had one.
    package static let expired = OfferEligibility(rawValue: "expired")

    package static let known: Set<OfferEligibility> = [.new, .existing, .expired]
}

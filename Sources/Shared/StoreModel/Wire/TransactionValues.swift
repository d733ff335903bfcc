/// What kind of product was bought.
public struct ProductKind: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A subscription that renews until it is cancelled.
    public static let autoRenewable = ProductKind(rawValue: "Auto-Renewable Subscription")
    /// Bought once, owned for good.
    public static let nonConsumable = ProductKind(rawValue: "Non-Consumable")
    /// Used up and bought again.
    public static let consumable = ProductKind(rawValue: "Consumable")
    /// A subscription whose period the developer counts.
    public static let nonRenewing = ProductKind(rawValue: "Non-Renewing Subscription")
    /// A subscription that costs nothing and runs until it is ended; the App Store had it until 2017.
    public static let freeSubscription = ProductKind(rawValue: "Free Subscription")

    /// The values that this version knows.
    public static let known: Set<ProductKind> = [
        .autoRenewable, .nonConsumable, .consumable, .nonRenewing, .freeSubscription,
    ]
}

/// Why the transaction came about.
public struct TransactionReason: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The customer bought it.
    public static let purchase = TransactionReason(rawValue: "PURCHASE")
    /// A subscription renewed itself.
    public static let renewal = TransactionReason(rawValue: "RENEWAL")

    /// The values that this version knows.
    public static let known: Set<TransactionReason> = [.purchase, .renewal]
}

/// How the customer came to own the product.
public struct OwnershipType: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The customer bought it.
    public static let purchased = OwnershipType(rawValue: "PURCHASED")
    /// A member of the family bought it.
    public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")

    /// The values that this version knows.
    public static let known: Set<OwnershipType> = [.purchased, .familyShared]
}

/// The platform on which a customer first got the app.
public struct OriginalPlatform: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A phone or tablet.
    public static let iOS = OriginalPlatform(rawValue: "iOS")
    /// A Mac.
    public static let macOS = OriginalPlatform(rawValue: "macOS")
    /// A television.
    public static let tvOS = OriginalPlatform(rawValue: "tvOS")
    /// A headset.
    public static let visionOS = OriginalPlatform(rawValue: "visionOS")

    /// The values that this version knows.
    public static let known: Set<OriginalPlatform> = [.iOS, .macOS, .tvOS, .visionOS]
}

/// Why a purchase was refunded.
public struct RevocationReason: WireValue {
    /// The value on the wire.
    public let rawValue: Int

    /// Any value, known or not.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Any other reason.
    public static let other = RevocationReason(rawValue: 0)
    /// An actual or perceived problem with the app.
    public static let appIssue = RevocationReason(rawValue: 1)

    /// The values that this version knows.
    public static let known: Set<RevocationReason> = [.other, .appIssue]
}

/// How a purchase was taken back.
public struct RevocationType: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// All of the price was refunded.
    public static let fullRefund = RevocationType(rawValue: "REFUND_FULL")
    /// A part of the price was refunded.
    public static let proratedRefund = RevocationType(rawValue: "REFUND_PRORATED")
    /// The product is no longer shared with the family.
    public static let familyRevoke = RevocationType(rawValue: "FAMILY_REVOKE")

    /// The values that this version knows.
    public static let known: Set<RevocationType> = [.fullRefund, .proratedRefund, .familyRevoke]
}

/// The kind of offer behind a price.
public struct OfferType: WireValue {
    /// The value on the wire.
    public let rawValue: Int

    /// Any value, known or not.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// For new subscribers of the group.
    public static let introductory = OfferType(rawValue: 1)
    /// For present and former subscribers, signed by the app.
    public static let promotional = OfferType(rawValue: 2)
    /// A code that was redeemed.
    public static let offerCode = OfferType(rawValue: 3)
    /// For former subscribers.
    public static let winBack = OfferType(rawValue: 4)

    /// The values that this version knows.
    public static let known: Set<OfferType> = [.introductory, .promotional, .offerCode, .winBack]
}

/// How an offer is paid.
public struct OfferDiscountType: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Free for the time of the offer.
    public static let freeTrial = OfferDiscountType(rawValue: "FREE_TRIAL")
    /// A lower price each period.
    public static let payAsYouGo = OfferDiscountType(rawValue: "PAY_AS_YOU_GO")
    /// One price for the whole time of the offer.
    public static let payUpFront = OfferDiscountType(rawValue: "PAY_UP_FRONT")
    /// A lower price for something bought once.
    public static let oneTime = OfferDiscountType(rawValue: "ONE_TIME")

    /// The values that this version knows.
    public static let known: Set<OfferDiscountType> = [.freeTrial, .payAsYouGo, .payUpFront, .oneTime]
}

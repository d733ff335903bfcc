import StoreFoundation

// What an app may show of values, in the language of the device. A value that came after this version is shown as the store
// writes it, if that is a word.

extension Product.ProductType {
    /// The kind, for a person to read.
    public var localizedDescription: String {
        switch self {
        case .consumable: CurrentSession.texts("value.consumable")
        case .nonConsumable: CurrentSession.texts("value.non_consumable")
        case .nonRenewable: CurrentSession.texts("value.non_renewable")
        case .autoRenewable: CurrentSession.texts("value.auto_renewable")
        default: rawValue
        }
    }
}

extension Product.SubscriptionOffer.OfferType {
    /// The kind, for a person to read.
    public var localizedDescription: String {
        switch self {
        case .introductory: CurrentSession.texts("value.introductory")
        case .promotional: CurrentSession.texts("value.promotional")
        case .winBack: CurrentSession.texts("value.win_back")
        default: rawValue
        }
    }
}

extension Product.SubscriptionOffer.PaymentMode {
    /// The way to pay, for a person to read.
    public var localizedDescription: String {
        switch self {
        case .payAsYouGo: CurrentSession.texts("value.pay_as_you_go")
        case .payUpFront: CurrentSession.texts("value.pay_up_front")
        case .freeTrial: CurrentSession.texts("value.free_trial")
        default: rawValue
        }
    }
}

extension Product.SubscriptionInfo.RenewalState {
    /// The state, for a person to read.
    public var localizedDescription: String {
        switch self {
        case .subscribed: CurrentSession.texts("value.subscribed")
        case .expired: CurrentSession.texts("value.expired")
        case .inBillingRetryPeriod: CurrentSession.texts("value.billing_retry")
        case .inGracePeriod: CurrentSession.texts("value.grace_period")
        case .revoked: CurrentSession.texts("value.revoked")
        default: CurrentSession.texts("value.unknown")
        }
    }
}

extension Product.SubscriptionInfo.RenewalInfo.ExpirationReason {
    /// The reason, for a person to read.
    public var localizedDescription: String {
        switch self {
        case .autoRenewDisabled: CurrentSession.texts("value.auto_renew_disabled")
        case .billingError: CurrentSession.texts("value.billing_error")
        case .didNotConsentToPriceIncrease: CurrentSession.texts("value.increase_refused")
        case .productUnavailable: CurrentSession.texts("value.product_unavailable")
        default: CurrentSession.texts("value.unknown")
        }
    }
}

extension Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus {
    /// The answer, for a person to read.
    public var localizedDescription: String {
        switch self {
        case .noIncreasePending: CurrentSession.texts("value.no_increase")
        case .pending: CurrentSession.texts("value.increase_pending")
        case .agreed: CurrentSession.texts("value.increase_agreed")
        }
    }
}

extension Transaction.OfferType {
    /// The kind, for a person to read.
    public var localizedDescription: String {
        switch self {
        case .introductory: CurrentSession.texts("value.introductory")
        case .promotional: CurrentSession.texts("value.promotional")
        case .code: CurrentSession.texts("value.code")
        case .winBack: CurrentSession.texts("value.win_back")
        default: CurrentSession.texts("value.unknown")
        }
    }
}

extension Transaction.OwnershipType {
    /// The way, for a person to read.
    public var localizedDescription: String {
        switch self {
        case .purchased: CurrentSession.texts("value.purchased")
        case .familyShared: CurrentSession.texts("value.family_shared")
        case .assigned: CurrentSession.texts("value.assigned")
        default: rawValue
        }
    }
}

extension Transaction.RevocationReason {
    /// The reason, for a person to read.
    public var localizedDescription: String {
        switch self {
        case .developerIssue: CurrentSession.texts("value.developer_issue")
        case .upgradedToBundle: CurrentSession.texts("value.upgraded_to_bundle")
        default: CurrentSession.texts("value.other")
        }
    }
}

extension Message.Reason {
    /// The reason, for a person to read.
    public var localizedDescription: String {
        switch self {
        case .priceIncreaseConsent: CurrentSession.texts("value.message_increase")
        case .billingIssue: CurrentSession.texts("value.message_billing")
        case .winBackOffer: CurrentSession.texts("value.message_win_back")
        default: CurrentSession.texts("value.message")
        }
    }
}

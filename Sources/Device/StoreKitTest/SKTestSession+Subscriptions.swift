import StoreKit

/// What a test does to subscriptions, and to purchases that wait for a yes.
extension SKTestSession {
    /// Ends the subscription to a product now. It renews no longer.
    public func expireSubscription(productIdentifier: String) throws {
        try settle { try await $0.store.expire(productIdentifier) }
    }

    /// Renews the subscription to a product now, whatever is left of its period.
    public func forceRenewalOfSubscription(productIdentifier: String) throws {
        try settle { try await $0.store.forceRenewal(of: productIdentifier) }
    }

    /// Lets the subscription of a transaction end with its period.
    public func disableAutoRenewForTransaction(identifier: UInt) throws {
        try settle { try await $0.store.setRenews(false, Int(clamping: identifier)) }
    }

    /// Lets the subscription of a transaction renew after all.
    public func enableAutoRenewForTransaction(identifier: UInt) throws {
        try settle { try await $0.store.setRenews(true, Int(clamping: identifier)) }
    }

    /// Says yes to a purchase that waits for it; the app gets its transaction.
    public func approveAskToBuyTransaction(identifier: UInt) throws {
        try settle { try await $0.decide(Int(clamping: identifier), isApproved: true) }
    }

    /// Says no to a purchase that waits for a yes; the app is told that it failed.
    public func declineAskToBuyTransaction(identifier: UInt) throws {
        try settle { try await $0.decide(Int(clamping: identifier), isApproved: false) }
    }

    /// Asks the customer to agree to a price without which the subscription of a transaction ends: what the product costs now,
    /// or the same as before if that is not more.
    public func requestPriceIncreaseConsentForTransaction(identifier: UInt) throws {
        try settle { try await $0.store.requestConsent(Int(clamping: identifier)) }
    }

    /// Agrees to the price that the customer was asked about.
    public func consentToPriceIncreaseForTransaction(identifier: UInt) throws {
        try settle { try await $0.store.answerPrice(Int(clamping: identifier), agrees: true) }
    }

    /// Does not agree to the price that the customer was asked about: the subscription ends with its period.
    public func declinePriceIncreaseForTransaction(identifier: UInt) throws {
        try settle { try await $0.store.answerPrice(Int(clamping: identifier), agrees: false) }
    }
}

/// The same for whoever keeps an identifier as `Int`.
extension SKTestSession {
    public func disableAutoRenewForTransaction(identifier: Int) throws {
        try disableAutoRenewForTransaction(identifier: UInt(clamping: identifier))
    }

    public func enableAutoRenewForTransaction(identifier: Int) throws {
        try enableAutoRenewForTransaction(identifier: UInt(clamping: identifier))
    }

    public func approveAskToBuyTransaction(identifier: Int) throws {
        try approveAskToBuyTransaction(identifier: UInt(clamping: identifier))
    }

    public func declineAskToBuyTransaction(identifier: Int) throws {
        try declineAskToBuyTransaction(identifier: UInt(clamping: identifier))
    }

    public func requestPriceIncreaseConsentForTransaction(identifier: Int) throws {
        try requestPriceIncreaseConsentForTransaction(identifier: UInt(clamping: identifier))
    }

    public func consentToPriceIncreaseForTransaction(identifier: Int) throws {
        try consentToPriceIncreaseForTransaction(identifier: UInt(clamping: identifier))
    }

    public func declinePriceIncreaseForTransaction(identifier: Int) throws {
        try declinePriceIncreaseForTransaction(identifier: UInt(clamping: identifier))
    }
}

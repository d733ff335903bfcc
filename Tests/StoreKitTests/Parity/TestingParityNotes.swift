/// What the sources of `StoreKitTest` cannot tell.
enum TestingParityNotes {
    /// What Apple's platforms do not have.
    static let own = ["func asCurrent<Result>"]

    static let later: [ParityNotes.Later] = [
        .init(type: "SKTestTransaction", part: "autoRenewingEnabled", answer: "renewals: false"),
        .init(type: "SKTestTransaction", part: "pendingAskToBuyConfirmation", answer: "Ask to Buy: false"),
        .init(type: "SKTestTransaction", part: "isPendingPriceIncreaseConsent", answer: "higher prices: false"),
    ]

    /// What is not there until the store has the part that it needs: a test that uses it does not compile.
    static let waiting: [(String, String)] = [
        (
            "`askToBuyEnabled`, `approveAskToBuyTransaction(identifier:)`, `declineAskToBuyTransaction(identifier:)`",
            "Ask to Buy"
        ),
        (
            "`timeRate`, `SKTestSession.TimeRate`, `expireSubscription(productIdentifier:)`, "
                + "`forceRenewalOfSubscription(productIdentifier:)`", "renewals"
        ),
        (
            "`disableAutoRenewForTransaction(identifier:)`, `enableAutoRenewForTransaction(identifier:)`", "renewals"
        ),
        ("`shouldEnterBillingRetryOnRenewal`, `billingGracePeriodIsEnabled`", "renewals"),
        (
            "`requestPriceIncreaseConsentForTransaction(identifier:)`, "
                + "`consentToPriceIncreaseForTransaction(identifier:)`, "
                + "`declinePriceIncreaseForTransaction(identifier:)`", "higher prices"
        ),
        (
            "`buyProduct(identifier:options:)`, `simulatedError(forAPI:)`, `setSimulatedError(_:forAPI:)`, "
                + "`SKTestFailures` and the tokens of APIs", "StoreKit 2"
        ),
    ]
}

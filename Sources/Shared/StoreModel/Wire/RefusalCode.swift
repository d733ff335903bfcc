/// Why the store refused a request, or why a purchase has no transaction.
///
/// One list for the interfaces of devices and operators, for the use cases behind them, and for the devices that decide by
/// it what to do next.
package struct RefusalCode: WireValue {
    package let rawValue: String

    /// Any code, known or not.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The store has no such app.
    package static let appUnknown = RefusalCode(rawValue: "app_unknown")
    /// The account was deleted.
    package static let accountGone = RefusalCode(rawValue: "account_gone")
    /// The transaction has been revoked already.
    package static let alreadyRevoked = RefusalCode(rawValue: "already_revoked")
    /// The approver said no.
    package static let approvalRefused = RefusalCode(rawValue: "approval_refused")
    /// Another purchase of the same product is being paid.
    package static let beingPaid = RefusalCode(rawValue: "being_paid")
    /// The account is no member of a family, or of another one.
    package static let familyUnknown = RefusalCode(rawValue: "family_unknown")
    /// The account is a member of a family already.
    package static let familyTaken = RefusalCode(rawValue: "family_taken")
    /// The customer may not have the content any more: it was refunded, or somebody else is signed in on the device.
    package static let contentRefused = RefusalCode(rawValue: "content_refused")
    /// This version of the content is not kept any more; there is a newer one.
    package static let contentGone = RefusalCode(rawValue: "content_gone")
    /// The store hosts no content for it.
    package static let contentUnknown = RefusalCode(rawValue: "content_unknown")
    /// The address of the content was good for a while only; another can be had.
    package static let linkExpired = RefusalCode(rawValue: "link_expired")
    /// The clock is being advanced.
    package static let clockBusy = RefusalCode(rawValue: "clock_busy")
    /// The customer cancelled.
    package static let cancelled = RefusalCode(rawValue: "cancelled")
    /// No purchase waits under this code.
    package static let codeUnknown = RefusalCode(rawValue: "code_unknown")
    /// The address, password or token is wrong.
    package static let credentialsWrong = RefusalCode(rawValue: "credentials_wrong")
    /// The place in the events belongs to another account or another life of the store.
    package static let cursorVoid = RefusalCode(rawValue: "cursor_void")
    /// There is no such customer.
    package static let customerUnknown = RefusalCode(rawValue: "customer_unknown")
    /// The processor refused the money.
    package static let declined = RefusalCode(rawValue: "declined")
    /// There is no such device.
    package static let deviceUnknown = RefusalCode(rawValue: "device_unknown")
    /// Another account has the address.
    package static let emailTaken = RefusalCode(rawValue: "email_taken")
    /// Nobody confirmed in time.
    package static let expired = RefusalCode(rawValue: "expired")
    /// The store failed; its log has the reason.
    package static let internalError = RefusalCode(rawValue: "internal")
    /// The request has no idempotency key.
    package static let keyMissing = RefusalCode(rawValue: "key_missing")
    /// The idempotency key belongs to another request.
    package static let keyReused = RefusalCode(rawValue: "key_reused")
    /// There is no such payment method.
    package static let methodUnknown = RefusalCode(rawValue: "method_unknown")
    /// The account has no payment method.
    package static let noPaymentMethod = RefusalCode(rawValue: "no_payment_method")
    /// The environment has no payment processor.
    package static let noProcessor = RefusalCode(rawValue: "no_processor")
    /// The device or the account may not buy.
    package static let notAllowed = RefusalCode(rawValue: "not_allowed")
    /// It concerns what production sells or its money, and the token is of the sandbox.
    package static let productionRequired = RefusalCode(rawValue: "production_required")
    /// Nothing was paid for it.
    package static let notPaid = RefusalCode(rawValue: "not_paid")
    /// No customer is signed in.
    package static let notSignedIn = RefusalCode(rawValue: "not_signed_in")
    /// The customer asked for another password instead of signing in.
    package static let passwordForgotten = RefusalCode(rawValue: "password_forgotten")
    /// It costs something else than was shown.
    package static let priceChanged = RefusalCode(rawValue: "price_changed")
    /// The processor could not do it.
    package static let processor = RefusalCode(rawValue: "processor")
    /// The product is not sold here.
    package static let productUnavailable = RefusalCode(rawValue: "product_unavailable")
    /// Nobody confirmed the purchase, and it was removed since.
    package static let purchaseForgotten = RefusalCode(rawValue: "purchase_forgotten")
    /// There is no such purchase.
    package static let subscriptionUnknown = RefusalCode(rawValue: "subscription_unknown")
    package static let purchaseUnknown = RefusalCode(rawValue: "purchase_unknown")
    /// A purchase is not for so many.
    package static let quantityOutOfRange = RefusalCode(rawValue: "quantity_out_of_range")
    /// More would be given back than was paid.
    package static let refundTooLarge = RefusalCode(rawValue: "refund_too_large")
    /// The device has not proved what it says of itself.
    package static let registrationRefused = RefusalCode(rawValue: "registration_refused")
    /// Only the sandbox does this.
    package static let sandboxOnly = RefusalCode(rawValue: "sandbox_only")
    /// A simulator buys and restores nothing.
    package static let simulator = RefusalCode(rawValue: "simulator")
    /// The store cannot do it at the moment.
    package static let storeUnavailable = RefusalCode(rawValue: "store_unavailable")
    /// There is no such storefront.
    package static let storefrontUnknown = RefusalCode(rawValue: "storefront_unknown")
    /// The tester became a customer of production.
    package static let testerSpent = RefusalCode(rawValue: "tester_spent")
    /// The token is not valid, or not any more.
    package static let tokenInvalid = RefusalCode(rawValue: "token_invalid")
    /// The request has no token.
    package static let tokenMissing = RefusalCode(rawValue: "token_missing")
    /// What it concerns is not waiting for it any more.
    package static let tooLate = RefusalCode(rawValue: "too_late")
    /// There are more than one request may have.
    package static let tooMany = RefusalCode(rawValue: "too_many")
    /// There is no such transaction.
    package static let transactionUnknown = RefusalCode(rawValue: "transaction_unknown")
    /// A value breaks its rule.
    package static let valueInvalid = RefusalCode(rawValue: "value_invalid")
    /// A value is missing.
    package static let valueMissing = RefusalCode(rawValue: "value_missing")

    // Of offers.

    /// The code was redeemed as often as it may be.
    package static let codeSpent = RefusalCode(rawValue: "code_spent")
    /// The code is over, or was deactivated.
    package static let codeExpired = RefusalCode(rawValue: "code_expired")
    /// The offer is not for this customer.
    package static let ineligibleForOffer = RefusalCode(rawValue: "ineligible_for_offer")
    /// The product has no such offer, or not at the moment.
    package static let invalidOfferIdentifier = RefusalCode(rawValue: "invalid_offer_identifier")
    /// The offer has no price in the storefront.
    package static let invalidOfferPrice = RefusalCode(rawValue: "invalid_offer_price")
    /// The signature of the offer does not match, is too old, or was used already.
    package static let invalidOfferSignature = RefusalCode(rawValue: "invalid_offer_signature")
    /// Something of the offer is missing.
    package static let missingOfferParams = RefusalCode(rawValue: "missing_offer_params")

    // Of the catalogue.

    /// There is an app of this bundle id.
    package static let appExists = RefusalCode(rawValue: "app_exists")
    /// The product is of another kind, which never changes.
    package static let kindFixed = RefusalCode(rawValue: "product_kind_fixed")
    /// There would be more than a limit allows.
    package static let limitReached = RefusalCode(rawValue: "limit_reached")
    /// The name is taken.
    package static let nameTaken = RefusalCode(rawValue: "name_taken")
    /// Nothing has this name.
    package static let nameUnknown = RefusalCode(rawValue: "name_unknown")
    /// The id belonged to a product that was removed.
    package static let productRemoved = RefusalCode(rawValue: "product_removed")
    /// The store serves nothing of the app: its team has not agreed, or its binary was rejected.
    package static let appBlocked = RefusalCode(rawValue: "app_blocked")
    /// There is no such team.
    package static let teamUnknown = RefusalCode(rawValue: "team_unknown")
    /// It is not in the state for that.
    package static let stateWrong = RefusalCode(rawValue: "state_wrong")
    /// The app has no such product.
    package static let productUnknown = RefusalCode(rawValue: "product_unknown")

    package static let known: Set<RefusalCode> = [
        .approvalRefused, .familyUnknown, .familyTaken, .contentGone, .contentRefused, .contentUnknown, .linkExpired,
        .codeExpired, .codeSpent, .ineligibleForOffer, .invalidOfferIdentifier, .invalidOfferPrice,
        .invalidOfferSignature,
        .missingOfferParams,
        .appUnknown, .accountGone, .alreadyRevoked, .beingPaid, .cancelled, .codeUnknown, .credentialsWrong,
        .cursorVoid, .customerUnknown, .declined, .deviceUnknown, .emailTaken, .expired, .internalError,
        .keyMissing, .keyReused, .methodUnknown, .noPaymentMethod, .noProcessor, .notAllowed, .productionRequired,
        .notPaid,
        .notSignedIn, .passwordForgotten, .priceChanged, .processor, .productUnavailable, .purchaseForgotten,
        .purchaseUnknown, .subscriptionUnknown,
        .quantityOutOfRange, .refundTooLarge, .registrationRefused, .sandboxOnly, .simulator, .storeUnavailable,
        .storefrontUnknown, .testerSpent, .tokenInvalid, .tokenMissing, .tooLate, .tooMany, .transactionUnknown,
        .valueInvalid, .valueMissing, .appExists, .kindFixed, .limitReached, .nameTaken, .nameUnknown,
        .productRemoved, .productUnknown, .appBlocked, .teamUnknown, .stateWrong,
    ]
}

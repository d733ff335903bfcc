package import StoreFoundation

/// Why the store refused a request, or why a purchase has no transaction.
///
/// One list for the interfaces of devices and operators, for the use cases behind them, and for the devices that decide by
/// it what to do next. ``declaration`` has all that belongs to a code; a new one is a case and a line there. A store may be
/// newer than a device: what comes from it stays a text until the device knows it.
package enum RefusalCode: String, CaseIterable, Codable, Sendable, CustomStringConvertible {
    // Of requests.
    case keyMissing = "key_missing"
    case keyReused = "key_reused"
    case tokenInvalid = "token_invalid"
    case tokenMissing = "token_missing"
    case valueInvalid = "value_invalid"
    case valueMissing = "value_missing"
    case confirmationMissing = "confirmation_missing"
    case tooMany = "too_many"
    case storeUnavailable = "store_unavailable"
    case notAllowed = "not_allowed"
    case productionRequired = "production_required"
    case sandboxOnly = "sandbox_only"
    case backupUnknown = "backup_unknown"
    case systemBusy = "system_busy"

    // Of accounts and devices.
    case accountGone = "account_gone"
    case credentialsWrong = "credentials_wrong"
    case customerUnknown = "customer_unknown"
    case emailTaken = "email_taken"
    case testerSpent = "tester_spent"
    case passwordForgotten = "password_forgotten"
    case notSignedIn = "not_signed_in"
    case familyTaken = "family_taken"
    case familyUnknown = "family_unknown"
    case methodUnknown = "method_unknown"
    case deviceUnknown = "device_unknown"
    case registrationRefused = "registration_refused"
    case simulator
    case cursorVoid = "cursor_void"
    case clockBusy = "clock_busy"
    case consentWithdrawn = "consent_withdrawn"
    case visitUnknown = "visit_unknown"

    // Of purchases.
    case approvalRefused = "approval_refused"
    case beingPaid = "being_paid"
    case cancelled
    case chargeUnknown = "charge_unknown"
    case codeUnknown = "code_unknown"
    case declined
    case expired
    case itemUnknown = "item_unknown"
    case noPaymentMethod = "no_payment_method"
    case priceChanged = "price_changed"
    case processor
    case productUnavailable = "product_unavailable"
    case productUnknown = "product_unknown"
    case purchaseForgotten = "purchase_forgotten"
    case purchaseUnknown = "purchase_unknown"
    case quantityOutOfRange = "quantity_out_of_range"
    case storefrontUnknown = "storefront_unknown"
    case tooLate = "too_late"

    // Of what was bought.
    case alreadyRevoked = "already_revoked"
    case contentGone = "content_gone"
    case contentRefused = "content_refused"
    case contentUnknown = "content_unknown"
    case itemNotOwned = "item_not_owned"
    case linkExpired = "link_expired"
    case notificationUnknown = "notification_unknown"
    case notPaid = "not_paid"
    case refundTooLarge = "refund_too_large"
    case reviewUnknown = "review_unknown"
    case subscriptionUnknown = "subscription_unknown"
    case transactionUnknown = "transaction_unknown"

    // Of offers.
    case codeExpired = "code_expired"
    case codeSpent = "code_spent"
    case ineligibleForOffer = "ineligible_for_offer"
    case invalidOfferIdentifier = "invalid_offer_identifier"
    case invalidOfferPrice = "invalid_offer_price"
    case invalidOfferSignature = "invalid_offer_signature"
    case missingOfferParams = "missing_offer_params"

    // Of the catalogue.
    case appBlocked = "app_blocked"
    case appExists = "app_exists"
    case appUnknown = "app_unknown"
    case kindFixed = "product_kind_fixed"
    case limitReached = "limit_reached"
    case nameTaken = "name_taken"
    case noNotificationAddress = "no_notification_address"
    case nameUnknown = "name_unknown"
    case productRemoved = "product_removed"
    case stateWrong = "state_wrong"
    case teamUnknown = "team_unknown"

    /// The code as it is on the wire.
    package var description: String { rawValue }
}

extension RefusalCode {
    /// What belongs to a refusal.
    package struct Declaration: Hashable, Sendable {
        /// The status of an answer that refuses.
        package let status: Status
        /// The error that an app gets for it.
        package let storeKit: StoreKitCode
        /// What it means and what to do, in one sentence. A use case that refuses says more of what it met.
        package let advice: String
        /// Whether customers are told of it by StoreKit or on a page. Then the texts of all languages have `error.` with the
        /// code, or with the number of StoreKit's code.
        package let isShown: Bool

        private init(_ status: Status, _ storeKit: StoreKitCode, _ advice: String, isShown: Bool) {
            self.status = status
            self.storeKit = storeKit
            self.advice = advice
            self.isShown = isShown
        }

        fileprivate init(_ status: Status, storeKit: StoreKitCode = .internalError, _ advice: String) {
            self.init(status, storeKit, advice, isShown: false)
        }

        /// A refusal that customers are told of.
        fileprivate static func shown(
            _ status: Status, storeKit: StoreKitCode = .internalError, _ advice: String
        ) -> Declaration {
            Declaration(status, storeKit, advice, isShown: true)
        }
    }

    /// The statuses of HTTP with which a store refuses.
    package enum Status: Int, Sendable {
        case badRequest = 400
        case unauthorized = 401
        case paymentRequired = 402
        case forbidden = 403
        case notFound = 404
        case conflict = 409
        case gone = 410
        case tooManyRequests = 429
        case unavailable = 503
    }

    /// The codes of `SKErrorDomain` that a store names. Devices have no table of their own, so that a store can name new
    /// reasons to apps that are older than it. The last two have no name in StoreKit.
    package enum StoreKitCode: Int, Sendable {
        case unknown = 0
        case paymentCancelled = 2
        case paymentInvalid = 3
        case paymentNotAllowed = 4
        case storeProductNotAvailable = 5
        case invalidOfferIdentifier = 11
        case invalidSignature = 12
        case missingOfferParams = 13
        case invalidOfferPrice = 14
        case ineligibleForOffer = 18
        case internalError = 5002
        case passwordForgotten = 5020
    }

    /// What belongs to the code.
    package var declaration: Declaration {
        switch self {
        case .keyMissing: .init(.badRequest, "The request has no idempotency key; send a UUID of its own.")
        case .keyReused: .init(.conflict, "The idempotency key belongs to another request; take a new one.")
        case .tokenInvalid: .init(.unauthorized, "The token is not valid here, or not any more; get another one.")
        case .tokenMissing: .init(.unauthorized, "The request has no token; send one as Bearer.")
        case .valueInvalid:
            .init(.badRequest, storeKit: .paymentInvalid, "A value breaks its rule; the parameter names it.")
        case .valueMissing: .init(.badRequest, "A value is missing; the parameter names it.")
        case .confirmationMissing:
            .init(
                .conflict, "It reaches far and cannot be taken back; if that is meant, ask once more with `confirmed`.")
        case .tooMany:
            .shown(
                .tooManyRequests, storeKit: .unknown,
                "There are more than are allowed; wait, or end some of them first.")
        case .storeUnavailable:
            .init(
                .unavailable, storeKit: .unknown,
                "The store cannot do it at the moment; ask for the same again in a few seconds.")
        case .notAllowed: .shown(.forbidden, storeKit: .paymentNotAllowed, "In-app purchases are not allowed here.")
        case .productionRequired:
            .init(
                .forbidden,
                "It concerns what production sells or its money; take a token of production, or test with a product of your own."
            )
        case .sandboxOnly: .init(.forbidden, "Only the sandbox does this.")
        case .accountGone: .shown(.gone, storeKit: .unknown, "The account was deleted.")
        case .credentialsWrong:
            .shown(.unauthorized, storeKit: .unknown, "The address, the password or the token is wrong.")
        case .customerUnknown: .init(.notFound, "There is no such customer.")
        case .emailTaken: .init(.conflict, "Another account has the address, or had it.")
        case .testerSpent:
            .shown(
                .forbidden, storeKit: .unknown,
                "This tester is a customer of the real store now; nothing is tested with it any more.")
        case .passwordForgotten:
            .shown(.conflict, storeKit: .passwordForgotten, "Another password was asked for instead of signing in.")
        case .notSignedIn: .init(.unauthorized, storeKit: .unknown, "No customer is signed in.")
        case .familyTaken: .init(.conflict, "The account is in a family already, and can be in one only.")
        case .familyUnknown: .init(.notFound, "The account is in no family, or in another one.")
        case .methodUnknown: .init(.notFound, "There is no such payment method.")
        case .deviceUnknown: .init(.notFound, "There is no such device.")
        case .registrationRefused:
            .init(.forbidden, "The device has not proved what it says of itself; sign another registration.")
        case .simulator: .init(.forbidden, "A simulator buys and restores nothing.")
        case .cursorVoid:
            .init(
                .gone,
                "The place in the events belongs to another account or another life of the store; read everything again."
            )
        case .backupUnknown: .init(.notFound, "There is no backup of this name on the shelf.")
        case .systemBusy:
            .init(.conflict, "The store is busy with something of the kind; ask again when that has ended.")
        case .clockBusy: .init(.conflict, "The clock is being advanced; ask again when it has arrived.")
        case .consentWithdrawn:
            .shown(
                .forbidden, storeKit: .paymentNotAllowed,
                "The family does not let this child use the app any more; its organiser may give the consent again.")
        case .visitUnknown: .init(.notFound, "The app shows no such page, or not any more.")
        case .approvalRefused: .shown(.conflict, storeKit: .paymentCancelled, "The purchase was not approved.")
        case .beingPaid:
            .shown(
                .conflict, storeKit: .unknown,
                "Another purchase of the same product, or of a subscription of its group, is being paid at this moment."
            )
        case .cancelled: .shown(.conflict, storeKit: .paymentCancelled, "The customer cancelled the purchase.")
        case .codeUnknown:
            .shown(.notFound, storeKit: .invalidOfferIdentifier, "Nothing has this code, or not any more.")
        case .declined: .shown(.paymentRequired, storeKit: .unknown, "The payment was declined.")
        case .expired: .shown(.conflict, storeKit: .paymentCancelled, "Nobody confirmed the purchase in time.")
        case .itemUnknown:
            .shown(
                .notFound, storeKit: .storeProductNotAvailable,
                "The store has no such item; the number of each stands beside it in the console.")
        case .noPaymentMethod: .shown(.conflict, storeKit: .unknown, "The account has no payment method.")
        case .priceChanged:
            .init(.conflict, storeKit: .unknown, "It costs something else than was shown; show the new price.")
        case .processor: .shown(.paymentRequired, storeKit: .unknown, "The store could not take the payment.")
        case .productUnavailable:
            .shown(
                .notFound, storeKit: .storeProductNotAvailable,
                "The product is not sold in the storefront of the account.")
        case .productUnknown: .shown(.notFound, storeKit: .paymentInvalid, "The app has no such product.")
        case .purchaseForgotten:
            .shown(.gone, storeKit: .paymentCancelled, "Nobody confirmed the purchase, and it was removed since.")
        case .chargeUnknown: .init(.notFound, "There is no such charge.")
        case .purchaseUnknown: .init(.notFound, "There is no such purchase.")
        case .quantityOutOfRange: .shown(.badRequest, storeKit: .paymentInvalid, "A purchase is not for so many.")
        case .storefrontUnknown: .init(.badRequest, "There is no such storefront.")
        case .tooLate: .init(.conflict, storeKit: .unknown, "What it concerns is not waiting for it any more.")
        case .alreadyRevoked: .init(.conflict, "The transaction has been revoked already.")
        case .contentGone: .init(.gone, "This version of the content is not kept any more; ask for the newest.")
        case .contentRefused: .shown(.forbidden, "The customer may not have the content any more.")
        case .contentUnknown: .shown(.notFound, "The store hosts no such content.")
        case .itemNotOwned: .init(.forbidden, "The account does not have the item.")
        case .linkExpired: .init(.forbidden, "The address of the content was good for a while only; ask for another.")
        case .notificationUnknown: .init(.notFound, "There is no such notification, or not any more.")
        case .notPaid: .init(.conflict, "Nothing was paid for it; it can be revoked.")
        case .refundTooLarge: .init(.conflict, "More would be given back than was paid.")
        case .reviewUnknown: .init(.notFound, "There is no such review, or not any more.")
        case .subscriptionUnknown: .init(.notFound, "There is no such subscription.")
        case .transactionUnknown: .init(.notFound, "There is no such transaction.")
        case .codeExpired: .shown(.conflict, storeKit: .invalidOfferIdentifier, "The code is over, or was deactivated.")
        case .codeSpent: .shown(.conflict, storeKit: .invalidOfferIdentifier, "The code is not good any more.")
        case .ineligibleForOffer:
            .shown(.forbidden, storeKit: .ineligibleForOffer, "The offer is not for this customer.")
        case .invalidOfferIdentifier:
            .shown(.notFound, storeKit: .invalidOfferIdentifier, "The product has no such offer, or not at the moment.")
        case .invalidOfferPrice:
            .shown(
                .badRequest, storeKit: .invalidOfferPrice, "The offer has no price in the storefront of the account.")
        case .invalidOfferSignature:
            .shown(
                .badRequest, storeKit: .invalidSignature,
                "The signature of the offer does not match, is too old, or was used already.")
        case .missingOfferParams:
            .shown(.badRequest, storeKit: .missingOfferParams, "Something of the offer is missing.")
        case .appBlocked:
            .init(
                .forbidden, storeKit: .unknown,
                "The store serves nothing of the app: its team has not agreed, or its binary was rejected.")
        case .appExists: .init(.conflict, "There is an app of this bundle id.")
        case .appUnknown: .init(.notFound, "The store has no such app, or the token is not for it.")
        case .kindFixed: .init(.conflict, "The product is of another kind, which never changes; take another id.")
        case .limitReached: .init(.conflict, "There would be more than a limit allows.")
        case .nameTaken: .init(.conflict, "The name is taken; take another.")
        case .nameUnknown: .init(.notFound, "Nothing has this name.")
        case .noNotificationAddress:
            .init(.conflict, "The app has no address for notifications in this environment; set one first.")
        case .productRemoved:
            .init(.conflict, "The id belonged to a product that was removed; take another, or put it back.")
        case .stateWrong: .init(.conflict, "It is not in the state for that.")
        case .teamUnknown: .init(.notFound, "There is no such team, or the token is not for it.")
        }
    }
}

extension Texts {
    /// What customers are told of a refusal; nil for those of which they are not told.
    package func find(_ code: RefusalCode) -> String? {
        let declaration = code.declaration
        guard declaration.isShown else { return nil }
        if let own = find("error.\(code.rawValue)") { return own }
        // These two say nothing of the reason.
        guard ![.unknown, .internalError].contains(declaration.storeKit) else { return nil }
        return find("error.\(declaration.storeKit.rawValue)")
    }
}

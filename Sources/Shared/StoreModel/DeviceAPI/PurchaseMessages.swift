package struct PurchaseRequest: Codable, Hashable, Sendable {
    package var productId: String
    /// 1 if it is missing.
    package var quantity: Int?
    package var appAccountToken: AppAccountToken?
    /// Whether another person has to approve too, as in Ask to Buy; the sandbox only.
    package var asksToBuy: Bool?
    /// The promotional offer that is asked for.
    package var discount: DiscountRequest?
    /// The code that is redeemed.
    package var offerCode: String?
    /// The offer for former subscribers that is asked for.
    package var winBackOfferId: String?
    /// A promotional offer as the developer's server signed it, a JWS.
    package var signedOffer: String?
    /// Whether the customer may have the introductory offer, as the developer's server signed it, a JWS.
    package var introductoryEligibility: String?

    package init(
        productId: String, quantity: Int? = nil, appAccountToken: AppAccountToken? = nil,
        asksToBuy: Bool? = nil, discount: DiscountRequest? = nil, offerCode: String? = nil,
        winBackOfferId: String? = nil, signedOffer: String? = nil, introductoryEligibility: String? = nil
    ) {
        self.productId = productId
        self.quantity = quantity
        self.appAccountToken = appAccountToken
        self.asksToBuy = asksToBuy
        self.discount = discount
        self.offerCode = offerCode
        self.winBackOfferId = winBackOfferId
        self.signedOffer = signedOffer
        self.introductoryEligibility = introductoryEligibility
    }
}

/// A promotional offer with the signature of the developer's server.
package struct DiscountRequest: Codable, Hashable, Sendable {
    package var offerId: String
    package var keyId: String
    /// A UUID that was never signed before.
    package var nonce: String
    /// ECDSA with SHA-256 in DER and Base64.
    package var signature: String
    /// In milliseconds since 1970.
    package var timestamp: Int64
    /// The user name that was signed, where it is no `appAccountToken`.
    package var applicationUsername: String?

    package init(
        offerId: String, keyId: String, nonce: String, signature: String, timestamp: Int64,
        applicationUsername: String? = nil
    ) {
        self.offerId = offerId
        self.keyId = keyId
        self.nonce = nonce
        self.signature = signature
        self.timestamp = timestamp
        self.applicationUsername = applicationUsername
    }
}

/// A code that a person typed.
package struct RedemptionRequest: Codable, Hashable, Sendable {
    package var code: String

    package init(code: String) {
        self.code = code
    }
}

/// What a code is good for: the product that is bought with it next.
package struct RedemptionAnswer: Codable, Hashable, Sendable {
    package var productId: ProductID
    package var offerId: String
    /// The code as the purchase has to send it.
    package var offerCode: String

    package init(productId: ProductID, offerId: String, offerCode: String) {
        self.productId = productId
        self.offerId = offerId
        self.offerCode = offerCode
    }
}

/// The state of a purchase.
package struct PurchaseAnswer: Codable, Hashable, Sendable {
    package var purchaseId: PurchaseID
    package var key: PurchaseKey
    package var productId: ProductID
    /// In the language of the storefront, as the prices are written; while it is asked about.
    package var title: String?
    package var quantity: Int
    package var unitPrice: PriceAnswer
    package var total: PriceAnswer
    package var state: PurchaseState
    /// What the customer has to do next.
    package var confirmation: ConfirmationAnswer?
    /// The page that the customer has to visit next.
    package var actionUrl: String?
    package var failure: PurchaseFailureAnswer?
    /// The signed transaction, once there is one.
    package var signedTransaction: String?
    /// Whether there is one that this device must not deliver: another one of the customer has done so, or is about to.
    package var isDeliveredElsewhere: Bool?
    /// Whether the account owns it already: it gets it again, and nothing is charged whatever the total says.
    package var isOwned: Bool?
    /// Of a subscription: what follows, and when it renews; in the language of the device.
    package var terms: String?

    package init(
        purchaseId: PurchaseID, key: PurchaseKey, productId: ProductID, quantity: Int, unitPrice: PriceAnswer,
        total: PriceAnswer, state: PurchaseState, confirmation: ConfirmationAnswer? = nil, actionUrl: String? = nil,
        failure: PurchaseFailureAnswer? = nil, signedTransaction: String? = nil
    ) {
        self.purchaseId = purchaseId
        self.key = key
        self.productId = productId
        self.quantity = quantity
        self.unitPrice = unitPrice
        self.total = total
        self.state = state
        self.confirmation = confirmation
        self.actionUrl = actionUrl
        self.failure = failure
        self.signedTransaction = signedTransaction
    }
}

package struct ConfirmationAnswer: Codable, Hashable, Sendable {
    /// The code for approval elsewhere: `till approve CODE`.
    package var code: String
    /// The secret for programs; only in the response that opened the purchase.
    package var token: String?
    /// The path of the page on which the customer answers; missing if the store has no pages.
    package var page: String?
    /// When it expires.
    package var expires: Instant

    package init(code: String, token: String? = nil, page: String? = nil, expires: Instant) {
        self.code = code
        self.token = token
        self.page = page
        self.expires = expires
    }
}

package struct PurchaseFailureAnswer: Codable, Hashable, Sendable {
    package var code: WireWord<RefusalCode>
    /// The processor's reason.
    package var detail: String?
    package var message: String
    /// The error code that StoreKit reports for it.
    package var storeKitCode: Int

    package init(code: WireWord<RefusalCode>, detail: String? = nil, message: String, storeKitCode: Int) {
        self.code = code
        self.detail = detail
        self.message = message
        self.storeKitCode = storeKitCode
    }
}

/// A confirmation by the device itself. Only the sandbox accepts it.
package struct ConfirmationRequest: Codable, Hashable, Sendable {
    /// The secret of the purchase.
    package var token: String?
    /// Or the password of the account, with the code that the purchase was shown with.
    package var password: String?
    package var code: String?

    package init(token: String? = nil, password: String? = nil, code: String? = nil) {
        self.token = token
        self.password = password
        self.code = code
    }
}

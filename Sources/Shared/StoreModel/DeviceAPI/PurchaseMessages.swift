package struct PurchaseRequest: Codable, Hashable, Sendable {
    package var productId: String
    /// 1 if it is missing.
    package var quantity: Int?
    package var appAccountToken: AppAccountToken?
    /// Whether somebody else has to say yes too, as in Ask to Buy; the sandbox only.
    package var asksToBuy: Bool?

    package init(
        productId: String, quantity: Int? = nil, appAccountToken: AppAccountToken? = nil, asksToBuy: Bool? = nil
    ) {
        self.productId = productId
        self.quantity = quantity
        self.appAccountToken = appAccountToken
        self.asksToBuy = asksToBuy
    }
}

/// The state of a purchase.
package struct PurchaseAnswer: Codable, Hashable, Sendable {
    package var purchaseId: PurchaseID
    package var key: PurchaseKey
    package var productId: ProductID
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
    package var code: RefusalCode
    /// The processor's reason.
    package var detail: String?
    package var message: String
    /// The error code that StoreKit reports for it.
    package var storeKitCode: Int

    package init(code: RefusalCode, detail: String? = nil, message: String, storeKitCode: Int) {
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

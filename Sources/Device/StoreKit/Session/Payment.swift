import Foundation
package import StoreModel

/// What an app asks to buy, as it was when the payment was added: later changes to the app's object do not reach it.
///
/// The journal keeps it as one value, so a payment can carry more without a change of the journal or of the rules. A
/// property that is added later must be optional: values that were kept before do not have it.
package struct Payment: Codable, Hashable, Sendable {
    package var product: String
    package var quantity: Int
    /// What names the customer's account with the developer.
    package var username: String?
    /// Whether the sandbox asks a parent first.
    package var simulatesAskToBuyInSandbox: Bool
    package var requestData: Data?
    package var discount: Discount?
    /// The code that the customer redeems with it.
    package var code: String?
    /// Who has asked for it; nil for the queue of the original API.
    package var source: Source?
    /// The name of an offer for former subscribers.
    package var winBackOffer: String?
    /// A promotional offer, as the developer's server signed it in one text.
    package var signedOffer: String?
    /// Whether the customer may have the introductory offer, as the developer's server signed it.
    package var introductoryEligibility: String?

    /// Who has asked for a payment, as the journal keeps it.
    package struct Source: RawRepresentable, Codable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        /// `Product.purchase(options:)`.
        package static let modern = Source(rawValue: "modern")
        /// A code that the customer redeemed.
        package static let code = Source(rawValue: "code")
    }

    package init(
        _ product: String, quantity: Int = 1, username: String? = nil, simulatesAskToBuyInSandbox: Bool = false,
        requestData: Data? = nil, discount: Discount? = nil, code: String? = nil
    ) {
        self.product = product
        self.quantity = quantity
        self.username = username
        self.simulatesAskToBuyInSandbox = simulatesAskToBuyInSandbox
        self.requestData = requestData
        self.discount = discount
        self.code = code
    }

    /// A promotional offer with the signature of the developer's server.
    package struct Discount: Codable, Hashable, Sendable {
        package var identifier: String
        package var keyIdentifier: String
        package var nonce: UUID
        package var signature: String
        /// In milliseconds since 1970.
        package var timestamp: Int64

        package init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: Int64) {
            self.identifier = identifier
            self.keyIdentifier = keyIdentifier
            self.nonce = nonce
            self.signature = signature
            self.timestamp = timestamp
        }
    }
}

extension Payment {
    /// What the store keeps with the transaction: the user name, if it is a UUID.
    package var accountToken: AppAccountToken? { username.flatMap { AppAccountToken($0) } }

    /// The request that opens the purchase.
    var request: PurchaseRequest {
        PurchaseRequest(
            productId: product, quantity: quantity, appAccountToken: accountToken,
            asksToBuy: simulatesAskToBuyInSandbox ? true : nil,
            discount: discount.map { discount in
                DiscountRequest(
                    offerId: discount.identifier, keyId: discount.keyIdentifier,
                    nonce: discount.nonce.uuidString.lowercased(), signature: discount.signature,
                    timestamp: discount.timestamp, applicationUsername: username)
            }, offerCode: code, winBackOfferId: winBackOffer, signedOffer: signedOffer,
            introductoryEligibility: introductoryEligibility)
    }

    /// Why the payment can never be sent; nil if it can.
    var refusal: SessionFailure? {
        if requestData != nil {
            return SessionFailure(
                code: SKError.Code.unauthorizedRequestData.rawValue, reason: "request_data",
                text: "The request data of a payment is reserved, and must be nil.")
        }
        return nil
    }
}

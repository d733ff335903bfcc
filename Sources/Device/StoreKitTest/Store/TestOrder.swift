import Foundation
import StoreKit
import StoreModel
import StoreService

/// What a test buys without the app.
struct TestOrder: Sendable {
    let product: String
    private(set) var quantity: Int?
    private(set) var accountToken: AppAccountToken?
    private(set) var offer: RequestedOffer?
    /// What the developer's server signed of the introductory offer, a JWS.
    private(set) var introductoryEligibility: String?
    /// When it is bought; nil for now.
    private(set) var date: Instant?
    private(set) var cancelsAtOnce = false

    init(_ product: String) { self.product = product }

    init(_ product: String, _ options: Set<Product.PurchaseOption>) throws {
        self.product = product
        for option in options { try take(option.kind) }
    }

    private mutating func take(_ option: Product.PurchaseOption.Kind) throws {
        switch option {
        case .quantity(let quantity): self.quantity = quantity
        case .appAccountToken(let token): accountToken = AppAccountToken(token)
        case .promotionalOffer(let id, let signature):
            offer = .signed(
                SignedDiscount(
                    offerID: id, keyID: signature.keyID, nonce: signature.nonce.uuidString,
                    signature: signature.signature.base64EncodedString(), timestamp: Int64(signature.timestamp)))
        case .promotionalOfferJWS(_, let jws): offer = .compact(jws)
        case .introductoryOfferEligibility(let jws): introductoryEligibility = jws
        case .winBackOffer(let chosen): offer = chosen.id.map { .named($0) }
        case .testPromotionalOffer(let id), .testCodeOffer(let id): offer = .named(id)
        case .testPurchaseDate(let date, let cancelsAtOnce):
            guard let instant = Instant(date: date) else {
                throw SKTestError(.invalidAction, "No clock shows \(date).")
            }
            self.date = instant
            self.cancelsAtOnce = cancelsAtOnce
        case .onStorefrontChange, .custom, .billingPlanType, .simulatesAskToBuyInSandbox:
            // They say something to the app's server, or to a purchase in the app; whether a test asks, its session says.
            return
        }
    }

    var selection: Checkout.Selection {
        get throws {
            try Checkout.Selection(
                product: product, quantity: quantity, accountToken: accountToken, offer: offer,
                introductoryEligibility: introductoryEligibility)
        }
    }
}

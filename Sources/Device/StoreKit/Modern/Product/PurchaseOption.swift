public import Foundation

extension Product {
    /// Something that is settled when a product is bought.
    public struct PurchaseOption: Sendable {
        /// What it settles.
        // Closed: these are the options that the engine knows to carry out.
        package enum Kind: Hashable, Sendable {
            case appAccountToken(UUID)
            case quantity(Int)
            case simulatesAskToBuyInSandbox(Bool)
            case promotionalOffer(id: String, signature: Product.SubscriptionOffer.Signature)
            /// An offer that a server signed in the form of today.
            case promotionalOfferJWS(id: String, jws: String)
            /// Whether the customer may have the introductory offer, as a server signed it.
            case introductoryOfferEligibility(jws: String)
            case winBackOffer(Product.SubscriptionOffer)
            case onStorefrontChange(StorefrontQuestion)
            case custom(key: String, value: CustomValue)
            case billingPlanType(Product.SubscriptionInfo.BillingPlanType)
            /// Of StoreKitTest: an offer of the file that needs no signature.
            case testPromotionalOffer(id: String)
            /// Of StoreKitTest: a code, by the name of its offer in the file.
            case testCodeOffer(referenceName: String)
            /// Of StoreKitTest: a purchase at another time.
            case testPurchaseDate(Date, cancelsAtOnce: Bool)
        }

        /// A value of the app's own.
        // Closed: these are the types of the four initialisers.
        package enum CustomValue: Hashable, Sendable {
            case text(String)
            case number(Double)
            case flag(Bool)
            case data(Data)
        }

        package let kind: Kind

        package init(_ kind: Kind) {
            self.kind = kind
        }
    }
}

/// What an app answers to a change of the storefront during a purchase. Each is equal to itself alone.
package final class StorefrontQuestion: Hashable, Sendable {
    package let shouldContinue: @Sendable (Storefront) -> Bool

    init(_ shouldContinue: @escaping @Sendable (Storefront) -> Bool) {
        self.shouldContinue = shouldContinue
    }

    package static func == (first: StorefrontQuestion, second: StorefrontQuestion) -> Bool { first === second }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// What signs an offer settles nothing: tests of apps hold options against others that have no signature, as they can elsewhere.
extension Product.PurchaseOption: Equatable, Hashable {
    /// Whether two options settle the same. An offer is the same with another signature.
    public static func == (first: Product.PurchaseOption, second: Product.PurchaseOption) -> Bool {
        first.settled == second.settled
    }

    /// Puts in what the option settles.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(settled)
    }

    private var settled: Kind {
        guard case .promotionalOffer(let id, var signature) = kind else { return kind }
        signature.signature = Data()
        return .promotionalOffer(id: id, signature: signature)
    }
}

extension Product.PurchaseOption: CustomDebugStringConvertible {
    /// The option with its values.
    public var debugDescription: String { "\(kind)" }
}

extension Product.PurchaseOption {
    /// Ties the purchase to an account of the app's own.
    public static func appAccountToken(_ token: UUID) -> Product.PurchaseOption {
        Product.PurchaseOption(.appAccountToken(token))
    }

    /// Buys several, from 1 to 10; for consumables and subscriptions that do not renew themselves.
    public static func quantity(_ quantity: Int) -> Product.PurchaseOption {
        Product.PurchaseOption(.quantity(quantity))
    }

    /// Whether the purchase needs another person's approval, in the sandbox.
    public static func simulatesAskToBuyInSandbox(_ simulateAskToBuy: Bool) -> Product.PurchaseOption {
        Product.PurchaseOption(.simulatesAskToBuyInSandbox(simulateAskToBuy))
    }

    /// Buys with a promotional offer, by the parts of its signature.
    public static func promotionalOffer(
        offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
    ) -> Product.PurchaseOption {
        .promotionalOffer(
            offerID: offerID,
            signature: .init(keyID: keyID, nonce: nonce, timestamp: timestamp, signature: signature))
    }

    /// Buys with a promotional offer.
    public static func promotionalOffer(
        offerID: String, signature: Product.SubscriptionOffer.Signature
    ) -> Product.PurchaseOption {
        Product.PurchaseOption(.promotionalOffer(id: offerID, signature: signature))
    }

    /// Buys with a promotional offer that the developer's server signed as a JWS.
    public static func promotionalOffer(_ offerID: String, compactJWS: String) -> [Product.PurchaseOption] {
        [Product.PurchaseOption(.promotionalOfferJWS(id: offerID, jws: compactJWS))]
    }

    /// Lets the developer's server decide whether the customer may have the introductory offer.
    public static func introductoryOfferEligibility(compactJWS: String) -> Product.PurchaseOption {
        Product.PurchaseOption(.introductoryOfferEligibility(jws: compactJWS))
    }

    /// Buys with an offer for former subscribers.
    public static func winBackOffer(_ offer: Product.SubscriptionOffer) -> Product.PurchaseOption {
        Product.PurchaseOption(.winBackOffer(offer))
    }

    /// Asks the app whether to go on if the storefront changes during the purchase; without it, the purchase goes on.
    @preconcurrency public static func onStorefrontChange(
        shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
    ) -> Product.PurchaseOption {
        Product.PurchaseOption(.onStorefrontChange(StorefrontQuestion(shouldContinuePurchase)))
    }

    /// How a subscription with a commitment is billed.
    public static func billingPlanType(
        _ type: Product.SubscriptionInfo.BillingPlanType
    ) -> Product.PurchaseOption {
        Product.PurchaseOption(.billingPlanType(type))
    }

    /// A text of the app's own.
    public static func custom(key: String, value: String) -> Product.PurchaseOption {
        Product.PurchaseOption(.custom(key: key, value: .text(value)))
    }

    /// A number of the app's own.
    public static func custom(key: String, value: Double) -> Product.PurchaseOption {
        Product.PurchaseOption(.custom(key: key, value: .number(value)))
    }

    /// True or false, of the app's own.
    public static func custom(key: String, value: Bool) -> Product.PurchaseOption {
        Product.PurchaseOption(.custom(key: key, value: .flag(value)))
    }

    /// Bytes of the app's own.
    public static func custom(key: String, value: Data) -> Product.PurchaseOption {
        Product.PurchaseOption(.custom(key: key, value: .data(value)))
    }
}

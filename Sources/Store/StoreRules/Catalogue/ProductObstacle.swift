package import StoreModel

/// Why a product cannot be sold: what makes its id one of the invalid ones in the answer to an app.
package struct ProductObstacle: Hashable, Sendable {
    /// The name of the reason, as interfaces tell it.
    package let name: String
    /// One sentence without its full stop, for people.
    package let explanation: String

    private init(_ name: String, _ explanation: String) {
        self.name = name
        self.explanation = explanation
    }

    /// No product could ever have this id.
    package static let malformed = ProductObstacle(
        "malformed", "a product id has 1 to \(ProductID.longest) letters, digits, periods and underscores")
    /// The app has no such product.
    package static let unknown = ProductObstacle("unknown", "the app has no product of this id")
    /// It was removed; its id is never used again.
    package static let removed = ProductObstacle("removed", "the product was removed")
    /// Its developer has taken it off the shelves.
    package static let notClearedForSale = ProductObstacle(
        "not_cleared_for_sale", "the product is not cleared for sale")
    /// Nobody has approved it, and this is production.
    package static let notApproved = ProductObstacle(
        "not_approved", "production sells only what is approved, and the product is not")
    /// It has no price in this storefront, or none in its currency.
    package static let notInStorefront = ProductObstacle(
        "not_in_storefront", "the product is not sold in this storefront; till products price gives it a price there")
    /// It has no title in any language.
    package static let noText = ProductObstacle("no_text", "the product has no title in any language")
}

extension ProductObstacle {
    /// The app shows a profile that is for many apps.
    package static let wildcardProfile = ProductObstacle(
        "wildcard_profile", "the provisioning profile is for many apps, and such a profile sells nothing")
    /// The capabilities of the app have changed since its profile was made.
    package static let staleProfile = ProductObstacle(
        "stale_profile", "the provisioning profile is older than the last change of the app's capabilities")

    /// What keeps an app from selling anything with its profile.
    ///
    /// - Parameters:
    ///   - revision: of the capabilities when the profile was made; nil for a profile for many apps.
    ///   - capabilities: the revision that they have now.
    package static func profile(_ revision: Int?, capabilities: Int) -> ProductObstacle? {
        guard let revision else { return .wildcardProfile }
        return revision < capabilities ? .staleProfile : nil
    }
}

extension ProductObstacle {
    /// The first thing that keeps a product from being sold; nil if nothing does.
    package static func first(
        of state: ProductState, isRemoved: Bool, isClearedForSale: Bool, price: Money?,
        in environment: StoreEnvironment, _ storefront: StorefrontRecord
    ) -> ProductObstacle? {
        if isRemoved { return .removed }
        if !isClearedForSale { return .notClearedForSale }
        switch environment {
        // A state that this version does not know is not taken for an approval.
        case .production where state != .approved: return .notApproved
        default: break
        }
        return price?.currency == storefront.currency ? nil : .notInStorefront
    }
}

/// How far a product is on its way to being sold.
package struct ProductState: WireValue {
    package let rawValue: String

    /// Any state, known or not.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Complete: the sandbox sells it.
    package static let ready = ProductState(rawValue: "ready")
    /// Reviewed: production sells it too.
    package static let approved = ProductState(rawValue: "approved")

    package static let known: Set<ProductState> = [.ready, .approved]
}

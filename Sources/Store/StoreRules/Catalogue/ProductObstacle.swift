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
        "malformed", "a product id has 1 to \(ProductID.longest) letters, digits, periods, underscores and hyphens")
    /// The app has no such product.
    package static let unknown = ProductObstacle("unknown", "the app has no product of this id")
    /// The app has a product whose id differs in capital letters alone.
    package static let otherCase = ProductObstacle(
        "unknown", "the app has no product of this id, in which capital letters count")
    /// It was removed; its id is never used again.
    package static let removed = ProductObstacle("removed", "the product was removed")
    /// Its developer has taken it off the shelves.
    package static let notClearedForSale = ProductObstacle(
        "not_cleared_for_sale", "the product is not cleared for sale")
    /// Nobody has approved it, and this is production.
    package static let notApproved = ProductObstacle(
        "not_approved", "production sells only what is approved, and the product is not")
    /// It was submitted, and this is production.
    package static let awaitsReview = ProductObstacle(
        "waiting_for_review", "production sells only what is approved, and the product waits for a reviewer")
    package static let isInReview = ProductObstacle(
        "in_review", "production sells only what is approved, and the product is in review")
    package static let awaitsVersion = ProductObstacle(
        "pending_binary_approval", "the product is accepted, and waits for the version of the app that it comes with")
    /// It has no price in this storefront, or none in its currency.
    package static let notInStorefront = ProductObstacle(
        "not_in_storefront", "the product is not sold in this storefront; till products price gives it a price there")
    /// It has no title in any language.
    package static let noText = ProductObstacle("no_text", "the product has no title in any language")
}

extension ProductObstacle {
    /// Whether there is such a product, as far as an app may know: production does not tell of what it has never sold.
    package func isOfKnownProduct(in environment: StoreEnvironment) -> Bool {
        switch self {
        case .malformed, .unknown, .otherCase, .removed: false
        case .notApproved, .awaitsReview, .isInReview, .awaitsVersion, .awaitsContent, .processesContent:
            environment == .sandbox
        default: true
        }
    }

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
    /// The team may not sell at the moment.
    package static let suspended = ProductObstacle(
        "suspended", "the developer is suspended, and sells nothing new")
    /// Nothing of StoreKit works in the app.
    package static let noAgreement = ProductObstacle(
        "no_agreement", "the developer has no valid agreement about paid apps, so nothing can be bought or restored")
    package static let binaryRejected = ProductObstacle(
        "binary_rejected",
        "the store rejected the app, and no version of it is approved, so nothing can be bought or restored")
    package static let binaryWithdrawn = ProductObstacle(
        "binary_rejected_by_developer",
        "the developer rejected the app, and no version of it is approved, so nothing can be bought or restored")
    /// The app may not use in-app purchase.
    package static let noCapability = ProductObstacle(
        "no_capability", "in-app purchase is not among the capabilities of the app")
    /// Something of it is missing, so that not even the sandbox sells it.
    package static let incomplete = ProductObstacle(
        "missing_metadata", "the product is not complete: it lacks a text or a price")
    /// It is an album or a season of which nothing is shown yet.
    package static let empty = ProductObstacle("missing_metadata", "there is nothing in it yet")
    /// The store hosts its content, and has none yet.
    package static let awaitsContent = ProductObstacle(
        "waiting_for_upload", "the store hosts the content of the product, and none has been uploaded")
    package static let processesContent = ProductObstacle(
        "processing_content", "the store is still looking at the content of the product")
    package static let removedFromSale = ProductObstacle(
        "removed_from_sale", "the store has taken the product off the shelves")
    /// It came of a file for tests, and is for the sandbox.
    package static let periodNotAllowed = ProductObstacle(
        "period_not_allowed",
        "production does not sell this period, which is for tests: \(BillingPeriod.subscriptionRule)")
    package static let notPropagated = ProductObstacle(
        "not_propagated", "a change of the product has not reached the customers yet")

    /// Whether nothing of StoreKit works in the app: purchases and restores fail too.
    package var blocksApp: Bool { [.noAgreement, .binaryRejected, .binaryWithdrawn].contains(self) }

    /// What keeps an app from selling anything, whatever the product; nil if nothing does.
    ///
    /// - Parameter versions: the states of its versions, the newest last.
    package static func ofApp(
        hasAgreement: Bool, versions: [AppVersionState], isSuspended: Bool, mayUsePurchases: Bool
    ) -> ProductObstacle? {
        if !hasAgreement { return .noAgreement }
        if !versions.contains(.approved) {
            switch versions.last {
            case .rejected: return .binaryRejected
            case .developerRejected: return .binaryWithdrawn
            default: break
            }
        }
        if isSuspended { return .suspended }
        return mayUsePurchases ? nil : .noCapability
    }

    /// The first thing that keeps a product from being sold; nil if nothing does.
    ///
    /// - Parameter arrival: when its last change reaches the customers; nil if it has.
    package static func first(
        of review: ProductReview, isRemoved: Bool, isClearedForSale: Bool, period: BillingPeriod?, price: Money?,
        arrival: Instant? = nil, in environment: StoreEnvironment, _ storefront: StorefrontRecord, at now: Instant
    ) -> ProductObstacle? {
        if isRemoved { return .removed }
        if review.state == .removedFromSale { return .removedFromSale }
        if !isClearedForSale || review.state == .developerRemovedFromSale { return .notClearedForSale }
        if price?.currency != storefront.currency, review.isSold(in: environment) || review.state == .missingMetadata {
            return .notInStorefront
        }
        if !review.isSold(in: environment) {
            return switch review.state {
            // Nobody can approve it before that is there.
            case .waitingForUpload: .awaitsContent
            case .processingContent: .processesContent
            case .waitingForReview: .awaitsReview
            case .inReview: .isInReview
            case .pendingBinaryApproval: .awaitsVersion
            default: environment == .production ? .notApproved : .incomplete
            }
        }
        if environment == .production, let period, !period.isForSubscriptions { return .periodNotAllowed }
        if let arrival, now < arrival { return .notPropagated }
        return nil
    }
}

extension ProductObstacle {
    /// The account may not buy, whatever it is.
    package static let accountForbidden = ProductObstacle("account_not_allowed", "the account may not buy")
    package static let deviceForbidden = ProductObstacle(
        "device_not_allowed", "nobody may buy on the newest device of the account")
}

extension ProductObstacle {
    /// What a command that mends an obstacle names.
    package struct Place: Hashable, Sendable {
        package let environment: StoreEnvironment
        let bundle: String
        let product: String
        let storefront: String
        let team: String
        let account: String
        let device: String

        /// What is not known is left to the person, in capital letters.
        package init(
            _ bundle: BundleID, _ product: String, _ storefront: StorefrontRecord, team: TeamID? = nil,
            account: String? = nil, device: DeviceID? = nil, in environment: StoreEnvironment = .sandbox
        ) {
            (self.bundle, self.product, self.storefront) = (bundle.text, product, storefront.alpha3)
            (self.team, self.account) = (team?.text ?? "TEAM", account ?? "EMAIL")
            (self.device, self.environment) = (device?.description ?? "DEVICE", environment)
        }
    }

    /// The one command of till that mends it; nil where nothing can, or where time does.
    ///
    /// - Returns: what follows `till`; a word in capital letters is the person's to fill in.
    package func remedy(_ place: Place) -> String? {
        let (bundle, product, storefront, team) = (place.bundle, place.product, place.storefront, place.team)
        let name = "\(bundle) \(product)"
        return switch self {
        case .unknown: "products import FILE --bundle-id \(bundle)"
        case .notClearedForSale: "products clear \(name)"
        case .notApproved: "products approve \(name)"
        case .awaitsReview: "review begin \(name)"
        case .isInReview: "review approve \(name)"
        case .awaitsVersion: "versions approve \(bundle) VERSION"
        case .notInStorefront: "products price \(name) \(storefront) AMOUNT"
        case .periodNotAllowed: "products put \(name) --period P1W"
        case .removedFromSale: "review put-back \(name)"
        case .incomplete, .noText: "products put \(name) --title TITLE"
        case .awaitsContent: "content push FOLDER --app \(bundle)"
        case .noAgreement: "agreements accept \(team) paid --by NAME"
        case .binaryRejected, .binaryWithdrawn: "versions submit \(bundle) VERSION"
        case .suspended: "teams reinstate \(team)"
        case .noCapability: "apps capabilities \(bundle) in_app_purchase"
        case .staleProfile, .wildcardProfile: "provision \(bundle) --\(place.environment)"
        case .accountForbidden:
            "\(place.environment == .sandbox ? "testers" : "customers") change \(place.account) --purchases allowed"
        case .deviceForbidden:
            "devices change \(place.device) --purchases allowed"
                + (place.environment == .sandbox ? "" : " --environment \(place.environment)")
        default: nil
        }
    }
}

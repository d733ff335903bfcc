import Foundation
package import StoreCatalogue
import StoreDatabase
import StoreLog
package import StoreModel
package import StoreRules

/// The offer that a purchase asks for, as a request says it.
// Closed: each is proven in its own way.
package enum RequestedOffer: Hashable, Sendable {
    /// A promotional offer, with the signature of the developer's server.
    case signed(SignedDiscount)
    /// An offer by its name, which only the operator may ask for.
    case named(String)
    /// The offer of a code.
    case code(String)
    /// An offer for former subscribers, which whoever may have it needs no proof for.
    case winBack(String)
    /// A promotional offer, which the developer's server signed as a JWS.
    case compact(String)

    /// What a repeated request has to be the same in.
    var fingerprint: String {
        switch self {
        case .signed(let discount): "signed \(discount.parts.joined(separator: "\n"))"
        case .named(let id): "named \(id)"
        case .code(let text): "code \(OfferCodes.normal(text) ?? text)"
        case .winBack(let id): "win-back \(id)"
        case .compact(let text): "compact \(text)"
        }
    }
}

/// What of the offers of a product a purchase may come to, and who may have them.
package struct OfferLookup: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    static let noOffers = ServiceError(
        .invalidOfferIdentifier, "only a subscription that renews has offers", parameter: "offerId")

    // MARK: For a purchase

    /// The offers of a product that a purchase may come to; throws what is wrong with the one that it asks for.
    func choice(
        _ selection: Checkout.Selection, _ product: ProductListing?, app: AppID, bundle: BundleID
    ) async throws -> OfferChoice {
        guard let product else { return .none }
        let introductory = product.introductory
        var allowsIntroductory: Bool?
        if let signed = selection.introductoryEligibility {
            allowsIntroductory = await OfferSignature(store).allowsIntroductory(
                signed, for: product.product.productID, app: app, bundle: bundle)
        }
        guard let offer = selection.offer else {
            return OfferChoice(introductory: introductory, allowsIntroductory: allowsIntroductory)
        }
        let asked: AskedOffer
        switch offer {
        case .named(let id):
            asked = try await self.asked(id, of: product, in: nil, proof: .name)
        case .winBack(let id):
            asked = try await self.asked(id, of: product, in: .winBack, proof: .name)
        case .signed(let discount):
            try discount.requireParts()
            // Whether there is such an offer comes first: a developer mends a name before a signature.
            _ = try await self.asked(discount.offerID, of: product, in: .promotional, proof: .name)
            let proof = try await OfferSignature(store).proof(
                of: discount, for: product.product.productID, selection.accountToken, app: app, bundle: bundle)
            asked = try await self.asked(discount.offerID, of: product, in: .promotional, proof: proof)
        case .compact(let text):
            let (id, proof) = try await OfferSignature(store).proof(
                ofCompact: text, for: product.product.productID, app: app, bundle: bundle)
            asked = try await self.asked(id, of: product, in: .promotional, proof: proof)
        case .code(let text):
            let (code, batch) = try await OfferCodeBatches(store).batch(of: text, app: app)
            guard batch.item == product.product.itemID else {
                throw ServiceError(
                    .invalidOfferIdentifier, "the code is for \(batch.product), not for \(product.product.productID)",
                    parameter: "offerCode")
            }
            asked = try await self.asked(batch.offer, of: product, in: .code, proof: .code(code))
        }
        return OfferChoice(introductory: introductory, allowsIntroductory: allowsIntroductory, asked: asked)
    }

    /// - Parameter kind: the kind that it must be of; nil for all but introductory ones, which apply by themselves.
    private func asked(
        _ id: String, of product: ProductListing, in kind: OfferKind?, proof: AskedOffer.Proof
    ) async throws -> AskedOffer {
        guard let found = product.lowerPrice(id), found.offer.kind == kind ?? found.offer.kind,
            found.offer.kind != .introductory
        else { throw try await absence(of: id, from: product, in: kind) }
        return AskedOffer(found.offer.terms(at: found.price), found.offer.condition, proof)
    }

    /// Why a product does not have an offer here.
    private func absence(
        of id: String, from listing: ProductListing, in kind: OfferKind?
    ) async throws -> ServiceError {
        let product = listing.product
        let known = try await store.catalogue.lookUp { [environment = store.environment] in
            try SubscriptionOffers.list(of: product, in: environment, $0)
        }
        let name = "\(id.prefix(SubscriptionOffers.longestID))"
        guard let offer = known.first(where: { $0.id == id }) else {
            let names = known.filter { $0.kind == kind ?? $0.kind && $0.kind != .introductory }.map(\.id)
            return ServiceError(
                .invalidOfferIdentifier,
                "\(product.productID) has no offer \(name)"
                    + (store.environment == .sandbox && !names.isEmpty
                        ? "; it has: \(names.joined(separator: ", "))" : ""),
                parameter: "offerId")
        }
        if offer.kind == .introductory || kind != nil && offer.kind != kind {
            return ServiceError(
                .invalidOfferIdentifier, "the offer \(name) is of the kind \(offer.kind.rawValue)", parameter: "offerId"
            )
        }
        guard offer.isCurrent(at: listing.commerce) else {
            return ServiceError(
                .invalidOfferIdentifier, "the offer \(name) has not begun, or is over", parameter: "offerId")
        }
        return ServiceError(
            .invalidOfferPrice, "the offer \(name) has no price in the storefront of the customer",
            parameter: "offerId")
    }

    // MARK: Who may have what

    /// An offer of a product, and whether a customer may have it.
    package struct Eligibility: Sendable {
        package let product: ProductID
        package let offer: SubscriptionOffer
        package let verdict: OfferVerdict
        /// What it would cost the customer; nil where it has no price.
        package let price: Money?
    }

    /// Which offers of an app, or of one of its products or groups, are open to a customer, and why the others are not.
    package func eligibility(
        of name: String, app bundle: BundleID, product: ProductID? = nil, group: SubscriptionGroupID? = nil
    ) async throws -> [Eligibility] {
        let customer = try await store.database.read { try Customers.named(name, in: $0) }
        let (app, products) = try await store.catalogue.read { [environment = store.environment] transaction in
            guard let app = try Catalogue.app(bundle, in: transaction) else {
                throw ServiceError(.appUnknown, "the store has no app \(bundle)", parameter: "bundleId")
            }
            return (app, try Self.products(of: app, product, group, environment, in: transaction))
        }
        let storefront = try customer.storefront.known()
        let scope = CustomerScope(
            customer: customer.id, app: app.id, bundle: bundle, storefront: customer.storefront)
        let (cause, clocks) = (store.cause(.owner), store.clocks)
        return try await store.database.read { transaction in
            let scale = try cause.terms(of: customer.id, grace: nil, in: transaction).scale
            let now = clocks.now(by: try CustomerClock.of(customer.id, in: transaction)).commerce
            return try products.flatMap { product, offers -> [Eligibility] in
                let item = SoldItem(
                    id: product.itemID, product: product.productID, kind: product.kind, period: product.period,
                    group: product.groupID, unitPrice: .zero(storefront.currency), storefront: customer.storefront)
                let history = try SubscriberHistory(of: item, for: scope, at: now, in: transaction)
                return offers.map { offer in
                    Eligibility(
                        product: product.productID, offer: offer,
                        verdict: Self.verdict(offer, history, storefront, scale, at: now),
                        price: offer.price(in: storefront))
                }
            }
        }
    }

    private static func products(
        of app: CatalogueApp, _ id: ProductID?, _ group: SubscriptionGroupID?, _ environment: StoreEnvironment,
        in transaction: any ReadTransaction
    ) throws -> [(CatalogueProduct, [SubscriptionOffer])] {
        let found: [CatalogueProduct]
        if let id {
            guard let product = try Catalogue.product(id, of: app.id, in: environment, transaction) else {
                throw ServiceError(.productUnknown, "the app has no product \(id)", parameter: "productId")
            }
            found = [product]
        } else {
            // Those of a group may be anywhere among the products of a large app.
            let limit = group == nil ? mostProducts : Int.max
            found = try Catalogue.products(of: app.id, limit: limit, in: environment, transaction)
                .filter { group == nil || $0.groupID == group }
        }
        return try found.filter { $0.kind == .autoRenewable }.map {
            ($0, try SubscriptionOffers.list(of: $0, in: environment, transaction))
        }
    }

    /// The most products of an app whose offers are looked at together.
    private static let mostProducts = 200

    private static func verdict(
        _ offer: SubscriptionOffer, _ history: SubscriberHistory, _ storefront: StorefrontRecord, _ scale: PeriodScale,
        at now: Instant
    ) -> OfferVerdict {
        if !offer.isCurrent(at: now) {
            return .no("the offer has not begun, or is over")
        }
        if offer.price(in: storefront) == nil {
            return .no("the offer has no price in \(storefront.alpha3)")
        }
        return offer.condition.verdict(for: history, scale: scale, at: now)
    }
}

import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The offers of a subscription: what there is, and the form of each.
struct ProductOffersSection: ConsoleSection {
    let services: ConsoleServices

    private static let offer = PathParameter<String>("offerId", rule: "the id of an offer") { $0.isEmpty ? nil : $0 }

    var routes: [Route] {
        let product = "/apps/{bundleId}/products/{productId}"
        return [
            page(product + "/offers", for: .catalogue, .both, list),
            form(product + "/offers", for: .catalogue, .both, remove, else: list),
            page(product + "/new-offer", for: .catalogue, .both) { try await self.form($0) },
            shown(product + "/new-offer", for: .catalogue, .both, keep) { try await self.form($0) },
            page(product + "/offers/{offerId}", for: .catalogue, .both) { try await self.form($0) },
            shown(product + "/offers/{offerId}", for: .catalogue, .both, keep) { try await self.form($0) },
        ]
    }

    private func list(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let path = try visit.product
        let found = try await visit.editing.overview(of: path)
        let (app, product) = (found.app, found.details.product)
        let mayChange = visit.may(.catalogue, change: true, .both)
        var page = ConsolePage(visit: visit, title: "Offers of \(product.referenceName)", place: .apps)
        page.crumbs = [
            ("Apps", visit.link("/apps")), (app.name, visit.link("/apps/\(app.bundleID)")),
            (product.referenceName, visit.link(path.link)),
        ]
        page.lede =
            product.kind != .autoRenewable
            ? "Only subscriptions that renew have offers."
            : found.offers.isEmpty
                ? "It costs the same for everybody." : "\(found.offers.count) of at most \(SubscriptionOffers.most)."
        page.alternatives = [
            .init(command: "offers list \(app.bundleID) \(product.productID)", request: "\(path.link)/offers")
        ]
        if mayChange, product.kind == .autoRenewable {
            page.actions = [
                a(.class("button primary"), .href(visit.link(path.link + "/new-offer"))) { "A new offer" }
            ]
        }
        return try await page.response {
            DataTable(
                title: "Offers",
                columns: [.text("Offer, in the United States"), .text("Who gets it"), .optional("When"), .text("")],
                rows: found.offers.map { offer in
                    let place = "\(path.link)/offers/\(PercentEncoding.encode(offer.id))"
                    let words = OfferWords.of(offer, found.details, visit)
                    return [
                        [
                            a(.href(visit.link(place))) { words.sentence },
                            small(.class("muted")) {
                                [offer.referenceName, offer.id].compactMap(\.self).joined(separator: " · ")
                            },
                        ], [words.audience], [words.dates], mayChange ? [removal(of: offer, path, visit)] : [],
                    ]
                }, empty: [p { "No offers." }]
            ).element
        }
    }

    private func removal(of offer: SubscriptionOffer, _ path: ProductPath, _ visit: ConsoleVisit) -> Element {
        asking("Take it away…", "Nobody gets it any more; who has it keeps it to its end.") {
            visit.form(path.link + "/offers") {
                hidden("offer", offer.id)
                button(.class("danger")) { "Take \(offer.id) away" }
            }
        }
    }

    private func remove(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let path = try visit.product
        _ = try await visit.editing.removeOffer(input["offer"], of: path)
        return visit.link(path.link + "/offers", done: .removed)
    }

    // MARK: One

    private func form(_ visit: ConsoleVisit, showing preview: OfferFormPage.Preview? = nil) async throws -> HTTPResponse
    {
        let found = try await visit.editing.overview(of: visit.product)
        guard found.details.product.kind == .autoRenewable else {
            throw APIError(.notFound, code: "path_unknown", "Only subscriptions that renew have offers.")
        }
        return try await OfferFormPage(
            visit: visit, app: found.app, details: found.details, offer: Self.offer(of: visit, in: found),
            preview: preview
        ).response()
    }

    /// The offer of the path; nil of the page for a new one.
    private static func offer(of visit: ConsoleVisit, in found: ProductOverview) throws -> SubscriptionOffer? {
        guard visit.request.parameters.text("offerId") != nil else { return nil }
        let id = try visit.request[offer]
        guard let offer = found.offers.first(where: { $0.id == id }) else {
            throw CatalogueError(.nameUnknown, "the product has no offer of this id", field: "offerId")
        }
        return offer
    }

    private func keep(_ visit: ConsoleVisit, _ input: FormInput) async throws -> HTTPResponse {
        let path = try visit.product
        let found = try await visit.editing.overview(of: path)
        let known = try Self.offer(of: visit, in: found)
        let draft = try OfferFormPage.draft(input, of: found.details.product, changing: known)
        if known == nil { try Self.requireFree(draft.id, among: found.offers) }
        guard input["do"] == "show" else {
            _ = try await visit.editing.put(draft, of: path)
            return redirect(to: visit.link(path.link + "/offers", done: .kept))
        }
        let offer = try await visit.editing.offer(by: draft, of: path)
        var visit = visit
        visit.sent = SentForm(action: String(visit.request.target.raw.prefix { $0 != "?" }), items: input.items)
        return try await form(visit, showing: preview(of: offer, found, visit))
    }

    private static func requireFree(_ id: String, among offers: [SubscriptionOffer]) throws(CatalogueError) {
        guard let known = offers.first(where: { $0.id == id }) else { return }
        let free = (2...).lazy.map { "\(id)-\($0)" }.first { name in !offers.contains { $0.id == name } } ?? id
        let kind = known.kind.rawValue.replacing("_", with: " ")
        throw CatalogueError(.nameTaken, "it is taken by the \(kind) offer; \(free) is free", field: "offerId")
    }

    private func preview(
        of offer: SubscriptionOffer, _ found: ProductOverview, _ visit: ConsoleVisit
    ) async throws -> OfferFormPage.Preview {
        let code = StorefrontCode(rawValue: "USA")
        let content = try await PaymentSheet(visit.store).preview(
            found.details, of: found.app, in: code.known(parameter: "storefront"), language: "en-US", offer: offer)
        let item = try content.status.terms.item
        let text = RenewalText(language: content.language) { visit.text($0, in: code) }.text(
            of: item, isOwned: false, scale: content.scale, at: content.now, paidWith: content.method?.label)
        return OfferFormPage.Preview(
            title: content.title, first: offer.paymentMode == .free ? "free" : visit.text(item.unitPrice, in: code),
            regular: visit.text(item.regularPrice, in: code), sentence: text ?? "")
    }
}

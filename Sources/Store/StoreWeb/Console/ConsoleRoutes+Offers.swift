import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreSigning

/// Offers of subscriptions: which are open to whom, the codes by which they are redeemed, and the keys that sign them.
extension ConsoleRoutes {
    private static let batch = PathParameter<OfferCodeBatchID>("batchId", rule: "the number of a batch of codes")

    var offerRoutes: [Route] {
        [
            page("/apps/{bundleId}/codes", for: .secrets, .here) { try await Self.codes($0) },
            form("/apps/{bundleId}/codes", for: .secrets, .here) { visit, input in
                let bundle = try visit.request[Self.bundle]
                _ = try await visit.editing.app(bundle)
                guard let count = Int(input["count"]) else {
                    throw ServiceError(.valueInvalid, "the number of codes is a whole number", parameter: "count")
                }
                let end = try input["until"].isEmpty ? nil : Instant(rfc3339: input["until"] + "T00:00:00Z")
                _ = try await OfferCodeBatches(visit.store).makeCodes(
                    .init(
                        product: ProductID(parsing: input["product"]), offer: input["offer"],
                        custom: input["custom"].isEmpty ? nil : input["custom"], count: count, expiresAt: end),
                    app: bundle, visit.cause)
                return visit.link("/apps/\(bundle)/codes", done: .made)
            } else: {
                try await Self.codes($0)
            },
            page("/apps/{bundleId}/codes/{batchId}", for: .secrets, .here) { try await Self.oneBatch($0) },
            form("/apps/{bundleId}/codes/{batchId}/deactivation", for: .secrets, .here) { visit, _ in
                let (bundle, id) = (try visit.request[Self.bundle], try visit.request[Self.batch])
                _ = try await visit.editing.app(bundle)
                _ = try await OfferCodeBatches(visit.store).deactivate(id, app: bundle, visit.cause)
                return visit.link("/apps/\(bundle)/codes/\(id)", done: .changed)
            } else: {
                try await Self.oneBatch($0)
            },
            newKey,
            form("/apps/{bundleId}/offer-keys/revocation", for: .secrets, .production) { visit, input in
                let bundle = try visit.request[Self.bundle]
                _ = try await visit.editing.revokeOfferKey(input["key"], of: bundle)
                return visit.link("/apps/\(bundle)/codes", done: .changed)
            } else: {
                try await Self.codes($0)
            },
        ]
    }

    /// A key is shown once: on the page that answers its form.
    private var newKey: Route {
        shown("/apps/{bundleId}/offer-keys", for: .secrets, .production) { visit in
            let made = try await visit.editing.addOfferKey(
                nil, as: nil, name: nil, of: visit.request[Self.bundle], visit.services.random)
            return try await Self.codes(visit, made: made.privateKey.map { (made.entry.id, $0) })
        } else: {
            try await Self.codes($0)
        }
    }

    /// The offers of the apps in which a customer has bought something, with whether they are open to them.
    static func offers(
        _ visit: ConsoleVisit, _ customer: Customer, in bundles: [BundleID]
    ) async throws -> [OfferLookup.Eligibility] {
        guard customer.deletedAt == nil else { return [] }
        var (seen, offers): (Set<BundleID>, [OfferLookup.Eligibility]) = ([], [])
        for bundle in bundles where seen.count < mostApps && seen.insert(bundle).inserted {
            offers += (try? await OfferLookup(visit.store).eligibility(of: customer.id.description, app: bundle)) ?? []
        }
        return offers
    }

    /// The apps whose offers are on the page of a customer.
    private static let mostApps = 5

    // MARK: Pages

    private static func codes(
        _ visit: ConsoleVisit, made: (id: String, pem: String)? = nil
    ) async throws -> HTTPResponse {
        let app = try await visit.editing.app(visit.request[bundle])
        let keys = try await visit.editing.offerKeys(of: app.bundleID)
        let codes = OfferCodeBatches(visit.store)
        let (batches, now) = (try await codes.codes(app: app.bundleID), try await codes.now())
        var page = ConsolePage(visit: visit, title: "Codes and keys of offers", place: .apps)
        page.crumbs = [("Apps", visit.link("/apps")), (app.name, visit.link("/apps/\(app.bundleID)"))]
        page.lede = "Codes are of \(visit.environment) alone; keys sign promotional offers in both environments."
        page.alternatives = [
            .init(command: "codes list \(app.bundleID)", request: "/apps/\(app.bundleID)/codes"),
            .init(command: "offer-keys list \(app.bundleID)", request: "/apps/\(app.bundleID)/offer-keys"),
        ]
        return try await page.response {
            if let made { once("The private half of the key \(made.id). It is shown this once:", made.pem) }
            table(of: batches, visit, app, at: now)
            if visit.may(.secrets, change: true) { newCodes(visit, app) }
            h2 { "Keys that sign promotional offers" }
            table(of: keys, visit, app)
        }
    }

    private static func table(
        of batches: [OfferCodes.Batch], _ visit: ConsoleVisit, _ app: CatalogueApp, at now: Instant
    ) -> [any HTML] {
        DataTable(
            title: "Codes",
            columns: [
                .text("Batch"), .text("Offer"), .optional("Product"), .amount("Redeemed"), .optional("Until"),
                .text("State"),
            ],
            rows: batches.map { batch in
                [
                    [
                        a(.href(visit.link("/apps/\(app.bundleID)/codes/\(batch.id)"))) {
                            batch.code ?? "\(batch.total) codes"
                        }
                    ], [batch.offer], ["\(batch.product)"], ["\(batch.used) of \(batch.total)"],
                    [batch.expiresAt.map { String($0.rfc3339.prefix(10)) } ?? ""],
                    [batch.obstacle(at: now).map { tag(.calm, "\($0)") } ?? tag(.good, "good")],
                ]
            },
            empty: [
                p { "No codes yet. An offer of the kind code has them; the form below makes some, and so does:" },
                p { code { visit.command("codes create BUNDLE PRODUCT OFFER --count 10") } },
            ]
        ).element
    }

    private static func newCodes(_ visit: ConsoleVisit, _ app: CatalogueApp) -> Element {
        details(.class("card make"), visit.problem == nil ? nil : .isOpen) {
            summary { "Make codes" }
            StoreWeb.form(.isPost, .class("fields"), .action(visit.link("/apps/\(app.bundleID)/codes"))) {
                input(.type("hidden"), .name(ConsoleVisit.proof), .value(visit.proof))
                field("product", "Product id", visit, isRequired: true)
                field("offer", "Offer of the kind code", visit, isRequired: true)
                field("count", "How many, or how often", visit, type: "number", isRequired: true)
                field("custom", "One code for many; empty for one-time codes", visit)
                field("until", "Until", visit, type: "date")
                button(.class("primary")) { "Make them" }
            }
        }
    }

    private static func table(
        of keys: [OfferKeys.Entry], _ visit: ConsoleVisit, _ app: CatalogueApp
    ) -> [any HTML] {
        let path = "/apps/\(app.bundleID)/offer-keys"
        let list = DataTable(
            title: "Keys", columns: [.text("Key"), .optional("Name"), .text("Made"), .text("State"), .text("")],
            rows: keys.map { key in
                [
                    name(key.id), [key.name], [ago(key.createdAt, visit.now)],
                    [key.revokedAt == nil ? tag(.good, "good") : tag(.calm, "revoked")],
                    [
                        key.revokedAt == nil && visit.may(.secrets, change: true, .production)
                            ? asking("Revoke…", "What it has signed is refused at once, and it cannot be given back.") {
                                StoreWeb.form(.isPost, .action(visit.link(path + "/revocation"))) {
                                    input(.type("hidden"), .name(ConsoleVisit.proof), .value(visit.proof))
                                    input(.type("hidden"), .name("key"), .value(key.id))
                                    button(.class("danger")) { "Revoke it" }
                                }
                            } : ""
                    ],
                ]
            }, empty: [p { "No key yet; without one no promotional offer can be signed." }]
        ).element
        guard visit.may(.secrets, change: true, .production) else { return list }
        return list + [
            StoreWeb.form(.isPost, .action(visit.link(path))) {
                input(.type("hidden"), .name(ConsoleVisit.proof), .value(visit.proof))
                button { "Make a key" }
            }
        ]
    }

    private static func oneBatch(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let app = try await visit.editing.app(visit.request[bundle])
        let (id, batches) = (try visit.request[batch], OfferCodeBatches(visit.store))
        let (batch, codes) = try await batches.codes(of: id, app: app.bundleID)
        let obstacle = batch.obstacle(at: try await batches.now())
        var page = ConsolePage(visit: visit, title: batch.code ?? "\(batch.total) codes", place: .apps)
        let all = visit.link("/apps/\(app.bundleID)/codes")
        page.crumbs = [
            ("Apps", visit.link("/apps")), (app.name, visit.link("/apps/\(app.bundleID)")), ("Codes", all),
        ]
        page.tag = obstacle == nil ? tag(.good, "good") : tag(.calm, "not good any more")
        page.lede =
            "Of the offer \(batch.offer) of \(batch.product), \(batch.used) of \(batch.total) redeemed"
            + (obstacle.map { "; \($0)." } ?? ".")
        page.alternatives = [
            .init(command: "codes show \(app.bundleID) \(id)", request: "/apps/\(app.bundleID)/codes/\(id)"),
            .init(command: "codes export \(app.bundleID) \(id)"),
        ]
        return try await page.response {
            if batch.isActive, visit.may(.secrets, change: true) {
                asking("Deactivate…", "Nobody can redeem them any more. What was redeemed stays.") {
                    StoreWeb.form(
                        .isPost, .action(visit.link("/apps/\(app.bundleID)/codes/\(id)/deactivation"))
                    ) {
                        input(.type("hidden"), .name(ConsoleVisit.proof), .value(visit.proof))
                        button(.class("danger")) { "Deactivate them" }
                    }
                }
            }
            DataTable(
                title: "Codes", columns: [.text("Code"), .amount("Redeemed")],
                rows: codes.map { [name($0.code), ["\($0.used) of \($0.most)"]] }, empty: [p { "No codes." }]
            ).element
        }
    }
}

/// The offers of a product on its page, and which are open to a customer.
struct OfferCard {
    let visit: ConsoleVisit
    let path: String
    let app: CatalogueApp
    let offers: [SubscriptionOffer]
    let eligibility: [OfferLookup.Eligibility]?

    @HTMLBuilder var content: [any HTML] {
        if offers.isEmpty {
            p { "It costs the same for everybody." }
        } else if let eligibility {
            OfferCard.table(eligibility, visit)
        } else {
            ul {
                for offer in offers {
                    li {
                        b { offer.id }
                        ": \(offer.summary)"
                    }
                }
            }
        }
        if !offers.isEmpty, visit.may(.customers) {
            StoreWeb.form(.class("fields"), .action(visit.link(path))) {
                div {
                    label(.for("customer")) { "Which are open to" }
                    input(
                        .id("customer"), .name("customer"), .value(visit.query["customer"] ?? ""),
                        .placeholder("E-mail or number"), .isUnspelled, .longest(254))
                }
                button { "Say so" }
            }
        }
        if visit.may(.catalogue, change: true, .both) { OfferForm(visit: visit, path: path, offers: offers).content }
        if visit.may(.secrets) {
            p { a(.class("button"), .href(visit.link("/apps/\(app.bundleID)/codes"))) { "Codes and keys" } }
        }
    }

    static func table(_ eligibility: [OfferLookup.Eligibility], _ visit: ConsoleVisit) -> [any HTML] {
        DataTable(
            title: "Offers", columns: [.text("Offer"), .optional("Product"), .text("Open"), .text("Why")],
            rows: eligibility.map { offer in
                [
                    [offer.offer.id], ["\(offer.product)"],
                    [offer.verdict.isEligible ? tag(.good, "yes") : tag(.calm, "no")], [offer.verdict.reason],
                ]
            }, empty: [p { "No offers." }]
        ).element
    }
}

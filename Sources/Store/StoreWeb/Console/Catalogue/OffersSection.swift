import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreSigning

/// Offers of subscriptions: which are open to whom, the codes by which they are redeemed, and the keys that sign them.
struct OffersSection: ConsoleSection {
    let services: ConsoleServices

    private static let batch = PathParameter<OfferCodeBatchID>("batchId", rule: "the number of a batch of codes")

    var routes: [Route] {
        [
            page("/apps/{bundleId}/codes", for: .secrets, .here, list),
            form("/apps/{bundleId}/codes", for: .secrets, .here) { visit, input in
                let bundle = try visit.request[ConsolePath.bundle]
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
                try await list($0)
            },
            page("/apps/{bundleId}/codes/{batchId}", for: .secrets, .here, show),
            form("/apps/{bundleId}/codes/{batchId}/deactivation", for: .secrets, .here) { visit, _ in
                let (bundle, id) = (try visit.request[ConsolePath.bundle], try visit.request[Self.batch])
                _ = try await visit.editing.app(bundle)
                _ = try await OfferCodeBatches(visit.store).deactivate(id, app: bundle, visit.cause)
                return visit.link("/apps/\(bundle)/codes/\(id)", done: .changed)
            } else: {
                try await show($0)
            },
            newKey,
            form("/apps/{bundleId}/offer-keys/revocation", for: .secrets, .production) { visit, input in
                let bundle = try visit.request[ConsolePath.bundle]
                _ = try await visit.editing.revokeOfferKey(input["key"], of: bundle)
                return visit.link("/apps/\(bundle)/codes", done: .changed)
            } else: {
                try await list($0)
            },
        ]
    }

    /// A key is shown once: on the page that answers its form.
    private var newKey: Route {
        shown("/apps/{bundleId}/offer-keys", for: .secrets, .production) { visit, _ in
            let made = try await visit.editing.addOfferKey(
                nil, as: nil, name: nil, of: visit.request[ConsolePath.bundle], visit.services.random)
            return try await list(visit, made: made.privateKey.map { (made.entry.id, $0) })
        } else: {
            try await list($0)
        }
    }

    // MARK: Pages

    private func list(_ visit: ConsoleVisit) async throws -> HTTPResponse { try await list(visit, made: nil) }

    private func list(
        _ visit: ConsoleVisit, made: (id: String, pem: String)?
    ) async throws -> HTTPResponse {
        let app = try await visit.editing.app(visit.request[ConsolePath.bundle])
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

    private func table(
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

    private func newCodes(_ visit: ConsoleVisit, _ app: CatalogueApp) -> Element {
        details(.class("card make")) {
            summary { "Make codes" }
            visit.form("/apps/\(app.bundleID)/codes", .class("fields")) {
                field("product", "Product id", isRequired: true)
                field("offer", "Offer of the kind code", isRequired: true)
                field("count", "How many, or how often", type: "number", isRequired: true)
                field("custom", "One code for many; empty for one-time codes")
                field("until", "Until", type: "date")
                button(.class("primary")) { "Make them" }
            }
        }
    }

    private func table(
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
                                visit.form(path + "/revocation") {
                                    hidden("key", key.id)
                                    button(.class("danger")) { "Revoke it" }
                                }
                            } : ""
                    ],
                ]
            }, empty: [p { "No key yet; without one no promotional offer can be signed." }]
        ).element
        guard visit.may(.secrets, change: true, .production) else { return list }
        return list + [
            visit.form(path) {
                button { "Make a key" }
            }
        ]
    }

    private func show(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let app = try await visit.editing.app(visit.request[ConsolePath.bundle])
        let (id, batches) = (try visit.request[Self.batch], OfferCodeBatches(visit.store))
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
                    visit.form("/apps/\(app.bundleID)/codes/\(id)/deactivation") {
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

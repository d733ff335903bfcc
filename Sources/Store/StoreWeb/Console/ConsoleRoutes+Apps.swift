import StoreDatabase
import StoreFoundation
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// Apps and their products: how far each is with selling, and why something is not sold.
extension ConsoleRoutes {
    private static let bundle = PathParameter<BundleID>("bundleId", rule: "the bundle id of an app") { BundleID($0) }
    private static let product = PathParameter<ProductID>("productId", rule: "the id of a product") { ProductID($0) }

    var appRoutes: [Route] {
        [
            page("/apps", for: .catalogue) { try await Self.apps($0) },
            page("/apps/{bundleId}", for: .catalogue) { try await Self.app($0) },
            page("/apps/{bundleId}/products/{productId}", for: .catalogue) { try await Self.product($0) },
            form("/apps/{bundleId}/products/{productId}/{act}", for: .catalogue) {
                try await Self.change($0, $1)
            } else: {
                try await Self.product($0)
            },
            page("/apps/{bundleId}/products/{productId}/image", for: .catalogue) { try await Self.image($0) },
            page("/apps/{bundleId}/products/{productId}/sheet", for: .catalogue) { try await Self.sheet($0) },
        ]
    }

    // MARK: Apps

    private static func apps(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let (team, now) = (visit.session.team, visit.now)
        let after = visit.query["after"].flatMap { BundleID($0) }
        let found = try await visit.desk.catalogue.read { transaction in
            try Catalogue.apps(of: team, after: after, limit: rows + 1, in: transaction).map { app in
                (
                    app: app, obstacle: try Catalogue.obstacle(of: app, at: now, in: transaction),
                    team: try Teams.find(app.teamID, in: transaction)?.name ?? ""
                )
            }
        }
        var page = ConsolePage(visit: visit, title: "Apps", place: .apps)
        page.lede = "What sells here, the same in both environments; what each sells is on its page."
        page.alternatives = [.init(command: "apps list", request: "/apps")]
        return try await page.response {
            if found.isEmpty {
                noApps(visit)
            } else {
                DataTable(
                    title: "Apps",
                    columns: [.text("App"), .optional("Bundle"), .optional("Team"), .text("State")],
                    rows: found.prefix(rows).map { entry in
                        [
                            [a(.href(visit.link("/apps/\(entry.app.bundleID)"))) { entry.app.name }],
                            [span(.class("id")) { "\(entry.app.bundleID)" }], [entry.team],
                            [entry.obstacle.map { tag(.bad, $0.explanation) } ?? tag(.good, "may sell")],
                        ]
                    }, empty: [],
                    next: found.count > rows
                        ? visit.link("/apps", ("after", found[rows - 1].app.bundleID.text)) : nil
                ).element
            }
        }
    }

    /// The app of the path, which must be of the team of the session.
    private static func found(_ visit: ConsoleVisit, in transaction: any ReadTransaction) throws -> CatalogueApp {
        guard let app = try Catalogue.app(visit.request[bundle], in: transaction),
            visit.session.team == nil || app.teamID == visit.session.team
        else { throw CatalogueError(.appUnknown, "there is no app of this bundle id", field: "bundleId") }
        return app
    }

    private static func app(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let (now, environment) = (visit.now, visit.environment)
        let after = visit.query["after"].flatMap { ProductID($0) }
        guard let usa = StorefrontRecord.storefront(alpha3: "USA") else { return HTTPResponse(.internalError) }
        let (app, products, titles, offers, obstacle) = try await visit.desk.catalogue.read { transaction in
            let app = try found(visit, in: transaction)
            let products = try Catalogue.products(of: app.id, after: after, limit: rows + 1, in: transaction)
            return (
                app, products, try Catalogue.summaries(of: products, of: app, in: usa, in: transaction),
                try Catalogue.offers(
                    for: products.map(\.productID.text), app: app, environment: environment, storefront: usa,
                    languages: ["en-US"], at: CatalogueMoment(now), isForPeople: true, in: transaction),
                try Catalogue.obstacle(of: app, at: now, in: transaction)
            )
        }
        let steps = try await visit.store.database.read { try AppSteps.list(of: app.id, in: $0) }
        let invalid = Dictionary(offers.invalid.map { ($0.id, $0.obstacle) }) { first, _ in first }
        var page = ConsolePage(visit: visit, title: app.name, place: .apps)
        page.crumbs = [("Apps", visit.link("/apps"))]
        page.tag = obstacle.map { _ in tag(.bad, "sells nothing") }
        page.lede =
            obstacle.map { "Nothing is sold: \($0.explanation)." }
            ?? (invalid.isEmpty
                ? "All products are sold in \(environment)."
                : "\(invalid.count) of the products shown are not sold in \(environment).")
        page.alternatives = [
            .init(command: "apps show \(app.bundleID)", request: "/apps/\(app.bundleID)"),
            .init(command: "provision \(app.bundleID) --\(environment)"),
        ]
        page.actions = [
            a(.class("button"), .href(visit.link("/transactions", ("q", app.bundleID.text)))) { "Its transactions" },
            a(.class("button"), .href(visit.link("/requests", ("q", app.bundleID.text)))) { "Its requests" },
        ]
        return try await page.response {
            div(.class("two")) {
                section {
                    h2 { "Products" }
                    DataTable(
                        title: "Products",
                        columns: [.text("Product"), .optional("Kind"), .text("State"), .amount("United States")],
                        rows: products.prefix(rows).map { product in
                            let title = titles[product.itemID]?.title ?? ""
                            return [
                                [
                                    a(.href(visit.link("/apps/\(app.bundleID)/products/\(product.productID)"))) {
                                        title.isEmpty ? product.referenceName : title
                                    }, p(.class("id faint")) { "\(product.productID)" },
                                ], [product.kind.rawValue],
                                [
                                    invalid[product.productID.text].map { tag(.bad, $0.name.replacing("_", with: " ")) }
                                        ?? tag(.good, "sold")
                                ],
                                [titles[product.itemID]?.price.map { visit.text($0, in: StorefrontCode(usa)) } ?? ""],
                            ]
                        },
                        empty: [
                            p {
                                "Nothing yet. From a file of Xcode’s: "
                                code {
                                    "till products import FILE --bundle-id \(app.bundleID) \(visit.desk.options)"
                                }
                            }
                        ],
                        next: products.count > rows
                            ? visit.link("/apps/\(app.bundleID)", ("after", products[rows - 1].productID.text)) : nil
                    ).element
                }
                div(.class("stack")) {
                    card("How far its integration is, in \(environment)") { checklist(steps, now) }
                    card("Facts") {
                        facts([
                            ("Bundle id", StoreWeb.name(app.bundleID)), ("Store id", StoreWeb.name(app.id)),
                            ("Team", ["\(app.teamID)"]), ("Language", [app.primaryLanguage]),
                            ("Capabilities", [app.capabilities.map(\.rawValue).sorted().joined(separator: ", ")]),
                        ])
                    }
                }
            }
        }
    }

    /// What the app and its server were seen doing.
    private static func checklist(_ steps: [AppSteps.Entry], _ now: Instant) -> Element {
        ul(.class("steps")) {
            for entry in steps {
                li(.class(entry.at != nil ? "done" : entry.detail == nil ? "todo" : "wrong")) {
                    span(.class("mark"), .isHidden) { entry.at != nil ? "✓" : entry.detail == nil ? "○" : "!" }
                    span {
                        entry.step.title
                        span(.class("unseen")) {
                            entry.at != nil ? " (done)" : entry.detail == nil ? " (not yet)" : " (wrong)"
                        }
                        if let detail = entry.detail { p(.class("faint")) { detail } }
                    }
                    if let at = entry.at { span(.class("faint")) { ago(at, now) } }
                }
            }
        }
    }

    // MARK: Products

    private static func details(_ visit: ConsoleVisit) async throws -> (CatalogueApp, ProductDetails, ProductObstacle?)
    {
        let (id, now) = (try visit.request[product], visit.now)
        return try await visit.desk.catalogue.read { transaction in
            let app = try found(visit, in: transaction)
            guard let product = try Catalogue.product(id, of: app.id, in: transaction), product.removedAt == nil else {
                throw CatalogueError(.productUnknown, "the app has no such product", field: "productId")
            }
            return (
                app, try Catalogue.details(of: product, at: now, in: transaction),
                try Catalogue.obstacle(of: app, at: now, in: transaction)
            )
        }
    }

    private static func product(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let (app, details, obstacle) = try await details(visit)
        return try await ProductPage(visit: visit, app: app, details: details, appObstacle: obstacle).response()
    }

    private static func change(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let (app, id, act) = (
            try visit.request[bundle], try visit.request[product], visit.request.parameters.text("act")
        )
        let cause = CatalogueCause(CatalogueActor(visit.session.name, request: visit.request.id), at: visit.now)
        try await visit.desk.catalogue.write { transaction in
            let app = try found(visit, in: transaction)
            guard let product = try Catalogue.product(id, of: app.id, in: transaction), product.removedAt == nil else {
                throw CatalogueError(.productUnknown, "the app has no such product", field: "productId")
            }
            switch act {
            case "clearance": try Catalogue.setClearedForSale(true, product, cause, in: transaction)
            case "withdrawal": try Catalogue.setClearedForSale(false, product, cause, in: transaction)
            default: throw APIError(.notFound, code: "path_unknown", "There is no such page.")
            }
        }
        return visit.link("/apps/\(app)/products/\(id)", ("done", "changed"))
    }

    private static func image(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let (_, details, _) = try await details(visit)
        guard let image = details.images.first(where: { $0.kind == .promotional }), let blobs = try visit.desk.blobs()
        else { throw APIError(.notFound, code: "image_unknown", "There is no picture.") }
        let bytes = try await OwnThread.run(named: "images") { try blobs.read(image.blob, 0..<Int64(image.bytes)) }
        var response = HTTPResponse(.ok, bytes, as: image.mediaType)
        response.fields["Cache-Control"] = "private, max-age=60"
        return response
    }

    /// How the page of a purchase looks to somebody in a storefront.
    private static func sheet(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let (app, details, _) = try await details(visit)
        let code = visit.query["storefront"].map { StorefrontCode(rawValue: $0) } ?? StorefrontCode(rawValue: "USA")
        let content = try await PaymentSheet(visit.store).preview(
            details, of: app, in: code.known(parameter: "storefront"), language: visit.query["language"] ?? "en-US")
        let image = visit.link("/apps/\(app.bundleID)/products/\(details.product.productID)/image")
        var page = PaymentSheetPage(
            content: content, token: "preview", environment: visit.environment, prices: visit.desk.prices)
        page.preview = image
        return page.page.response()
    }
}

extension AppSteps.Step {
    fileprivate var title: String {
        switch self {
        case .profile: "The app has registered with its profile"
        case .products: "It asked for products"
        case .valid: "Every id it asked for is sold"
        case .purchase: "First purchase"
        case .finish: "First transaction finished by the app"
        case .restore: "First restore"
        case .receipt: "Its server had a receipt verified"
        case .refund: "It was told of a refund"
        }
    }
}

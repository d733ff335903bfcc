import StoreCatalogue
import StoreFoundation
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// Apps and their products: how far each is with selling, and why something is not sold.
struct AppsSection: ConsoleSection {
    let services: ConsoleServices

    var routes: [Route] {
        [
            page("/apps", for: .catalogue, .both, list),
            page("/apps/{bundleId}", for: .catalogue, .both, show),
            page("/apps/{bundleId}/pulse", for: .catalogue, .here, pulse),
            page("/apps/{bundleId}/products/{productId}", for: .catalogue, .both, ProductPage.response),
            form("/apps/{bundleId}/grace-period", for: .catalogue, .both, setGracePeriod, else: show),
            form(
                "/apps/{bundleId}/products/{productId}/price-increase", for: .catalogue, .here, raisePrice,
                else: ProductPage.response),
            form(
                "/apps/{bundleId}/products/{productId}/{act}", for: .catalogue, .both, change,
                else: ProductPage.response),
            page("/apps/{bundleId}/products/{productId}/image", for: .catalogue, .both, image),
            upload(
                "/apps/{bundleId}/products/{productId}/image", for: .catalogue, .both, limit: ProductImages.mostBytes,
                setImage, else: ProductPage.response),
            page("/apps/{bundleId}/products/{productId}/sheet", for: .catalogue, .both, sheet),
        ]
    }

    // MARK: Apps

    /// By what apps are sorted.
    // Closed: each has its comparison.
    private enum AppColumn: String {
        case app, bundle, team, state

        func areInOrder(_ one: AppStanding, _ other: AppStanding) -> Bool {
            let (id, otherID) = (one.app.bundleID.text, other.app.bundleID.text)
            return switch self {
            case .app: (one.app.name.lowercased(), id) < (other.app.name.lowercased(), otherID)
            case .bundle: id < otherID
            case .team: (one.team.lowercased(), id) < (other.team.lowercased(), otherID)
            // Those that sell nothing need somebody.
            case .state: (one.obstacle?.name ?? "~", id) < (other.obstacle?.name ?? "~", otherID)
            }
        }
    }

    private func list(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let text = visit.query["q"] ?? ""
        let after = visit.query["after"].flatMap { BundleID($0) }
        let order = TableOrder<AppColumn>(visit.query, standard: .bundle)
        // As they are kept they are read a page at a time.
        let isPage = order.isStandard && text.isEmpty
        let all = try await visit.editing.standings(
            after: isPage ? after : nil, limit: isPage ? visit.rows + 1 : ListLimits.sorted)
        let found = Array(
            order.sorted(
                all.filter { $0.has(text) }, after: isPage ? nil : after.map { id in { $0.app.bundleID == id } },
                order.column.areInOrder))
        var page = ConsolePage(visit: visit, title: "Apps", place: .apps)
        page.lede = "What sells here, the same in both environments; what each sells is on its page."
        page.alternatives = [.init(command: "apps list", request: "/apps")]
        if visit.may(.catalogue, change: true, .both) {
            page.actions = [
                a(.class("button primary"), .href(visit.link("/new-app"))) { "A new app" },
                a(.class("button"), .href(visit.link("/import"))) { "From a file" },
            ]
        }
        page.exported = "apps"
        return try await page.response {
            if all.isEmpty, isPage, after == nil, visit.query["format"] == nil {
                FirstSteps(visit: visit).app
            } else {
                visit.search("/apps", for: text, by: "Name, bundle id or team", order)
                table(of: found, visit, text, order)
                if !isPage, all.count == ListLimits.sorted { tooMany("apps") }
            }
        }
    }

    private func table(
        of found: [AppStanding], _ visit: ConsoleVisit, _ text: String, _ order: TableOrder<AppColumn>
    ) -> [any HTML] {
        let query = text.isEmpty ? nil : text
        func heading(_ column: AppColumn) -> DataTable.Sorting {
            order.heading(column) { visit.link("/apps", $0, ("q", query)) }
        }
        return DataTable(
            title: "Apps",
            columns: [
                .text("App", heading(.app)), .optional("Bundle", heading(.bundle)),
                .optional("Team", heading(.team)), .text("State", heading(.state)),
            ],
            rows: found.prefix(visit.rows).map { entry in
                [
                    [a(.href(visit.link("/apps/\(entry.app.bundleID)"))) { entry.app.name }],
                    [span(.class("id")) { "\(entry.app.bundleID)" }], [entry.team],
                    [entry.obstacle.map { tag(.bad, $0.explanation) } ?? tag(.good, "may sell")],
                ]
            }, empty: [p { "There is no such app." }],
            next: found.count > visit.rows
                ? visit.link("/apps", order, ("q", query), ("after", found[visit.rows - 1].app.bundleID.text))
                : nil
        ).element
    }

    /// Tells how far an app is as soon as it gets further.
    private func pulse(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let app = try await visit.editing.app(visit.request[ConsolePath.bundle]).id
        let steps = visit.store.steps
        return try await visit.pulse { pulse(of: try await steps.list(of: app)) }
    }

    private func pulse(of steps: [AppSteps.Entry]) -> String { "steps \(steps.count { $0.at != nil })" }

    private func show(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let (now, environment) = (visit.now, visit.environment)
        let list = AppProducts(visit)
        let overview = try await list.overview(of: visit.request[ConsolePath.bundle])
        let (app, grace, products) = (overview.app, overview.grace, list.found(in: overview))
        // What an app did in an environment is not for tokens of the other.
        let isSeen = visit.may(.catalogue)
        let steps = isSeen ? try await visit.store.steps.list(of: app.id) : []
        let unsold = products.rows.count { $0.obstacle != nil }
        var page = ConsolePage(visit: visit, title: app.name, place: .apps)
        page.crumbs = [("Apps", visit.link("/apps"))]
        page.pulse = isSeen ? pulse(of: steps) : nil
        page.pulsePath = visit.link("/apps/\(app.bundleID)/pulse")
        page.tag = overview.obstacle.map { _ in tag(.bad, "sells nothing") }
        page.lede =
            overview.obstacle.map { "Nothing is sold: \($0.explanation)." }
            ?? (unsold == 0
                ? "All products are sold in \(environment)."
                : "\(unsold) of the products shown are not sold in \(environment).")
        page.alternatives = [
            .init(command: "apps show \(app.bundleID)", request: "/apps/\(app.bundleID)"),
            .init(command: "provision \(app.bundleID) --\(environment)"),
        ]
        page.actions = actions(visit, app)
        return try await page.response {
            div(.class("two")) {
                section {
                    h2 { "Products" }
                    list.element(products, of: app)
                }
                div(.class("stack")) {
                    if isSeen { card("How far its integration is, in \(environment)") { checklist(steps, now) } }
                    card("Facts") {
                        facts([
                            ("Bundle id", StoreWeb.name(app.bundleID)), ("Store id", StoreWeb.name(app.id)),
                            ("Store page", storeLink(StoreItem(app).link(at: nil), visit)),
                            ("Team", ["\(app.teamID)"]), ("Language", [app.primaryLanguage]),
                            ("Grace period", [grace.summary]),
                            ("Capabilities", [app.capabilities.map(\.rawValue).sorted().joined(separator: ", ")]),
                        ])
                        if visit.may(.catalogue, change: true, .both) {
                            GraceForm(visit: visit, app: app, setting: grace).element
                        }
                    }
                }
            }
        }
    }

    /// Where else one goes from an app.
    private func actions(_ visit: ConsoleVisit, _ app: CatalogueApp) -> [any HTML] {
        let path = "/apps/\(app.bundleID)"
        func link(_ text: String, _ link: Link) -> Element { a(.class("button"), .href(link)) { text } }
        var actions: [any HTML] = [
            link("Its transactions", visit.link("/transactions", ("q", app.bundleID.text))),
            link("Its requests", visit.link("/requests", ("q", app.bundleID.text))),
        ]
        if visit.may(.secrets) {
            actions.append(link("Its notifications", visit.link(NotificationsSection.path(app.bundleID))))
        }
        actions += [
            link("Its groups", visit.link(path + "/groups")), link("Settings", visit.link(path + "/settings")),
        ]
        guard !app.isShelf, visit.may(.catalogue, change: true, .both) else { return actions }
        return actions + [
            a(.class("button primary"), .href(visit.link(path + "/new-product"))) { "A new product" }
        ]
    }

    /// What the app and its server were seen doing.
    private func checklist(_ steps: [AppSteps.Entry], _ now: Instant) -> Element {
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

    private func change(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let (path, editing) = (try visit.product, visit.editing)
        switch try visit.act(ProductAct.self) {
        case .clearance: _ = try await editing.setClearedForSale(true, path)
        case .withdrawal: _ = try await editing.setClearedForSale(false, path)
        }
        return visit.link(path.link, done: .changed)
    }

    private func setGracePeriod(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let app = try visit.request[ConsolePath.bundle]
        _ = try await visit.editing.put(GraceForm.draft(input), of: app)
        return visit.link("/apps/\(app)", done: .changed)
    }

    /// Brings the price that a product has now to those who subscribe already.
    private func raisePrice(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let path = try visit.product
        _ = try await visit.editing.app(path.app)
        let storefront = StorefrontCode(rawValue: input["storefront"])
        let raise = try await SubscriptionChanges(visit.store).raise(
            path.product, of: path.app, in: storefront.known(parameter: "storefront"),
            consent: ["ask": true, "none": false][input["consent"]], visit.cause)
        return visit.link(
            path.link, done: raise.count > 0 ? .raised : raise.askedAlready > 0 ? .later : .unraised)
    }

    private func image(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let details = try await visit.editing.overview(of: visit.product).details
        var response = try await details.picture(in: visit.environment).response(from: visit.services.blobs)
        response.fields["Cache-Control"] = "private, max-age=60"
        return response
    }

    /// Gives a product the picture that a form has sent.
    private func setImage(_ visit: ConsoleVisit, _ input: inout UploadInput) async throws -> Link {
        let path = try visit.product
        try await visit.editing.setPicture(input.collect(), of: path, in: visit.services.blobs)
        return visit.link(path.link, done: .changed)
    }

    /// How the page of a purchase looks to somebody in a storefront.
    private func sheet(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let found = try await visit.editing.overview(of: visit.product)
        let (app, details) = (found.app, found.details)
        let code = visit.query["storefront"].map { StorefrontCode(rawValue: $0) } ?? StorefrontCode(rawValue: "USA")
        let content = try await PaymentSheet(visit.store).preview(
            details, of: app, in: code.known(parameter: "storefront"), language: visit.query["language"] ?? "en-US")
        let image = visit.link("/apps/\(app.bundleID)/products/\(details.product.productID)/image")
        var page = PaymentSheetPage(
            content: content, token: "preview", environment: visit.environment, prices: visit.services.prices)
        page.preview = image
        let back = "/apps/\(app.bundleID)/products/\(details.product.productID)"
        let isSold = visit.environment == .sandbox && visit.may(.customers, change: true)
        page.below = [
            p(.class("row")) {
                a(.href(visit.link(back))) { "Back to \(details.product.referenceName)" }
                if isSold { a(.href(visit.link(back))) { "Buy it as a tester" } }
            }
        ]
        return page.page.response()
    }
}

extension AppStanding {
    fileprivate func has(_ text: String) -> Bool {
        text.isEmpty
            || [app.name, app.bundleID.text, team].contains { $0.lowercased().contains(text.lowercased()) }
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

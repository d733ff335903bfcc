import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// What waits to go live, and what lets production sell by it.
struct DraftsSection: ConsoleSection {
    let services: ConsoleServices

    private static let path = "/catalogue/drafts"

    var routes: [Route] {
        [
            page(Self.path, for: .catalogue, .both) { try await DraftsPage.response($0) },
            shown(Self.path + "/publication", for: .catalogue, .production) { visit, input in
                let choice = try Self.choice(input)
                let asked = try await visit.editing.publish(choice, isTrial: true)
                guard !asked.products.isEmpty else {
                    throw CatalogueError(.stateWrong, "nothing waits for a publication")
                }
                let taken = asked.products.flatMap { product in
                    product.differences.filter(\.takes).map { (product, $0) }
                }
                guard taken.isEmpty || input["confirmed"] == "yes" else {
                    return try await DraftsQuestion(visit: visit, choice: choice, publication: asked, taken: taken)
                        .response()
                }
                _ = try await visit.editing.publish(choice)
                return redirect(to: visit.link(Self.path, done: .published))
            } else: {
                try await DraftsPage.response($0)
            },
            form(Self.path + "/removal", for: .catalogue, .both) { visit, input in
                guard let path = ProductPath(input["product"]) else {
                    throw CatalogueError(.valueInvalid, "it is the product of a draft", field: "product")
                }
                if input["field"].isEmpty {
                    _ = try await visit.editing.discard(.init(app: path.app, products: [path.product]))
                } else {
                    try await visit.editing.discard(input["field"], of: path)
                }
                return visit.link(Self.path, done: .discarded)
            } else: {
                try await DraftsPage.response($0)
            },
        ]
    }

    /// What a form publishes: one product, all of an app, or all.
    private static func choice(_ input: FormInput) throws -> CatalogueDrafts.Choice {
        let seen = Int64(input["seen"])
        if !input["product"].isEmpty {
            guard let path = ProductPath(input["product"]) else {
                throw CatalogueError(.valueInvalid, "it is the product of a draft", field: "product")
            }
            return CatalogueDrafts.Choice(app: path.app, products: [path.product], seen: seen)
        }
        let app = try input["app"].isEmpty ? nil : BundleID(parsing: input["app"])
        return CatalogueDrafts.Choice(app: app, seen: seen)
    }
}

/// The fields by which a form says which drafts it publishes.
private func fields(of choice: CatalogueDrafts.Choice) -> [any HTML] {
    let path = choice.app.flatMap { app in choice.products.first.map { ProductPath(app, $0) } }
    return [
        path.map { hidden("product", $0.text) } ?? "",
        path == nil ? choice.app.map { hidden("app", $0.text) } ?? "" : "",
        choice.seen.map { hidden("seen", "\($0)") } ?? "",
    ]
}

/// Numbers with their words: `2 products`.
private func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }

/// The page of drafts: what production sells beside what the sandbox sells.
private struct DraftsPage {
    let visit: ConsoleVisit
    /// The app whose drafts are shown; nil for all.
    let app: BundleID?
    let found: DraftPage

    static func response(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let app = visit.query["app"].flatMap { BundleID($0) }
        let last = visit.query["after"].flatMap { ProductPath($0) }
        let found = try await visit.editing.drafts(of: app, after: last)
        return try await DraftsPage(visit: visit, app: app, found: found).response()
    }

    private var published: [CatalogueDrafts.ProductChanges] { found.products.filter { !$0.differences.isEmpty } }
    private var reviewed: [CatalogueDrafts.ProductChanges] { found.products.filter { !$0.reviewed.isEmpty } }
    private var changes: Int { published.reduce(0) { $0 + $1.differences.count } }
    private var mayPublish: Bool { visit.may(.catalogue, change: true, .production) }

    private func response() async throws -> HTTPResponse {
        var page = ConsolePage(visit: visit, title: "Drafts", place: .drafts)
        page.lede = lede
        let name = app.map { " \($0)" } ?? ""
        let body = app.map { #"{"bundleId": "\#($0)"}"# } ?? "{}"
        page.alternatives = [
            .init(
                command: "catalogue drafts\(name)", request: "/catalogue/drafts" + (app.map { "?bundleId=\($0)" } ?? "")
            ),
            .init(
                command: "catalogue publish\(name) --dry-run", request: "POST /catalogue/publication?trial=true",
                body: body),
            .init(command: "catalogue publish\(name)", request: "POST /catalogue/publication", body: body),
        ]
        return try await page.response {
            publishing
            h2 { "Goes live when it is published" }
            publishedTable
            h2 { "Goes live when it is approved" }
            reviewedTable
        }
    }

    private var lede: String {
        guard changes > 0 else {
            return found.products.isEmpty
                ? "Production sells what the sandbox does."
                : "Nothing waits for a publication; texts and pictures wait for an approval."
        }
        return
            "The sandbox sells by these changes already. Production goes on with what was published, until somebody publishes "
            + "them."
    }

    /// Whether everything that the button publishes is on the page.
    private var isWhole: Bool { found.next == nil && visit.query["after"] == nil }

    @HTMLBuilder private var publishing: [any HTML] {
        if changes > 0 {
            if mayPublish {
                visit.form("/catalogue/drafts/publication", .class("row")) {
                    fields(of: CatalogueDrafts.Choice(app: app, seen: found.seen))
                    button(.class("primary")) {
                        isWhole
                            ? "Publish \(count(changes, "change")) of \(count(published.count, "product"))"
                            : app == nil
                                ? "Publish all changes of \(count(found.count, "product"))"
                                : "Publish all changes of the app"
                    }
                }
            } else {
                p(.class("muted")) { "Publishing wants somebody of production, with the work on the catalogue." }
            }
        }
    }

    private var publishedTable: [any HTML] {
        DataTable(
            title: "Goes live when it is published",
            columns: [
                .text("Product"), .text("What"), .text("Production sells"), .text("Sandbox sells"), .text(""),
            ],
            rows: published.flatMap { product in
                product.differences.enumerated().map { index, difference in
                    [
                        index == 0 ? name(product) + [actions(product)] : [""],
                        [difference.field.title.capitalizedFirst],
                        [difference.text(of: difference.before, visit)],
                        [difference.text(of: difference.after, visit)],
                        [discarding(product, difference.field.text, difference.field.title)],
                    ]
                }
            },
            empty: [
                p { "Nothing. A change of what production sells is a draft, such as:" },
                commandLine(visit.command("products price BUNDLE PRODUCT USA 1.99")),
            ],
            next: found.next.map { visit.link("/catalogue/drafts", ("app", app?.text), ("after", $0.text)) }
        ).element
    }

    private var reviewedTable: [any HTML] {
        DataTable(
            title: "Goes live when it is approved",
            columns: [
                .text("Product"), .text("What"), .text("Production shows"), .text("Sandbox shows"), .text(""),
            ],
            rows: reviewed.flatMap { product in
                product.reviewed.enumerated().map { index, difference in
                    [
                        index == 0 ? name(product) : [""], [difference.kind.words.capitalizedFirst],
                        [difference.before ?? "nothing"],
                        [difference.after], [discarding(product, difference.kind.field, difference.kind.title)],
                    ]
                }
            },
            empty: [
                p { "Nothing. Texts and pictures of what production sells are here until a reviewer approves them." }
            ]
        ).element
    }

    private func name(_ product: CatalogueDrafts.ProductChanges) -> [any HTML] {
        let id = product.product.productID
        let isShelf = product.app.text.hasPrefix(ItemShelf.prefix)
        let path =
            isShelf
            ? "/items/\(id.text.dropFirst(ItemShelf.productPrefix.count))" : "/apps/\(product.app)/products/\(id)"
        // The page of an item is only there again when its removal was taken back.
        let isGone = isShelf && product.product.removedAt != nil
        let title: any HTML = isGone ? b { product.title } : a(.href(visit.link(path))) { product.title }
        return [
            title, div(.class("muted")) { isShelf ? "item of the storefront" : "\(product.app)" },
            product.author.map { author in div(.class("muted")) { "by \(Actor.words(of: author))" } } ?? "",
        ]
    }

    private func actions(_ product: CatalogueDrafts.ProductChanges) -> Element {
        let path = ProductPath(product.app, product.product.productID)
        return div(.class("row")) {
            if mayPublish {
                visit.form("/catalogue/drafts/publication") {
                    fields(of: .init(app: path.app, products: [path.product], seen: found.seen))
                    button(.label("Publish \(count(product.differences.count, "change")) of \(product.title)")) {
                        "Publish \(count(product.differences.count, "change"))"
                    }
                }
            }
            if visit.may(.catalogue, change: true, .both), product.differences.count > 1 {
                visit.form("/catalogue/drafts/removal") {
                    hidden("product", path.text)
                    button(.class("quiet"), .label("Discard all changes of \(product.title)")) { "Discard all" }
                }
            }
        }
    }

    private func discarding(_ product: CatalogueDrafts.ProductChanges, _ field: String, _ title: String) -> any HTML {
        guard visit.may(.catalogue, change: true, .both) else { return "" }
        return visit.form("/catalogue/drafts/removal") {
            hidden("product", ProductPath(product.app, product.product.productID).text)
            hidden("field", field)
            button(.class("quiet"), .label("Discard \(title) of \(product.title)")) { "Discard" }
        }
    }
}

/// The question before a publication that takes something from customers.
private struct DraftsQuestion {
    let visit: ConsoleVisit
    let choice: CatalogueDrafts.Choice
    let publication: CatalogueDrafts.Publication
    let taken: [(CatalogueDrafts.ProductChanges, DraftDifference)]

    /// What is listed one by one: of what is taken, and the products of the table.
    private static let (most, mostProducts) = (20, CatalogueDrafts.page)

    func response() async throws -> HTTPResponse {
        let what = "\(count(publication.count, "change")) of \(count(publication.products.count, "product"))"
        var page = ConsolePage(visit: visit, title: "Publish \(what)?", place: .drafts)
        page.crumbs = [("Drafts", visit.link("/catalogue/drafts"))]
        let product = choice.products.first.map { " \($0)" } ?? ""
        page.alternatives = [.init(command: "catalogue publish" + (choice.app.map { " \($0)" } ?? "") + product)]
        return try await page.response {
            visit.form("/catalogue/drafts/publication", .class("card ask")) {
                h2 { "It takes something from customers" }
                ul {
                    for (product, difference) in taken.prefix(Self.most) { li { consequence(product, difference) } }
                    if taken.count > Self.most { li { "and \(count(taken.count - Self.most, "more change"))" } }
                }
                p { "Customers keep what they bought." }
                fields(of: choice)
                hidden("confirmed", "yes")
                div(.class("row")) {
                    button(.class("primary")) { "Publish \(what)" }
                    a(.class("button"), .href(visit.link("/catalogue/drafts"))) { "Back" }
                }
            }
            h2 { "All that is published" }
            table
            if publication.products.count > Self.mostProducts {
                p(.class("muted")) {
                    "And \(count(publication.products.count - Self.mostProducts, "more product")), on the page of drafts."
                }
            }
        }
    }

    private var table: [any HTML] {
        DataTable(
            title: "All that is published",
            columns: [.text("Product"), .text("What"), .text("Production sells"), .text("And then")],
            rows: publication.products.prefix(Self.mostProducts).flatMap { product in
                product.differences.enumerated().map { index, difference in
                    [
                        [index == 0 ? product.title : ""], [difference.field.title.capitalizedFirst],
                        [difference.text(of: difference.before, visit)],
                        [difference.text(of: difference.after, visit)],
                    ]
                }
            }, empty: []
        ).element
    }

    private func consequence(_ product: CatalogueDrafts.ProductChanges, _ difference: DraftDifference) -> String {
        switch difference.field.kind {
        case .removal: "\(product.title) is removed for good, and its id is never used again."
        case .isClearedForSale: "\(product.title) is taken off the shelves."
        case .isFamilyShareable: "\(product.title) is no longer shared with families."
        case .offers: "\(product.title) loses the offer \(difference.field.key)."
        case .prices:
            "\(product.title) is no longer sold in \(StorefrontCode(rawValue: difference.field.key).nameInSentence)."
        default: "\(product.title) is no longer sold as before: \(difference.field.title)."
        }
    }
}

extension DraftDifference {
    /// One of its values as people read it.
    fileprivate func text(of value: DraftValue?, _ visit: ConsoleVisit) -> String {
        guard let value else {
            switch field.kind {
            case .prices: return "not sold, for want of a price"
            case .removal: return "sold"
            default: return "nothing"
            }
        }
        guard let money = value.money else { return ConsoleWords.prose(value.text) }
        let storefront = field.kind == .prices ? StorefrontCode(rawValue: field.key) : nil
        return visit.text(money, in: storefront) + (value.isDerived ? ", by the base price" : "")
    }
}

extension ReviewedDifference.Kind {
    /// What people call it: `text in German (Germany)`.
    fileprivate var words: String {
        guard case .text(let language) = self else { return title }
        return "text in \(LanguageNames.name(of: language))"
    }
}

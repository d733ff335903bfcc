import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// A product, with why it is sold or not in its first line.
struct ProductPage {
    let visit: ConsoleVisit
    let overview: ProductOverview
    let checklist: ProductChecklist
    let trial: ProductTrial
    /// Which offers are open to the customer that the page is asked about.
    var eligibility: [OfferLookup.Eligibility]?

    var app: CatalogueApp { overview.app }
    var details: ProductDetails { overview.details }
    private var content: HostedContent? { overview.content }
    private var product: CatalogueProduct { details.product }
    private var path: String { "/apps/\(app.bundleID)/products/\(product.productID)" }

    private var texts: ProductText? {
        let texts = details.texts(in: visit.environment)
        return texts[app.primaryLanguage] ?? texts.min { $0.key < $1.key }?.value
    }

    /// What keeps it from being sold, by storefront; nothing where it is sold everywhere.
    private var obstacles: [(storefront: StorefrontRecord, obstacle: ProductObstacle)] {
        let sold = visit.environment == .production ? overview.published ?? details : details
        let prices = sold.prices
        return StorefrontRecord.all.compactMap { storefront in
            let found =
                overview.appObstacle
                ?? ProductObstacle.first(
                    of: sold.product.review, isRemoved: sold.product.removedAt != nil,
                    isClearedForSale: sold.product.isClearedForSale,
                    period: sold.product.period, price: prices[StorefrontCode(storefront)], in: visit.environment,
                    storefront, at: visit.now)
            return found.map { (storefront, $0) }
        }
    }

    /// The page of the product of a path; with whether its offers are open to a customer, if it asks for that.
    @Sendable static func response(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let path = try visit.product
        var page = ProductPage(
            visit: visit, overview: try await visit.editing.overview(of: path),
            checklist: try await visit.editing.checklist(of: path),
            trial: try await ProductTrial(visit, path: path.link))
        if let customer = visit.query["customer"], !customer.isEmpty, visit.may(.customers) {
            page.eligibility = try await OfferLookup(visit.store).eligibility(
                of: customer, app: path.app, product: path.product)
        }
        return try await page.response()
    }

    private func response() async throws -> HTTPResponse {
        let obstacles = obstacles
        let title = texts?.title ?? ""
        var page = ConsolePage(
            visit: visit, title: title.isEmpty ? product.referenceName : title, place: .apps)
        page.crumbs = [("Apps", visit.link("/apps")), (app.name, visit.link("/apps/\(app.bundleID)"))]
        page.tag = state(obstacles)
        page.lede = lede(obstacles)
        page.actions = actions
        let name = "\(app.bundleID) \(product.productID)"
        page.alternatives = [
            .init(
                command: "why \(name)",
                request: "/apps/\(app.bundleID)/why?productId=\(product.productID)&storefront=USA"),
            .init(command: "products show \(name)", request: "/apps/\(app.bundleID)/products/\(product.productID)"),
        ]
        if product.kind == .autoRenewable {
            page.alternatives.append(
                .init(
                    command: "offers list \(name)",
                    request: "/apps/\(app.bundleID)/products/\(product.productID)/offers"))
        }
        return try await page.response {
            if overview.published != nil {
                p(.class("told")) {
                    product.removedAt == nil
                        ? "What is below is a draft, by which the sandbox sells. Production goes on with what was published: "
                        : "It is removed in a draft: the sandbox does not sell it. Production does until that is published: "
                    a(.href(visit.link("/catalogue/drafts", ("app", app.bundleID.text)))) { "see what differs" }
                    "."
                }
            }
            div(.class("two")) {
                div(.class("stack")) { leading(obstacles) }
                div(.class("stack")) { beside }
            }
        }
    }

    /// What one comes for first: whether it is sold, and a try.
    @HTMLBuilder private func leading(
        _ obstacles: [(storefront: StorefrontRecord, obstacle: ProductObstacle)]
    ) -> [any HTML] {
        if !obstacles.isEmpty {
            card(isSoldSomewhere(obstacles) ? "Where it is not sold" : "Why it is not sold") {
                reasons(obstacles)
            }
        }
        card("Try it") { trial.element }
        card("Prices") { priceTable }
        card("Texts") { textTable }
        if product.kind == .autoRenewable {
            card("Offers") {
                OfferCard(
                    visit: visit, path: path, app: app, offers: overview.offers, eligibility: eligibility
                )
                .content
            }
            if visit.may(.catalogue, change: true, .both) {
                if visit.may(.catalogue, change: true) {
                    card("Who subscribes already") { RaiseForm(visit: visit, path: path).content }
                }
            }
        }
    }

    @HTMLBuilder private var beside: [any HTML] {
        card("Review") {
            ReviewCard(
                visit: visit, app: app.bundleID, product: product, path: path, checklist: checklist,
                editPath: path + "/edit", content: content
            ).element
        }
        card("Facts") { factList }
        if product.kind == .nonConsumable { card("Hosted content") { hosting } }
        if visit.may(.catalogue, change: true, .both) { card("Its picture") { picture } }
    }

    private func isSoldSomewhere(
        _ obstacles: [(storefront: StorefrontRecord, obstacle: ProductObstacle)]
    ) -> Bool { obstacles.count < StorefrontRecord.all.count }

    /// Whether anybody can buy it; that some storefronts have no price is no fault.
    private func state(_ obstacles: [(storefront: StorefrontRecord, obstacle: ProductObstacle)]) -> Element {
        if obstacles.isEmpty { return tag(.good, "sold") }
        guard isSoldSomewhere(obstacles) else { return tag(.bad, "not sold") }
        let all = StorefrontRecord.all.count
        let isByPrice = obstacles.allSatisfy { $0.obstacle == .notInStorefront }
        return tag(isByPrice ? .good : .warn, "sold in \(all - obstacles.count) of \(all)")
    }

    private func lede(_ obstacles: [(storefront: StorefrontRecord, obstacle: ProductObstacle)]) -> String {
        let all = StorefrontRecord.all.count
        guard let first = obstacles.first else {
            return "Customers of all \(all) storefronts can buy it in \(visit.environment)."
        }
        if obstacles.count == all, Set(obstacles.map(\.obstacle)).count == 1 {
            return "Nobody can buy it in \(visit.environment): \(first.obstacle.explanation)."
        }
        return "It is sold in \(all - obstacles.count) of \(all) storefronts in \(visit.environment)."
    }

    @HTMLBuilder private var actions: [any HTML] {
        if visit.may(.catalogue, change: true, .both) {
            a(.class("button primary"), .href(visit.link(path + "/edit"))) { "Edit" }
        }
        a(.class("button"), .href(visit.link(path + "/prices"))) { "Prices" }
        if visit.may(.catalogue, change: true, .both) {
            if product.isClearedForSale {
                asking(
                    "Take off the shelves…",
                    product.review.isLive
                        ? "The sandbox stops selling it at once, production when the change is published."
                        : "Nobody can buy it any more, in the sandbox."
                ) {
                    shelving(.withdrawal, "Take off the shelves")
                }
            } else {
                shelving(.clearance, "Put on the shelves")
            }
        }
    }

    @HTMLBuilder private var hosting: [any HTML] {
        if product.hostsContent {
            p {
                content?.version.map { "Version \($0) is there." } ?? "Nothing is there yet."
            }
            p { a(.class("button"), .href(visit.link(path + "/content"))) { "Versions and uploads" } }
        } else if product.review.isLive {
            p { "The product was on sale without content, and stays so." }
        } else {
            HostingSwitch(visit: visit, product: product, path: path).element
        }
    }

    @HTMLBuilder private var picture: [any HTML] {
        visit.upload(
            path + "/image", "PNG or JPEG, 64 to 4096 pixels a side, at most 5 MB", button: "Send it",
            accepting: "image/png,image/jpeg")
        if product.review.isLive {
            p(.class("muted")) { "Production goes on showing the approved one until this one is approved." }
        }
    }

    private func shelving(_ act: ProductAct, _ text: String) -> Element {
        visit.form("\(path)/\(act.rawValue)") {
            button { text }
        }
    }

    private func reasons(_ obstacles: [(storefront: StorefrontRecord, obstacle: ProductObstacle)]) -> [any HTML] {
        Dictionary(grouping: obstacles, by: \.obstacle).sorted { $0.value.count > $1.value.count }.flatMap { entry in
            let (obstacle, places) = entry
            let names = places.map(\.storefront.name).sorted()
            if obstacle == .notInStorefront, isSoldSomewhere(obstacles) {
                return [
                    p {
                        b { names.joined(separator: ", ") }
                        ": it has no price there. "
                        a(.href(visit.link(path + "/prices"))) { "Prices" }
                    }
                ] as [any HTML]
            }
            let remedy = places.first.flatMap { place in
                obstacle.remedy(
                    .init(
                        app.bundleID, product.productID.text, place.storefront, team: app.teamID,
                        in: visit.environment))
            }
            return [
                p {
                    b { names.count == StorefrontRecord.all.count ? "Everywhere" : names.joined(separator: ", ") }
                    ": \(obstacle.explanation)."
                },
                remedy.map { remedy -> any HTML in
                    commandLine(visit.command(remedy))
                } ?? "",
            ] as [any HTML]
        }
    }

    private var textTable: Element {
        table {
            caption(.class("unseen")) { "Texts" }
            thead {
                tr {
                    th(.scope("col")) { "Language" }
                    th(.scope("col")) { "Title" }
                    th(.scope("col"), .class("opt")) { "Description" }
                }
            }
            tbody {
                for (language, text) in details.newestTexts.sorted(by: { $0.key < $1.key }) {
                    tr {
                        td { LanguageNames.name(of: language) }
                        td {
                            text.title
                            if details.textChanges[language] != nil, product.review.isLive {
                                " "
                                tag(.calm, "in review")
                            }
                        }
                        td(.class("opt")) { text.description }
                    }
                }
            }
        }
    }

    /// The storefronts that people look at first; the others are behind the fold.
    private static let first = ["USA", "GBR", "DEU", "FRA", "JPN", "CHN", "CHE", "TUR"]

    @HTMLBuilder private var priceTable: [any HTML] {
        let prices = details.prices
        let all = StorefrontRecord.byName
        priceRows(all.filter { Self.first.contains($0.alpha3) }, prices)
        StoreWeb.details {
            summary { "All \(all.count) storefronts" }
            priceRows(all, prices)
        }
    }

    private func priceRows(_ storefronts: [StorefrontRecord], _ prices: [StorefrontCode: Money]) -> Element {
        ul(.class("prices")) {
            for storefront in storefronts {
                let code = StorefrontCode(storefront)
                li {
                    span(.class("muted")) { storefront.name }
                    span {
                        prices[code].map { visit.text($0, in: code) } ?? "not sold"
                        if details.ownPrices[code] != nil { span(.class("faint")) { " set" } }
                    }
                }
            }
        }
    }

    private var factList: Element {
        var entries: [(name: String, value: [any HTML])] = [
            ("Product id", StoreWeb.name(product.productID)), ("Kind", [product.kind.rawValue]),
            ("Review", [checklist.words]),
            ("Reference", [product.referenceName]), ("Store id", StoreWeb.name(product.itemID)),
            ("Store page", storeLink(StoreItem.link(to: product, at: nil), visit)),
        ]
        if let period = product.period { entries.append(("Period", [period.words])) }
        if let group = product.groupID {
            entries.append(("Group", [a(.href(visit.link("/apps/\(app.bundleID)/groups"))) { "\(group)" }]))
        }
        if let picture = details.picture(in: visit.environment) {
            let waits: any HTML =
                picture == details.imageChange
                ? tag(.calm, "in review") : details.imageChange == nil ? "" : tag(.calm, "another is in review")
            entries.append(
                (
                    "Picture",
                    [img(.src(visit.link(path + "/image")), .alt("Its picture"), .width(64), .height(64)), " ", waits]
                ))
        }
        return facts(entries)
    }
}

import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The page of all prices of a product.
struct PricesPage {
    let visit: ConsoleVisit
    let app: CatalogueApp
    let title: String
    let list: PriceList
    /// What the form would do, where it was asked to say that.
    let change: PriceListChange?
    /// Who subscribes already; nil for what does not renew.
    let audience: PriceAudience?
    let filter: PriceFilter

    var product: CatalogueProduct { list.product }
    var path: String { "/apps/\(app.bundleID)/products/\(product.productID)/prices" }
    var mayChange: Bool { visit.may(.catalogue, change: true, .both) }

    /// - Parameter change: what the form that was sent would do.
    static func response(_ visit: ConsoleVisit, change: PriceListChange? = nil) async throws -> HTTPResponse {
        let path = try visit.product
        let (editing, list) = (visit.editing, try await visit.editing.priceList(of: path))
        let app = try await editing.app(path.app)
        let details = try await editing.details(of: path)
        let texts = details.texts(in: visit.environment)
        let title = (texts[app.primaryLanguage] ?? texts.min { $0.key < $1.key }?.value)?.title ?? ""
        let audience =
            list.product.kind == .autoRenewable
            ? try await SubscriptionChanges(visit.store).audience(of: list.product.itemID) : nil
        let page = PricesPage(
            visit: visit, app: app, title: title.isEmpty ? list.product.referenceName : title, list: list,
            change: change, audience: audience, filter: PriceFilter(visit))
        return try await page.response()
    }

    private func response() async throws -> HTTPResponse {
        var page = ConsolePage(visit: visit, title: "Prices of \(title)", place: .apps)
        let product = "/apps/\(app.bundleID)/products/\(self.product.productID)"
        page.crumbs = [
            ("Apps", visit.link("/apps")), (app.name, visit.link("/apps/\(app.bundleID)")),
            (title, visit.link(product)),
        ]
        page.lede = lede
        page.actions = [a(.class("button"), .href(visit.link(path + "/file.csv")), .isDownload) { "Export CSV" }]
        let name = "\(app.bundleID) \(self.product.productID)"
        page.alternatives = [
            .init(command: "prices list \(name)", request: product + "/prices"),
            .init(
                command: "prices set \(name) DEU=1.29 JPN=derived AFG=none --dry-run",
                request: "PUT \(product)/prices",
                body: #"{"isTrial":true,"storefronts":{"DEU":"1.29","JPN":"derived","AFG":"none"}}"#),
            .init(command: "prices export \(name)", request: product + "/prices.csv"),
            .init(
                command: "prices schedule \(name) 1.99 --from 2027-01-01T00:00:00Z",
                request: "PUT \(product)/price-changes",
                body: #"{"startsAt":1798761600000,"amount":"1.99","currency":"USD"}"#),
        ]
        return try await page.response {
            if self.product.draftedAt != nil {
                p(.class("told")) {
                    "Production sells it as it was published; what is here is drafted, and the sandbox sells by it. "
                    a(.href(visit.link("/catalogue/drafts"))) { "Publish or discard the drafts" }
                }
            }
            if let change { PriceChangeCard(visit: visit, change: change).element }
            PriceAudienceCard(visit: visit, list: list, audience: audience).element
            narrowing
            PriceTableForm(page: self).element
            div(.class("two")) {
                div(.class("stack")) {
                    card("Prices beforehand") { beforehand }
                }
                div(.class("stack")) {
                    if mayChange { file }
                    card("Tax") { tax }
                }
            }
        }
    }

    // MARK: What it says first

    private var lede: String {
        guard let base = list.base else {
            return list.ownCount == 0
                ? "It has no price yet: give it a base price, and every storefront follows it."
                : "\(list.ownCount) storefronts have a price; the others have none, and do not sell it."
        }
        let usa = list[StorefrontCode(rawValue: "USA")]?.price.map {
            visit.text($0, in: StorefrontCode(rawValue: "USA"))
        }
        let counts = [
            "\(list.followingCount) storefronts follow the base price of \(base)",
            list.ownCount > 0
                ? list.ownCount == 1 ? "1 has one of its own" : "\(list.ownCount) have one of their own" : "",
            list.withdrawnCount > 0
                ? list.withdrawnCount == 1 ? "1 does not sell it" : "\(list.withdrawnCount) do not sell it" : "",
        ]
        let rest = counts.filter { !$0.isEmpty }.joined(separator: ", ") + "."
        let later = list.changes.first.map { change in
            " From \(change.startsAt.rfc3339.prefix(10)) on it costs \(change.price)"
                + (change.storefront.map { " in \($0.name)." } ?? " wherever no storefront has one of its own.")
        }
        return (usa.map { "\($0)\(period) in the United States. " } ?? "") + rest + (later ?? "")
    }

    /// How often a subscription costs this.
    private var period: String {
        guard let period = product.period else { return "" }
        let unit = "\(period.unit)"
        return period.count == 1 ? " a \(unit)" : " every \(period.count) \(unit)s"
    }

    // MARK: Cards

    @HTMLBuilder private var beforehand: [any HTML] {
        if list.changes.isEmpty { p(.class("muted")) { "Nothing is set beforehand." } }
        for change in list.changes { line(of: change) }
        if mayChange {
            visit.form(path + "/schedule", .class("fields stacked")) {
                label(.for("amount")) { "Another price" }
                input(.id("amount"), .name("amount"), .inputMode("decimal"), .isRequired, .longest(20), .class("money"))
                label(.for("startsAt")) { "From the beginning of this day, UTC" }
                input(.id("startsAt"), .name("startsAt"), .type("date"), .isRequired)
                label(.for("storefront-later")) { "Where" }
                select(.id("storefront-later"), .name("storefront")) {
                    option(.value("")) { "wherever no storefront has one of its own" }
                    for storefront in StorefrontRecord.byName {
                        option(.value(storefront.alpha3)) { "\(storefront.name), \(storefront.currency)" }
                    }
                }
                label(.for("later-currency")) { "Its currency, for everywhere" }
                CurrencyChoice(id: "later-currency", name: "laterCurrency", chosen: list.base?.currency ?? .usd).element
                button { "Set it beforehand" }
            }
        }
    }

    private func line(of change: PriceChange) -> Element {
        div(.class("row")) {
            p {
                b { change.storefront.map { visit.text(change.price, in: $0) } ?? "\(change.price)" }
                " from "
                minute(change.startsAt)
                change.storefront.map { " in \($0.name)" } ?? " wherever no storefront has one of its own"
            }
            if mayChange {
                visit.form(path + "/cancellation") {
                    button(
                        .class("quiet"), .name("change"),
                        .value("\(change.startsAt.rfc3339) \(change.storefront?.rawValue ?? "")")
                    ) { "Take it back" }
                }
            }
        }
    }

    @HTMLBuilder private var tax: [any HTML] {
        if mayChange {
            visit.edit(path + "/tax", .class("fields")) {
                select(.id("taxCategory"), .name("taxCategory"), .label("Tax category")) {
                    for category in TaxCategory.known.map(\.rawValue).sorted() {
                        option(
                            .value(category),
                            category == (product.taxCategory ?? .standard).rawValue ? .isSelected : nil
                        ) { category }
                    }
                }
                button { "Set it" }
            }
        } else {
            p { (product.taxCategory ?? .standard).rawValue }
        }
        p(.class("muted")) { "What it is to a tax office. The store computes no taxes; statements pass it on." }
    }

    private var file: Element {
        card("Import CSV") {
            visit.upload(
                path + "/file", "A row a storefront, as the export has it; rows that are missing stay as they are",
                button: "Show what it changes", accepting: "text/csv,.csv")
        }
    }

    private var narrowing: Element {
        form(.class("filter"), .action(visit.link(path))) {
            div(.class("f wide")) {
                label(.for("q")) { "Storefront or currency" }
                input(.id("q"), .name("q"), .value(filter.text), .placeholder("Germ, DEU, EUR"), .longest(100))
            }
            div(.class("f")) {
                label(.for("show")) { "Show" }
                select(.id("show"), .name("show")) {
                    for kind in PriceFilter.Kind.allCases {
                        option(.value(kind.rawValue), kind == filter.kind ? .isSelected : nil) {
                            "\(kind.title), \(list.rows.count { PriceFilter.count(kind, $0) })"
                        }
                    }
                }
            }
            button(.class("short")) { "Show" }
        }
    }
}

extension PriceFilter {
    /// Whether a row is of a kind, whatever is looked for.
    static func count(_ kind: Kind, _ row: PriceList.Row) -> Bool { PriceFilter(kind: kind).lets(row) }

    private init(kind: Kind) {
        (text, self.kind) = ("", kind)
    }
}

/// A choice among the currencies in which storefronts sell.
struct CurrencyChoice {
    let id: String
    let name: String
    let chosen: Currency

    var element: Element {
        select(.id(id), .name(name)) {
            for currency in Set(StorefrontRecord.all.map(\.currency.code)).sorted() {
                option(.value(currency), currency == chosen.code ? .isSelected : nil) { currency }
            }
        }
    }
}

import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The products of an app, on its page: looked for, sorted, and a page at a time.
struct AppProducts: Sendable {
    /// One of them.
    struct Listed: Sendable {
        let product: CatalogueProduct
        /// In the language of the app; what has no text is called as its developer calls it.
        let title: String
        let price: Money?
        /// What keeps it from being sold; nil where it is sold.
        let obstacle: ProductObstacle?
    }

    /// Those that a page shows.
    struct Found: Sendable {
        let rows: [Listed]
        let hasMore: Bool
        /// Whether there are more than were looked through.
        let isCut: Bool
    }

    /// By what products are sorted.
    // Closed: each has its comparison.
    private enum Column: String {
        case title, product, kind, state, price

        func areInOrder(_ one: Listed, _ other: Listed) -> Bool {
            let (id, otherID) = (one.product.productID.text, other.product.productID.text)
            return switch self {
            case .title: (one.title.lowercased(), id) < (other.title.lowercased(), otherID)
            case .product: id < otherID
            case .kind: (one.product.kind.rawValue, id) < (other.product.kind.rawValue, otherID)
            // Those that are not sold need somebody.
            case .state: (one.obstacle?.name ?? "~", id) < (other.obstacle?.name ?? "~", otherID)
            case .price: (one.price?.minorUnits ?? -1, id) < (other.price?.minorUnits ?? -1, otherID)
            }
        }
    }

    private let visit: ConsoleVisit
    private let text: String
    private let after: ProductID?
    private let order: TableOrder<Column>

    init(_ visit: ConsoleVisit) {
        self.visit = visit
        text = visit.query["q"] ?? ""
        after = visit.query["after"].flatMap { ProductID($0) }
        order = TableOrder(visit.query, standard: .product)
    }

    /// As they are kept they are read a page at a time; in another order all of them are.
    private var isPage: Bool { order.isStandard && text.isEmpty }

    func found(of app: CatalogueApp, in transaction: any ReadTransaction) throws -> Found {
        let limit = isPage ? ConsoleRoutes.rows + 1 : ConsoleRoutes.mostSorted
        let products = try Catalogue.products(of: app.id, after: isPage ? after : nil, limit: limit, in: transaction)
        let storefront = StorefrontCode(rawValue: "USA")
        let usa = try storefront.known(parameter: "storefront")
        let titles = try Catalogue.summaries(of: products, of: app, in: usa, in: transaction)
        let found = try Catalogue.listings(
            for: products.map(\.productID.text), app: app, environment: visit.environment, storefront: usa,
            languages: ["en-US"], at: CatalogueMoment(visit.now), isForPeople: true, in: transaction)
        let obstacles = Dictionary(found.invalid.map { ($0.id, $0.obstacle) }) { first, _ in first }
        let all = products.map { product in
            let (title, price) = titles[product.itemID] ?? (nil, nil)
            return Listed(
                product: product, title: title.flatMap { $0.isEmpty ? nil : $0 } ?? product.referenceName,
                price: price, obstacle: obstacles[product.productID.text])
        }
        let meant = all.filter { listed in
            text.isEmpty
                || [listed.title, listed.product.productID.text, listed.product.referenceName].contains {
                    $0.lowercased().contains(text.lowercased())
                }
        }
        let rows = order.sorted(
            meant, after: isPage ? nil : after.map { id in { $0.product.productID == id } }, order.column.areInOrder)
        return Found(
            rows: Array(rows.prefix(ConsoleRoutes.rows)), hasMore: rows.count > ConsoleRoutes.rows,
            isCut: !isPage && products.count == limit)
    }

    @HTMLBuilder func element(_ found: Found, of app: CatalogueApp) -> [any HTML] {
        let path = "/apps/\(app.bundleID)"
        if !isPage || after != nil || found.hasMore {
            ConsoleRoutes.filter(path, text, "Name or id of a product", order, visit)
        }
        table(found, path, of: app)
        if found.isCut { ConsoleRoutes.tooMany("products") }
    }

    private func table(_ found: Found, _ path: String, of app: CatalogueApp) -> [any HTML] {
        let query = text.isEmpty ? nil : text
        func heading(_ column: Column) -> DataTable.Sorting {
            order.heading(column) { visit.link(path, $0, ("q", query)) }
        }
        return DataTable(
            title: "Products",
            columns: [
                .text("Product", heading(.title)), .optional("Kind", heading(.kind)), .text("State", heading(.state)),
                .amount("United States", heading(.price)),
            ],
            rows: found.rows.map { listed in
                [
                    [
                        a(.href(visit.link("\(path)/products/\(listed.product.productID)"))) { listed.title },
                        p(.class("id faint")) { dotted("\(listed.product.productID)") },
                    ], [listed.product.kind.rawValue],
                    [
                        listed.obstacle.map { tag(.bad, $0.name.replacing("_", with: " ")) } ?? tag(.good, "sold")
                    ],
                    [
                        listed.price.flatMap { price in
                            StorefrontRecord.storefront(alpha3: "USA").map { visit.text(price, in: StorefrontCode($0)) }
                        } ?? ""
                    ],
                ]
            },
            empty: [p { text.isEmpty ? nothing(of: app) : ["There is no such product."] }],
            next: found.hasMore
                ? found.rows.last.map {
                    visit.link(path, order, ("q", query), ("after", $0.product.productID.text))
                } : nil
        ).element
    }

    @HTMLBuilder private func nothing(of app: CatalogueApp) -> [any HTML] {
        "Nothing yet. From a file of Xcode’s: "
        code { visit.command("products import FILE --bundle-id \(app.bundleID)") }
    }
}

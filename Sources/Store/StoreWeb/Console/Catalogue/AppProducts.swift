import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The products of an app, on its page: looked for, sorted, and a page at a time.
struct AppProducts: Sendable {
    /// Those that a page shows.
    struct Found: Sendable {
        let rows: [ProductStanding]
        let hasMore: Bool
        /// Whether there are more than were looked through.
        let isCut: Bool
    }

    /// By what products are sorted.
    // Closed: each has its comparison.
    private enum Column: String {
        case title, product, kind, state, price

        func areInOrder(_ one: ProductStanding, _ other: ProductStanding) -> Bool {
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

    private var limit: Int { isPage ? ListLimits.rows + 1 : ListLimits.sorted }

    /// The app, with the products that are to be looked through.
    func overview(of app: BundleID) async throws -> AppOverview {
        try await visit.editing.overview(
            of: app, in: visit.environment, productsAfter: isPage ? after : nil, limit: limit)
    }

    func found(in overview: AppOverview) -> Found {
        let meant = overview.products.filter { listed in
            text.isEmpty
                || [listed.title, listed.product.productID.text, listed.product.referenceName].contains {
                    $0.lowercased().contains(text.lowercased())
                }
        }
        let rows = order.sorted(
            meant, after: isPage ? nil : after.map { id in { $0.product.productID == id } }, order.column.areInOrder)
        return Found(
            rows: Array(rows.prefix(ListLimits.rows)), hasMore: rows.count > ListLimits.rows,
            isCut: !isPage && overview.products.count == limit)
    }

    @HTMLBuilder func element(_ found: Found, of app: CatalogueApp) -> [any HTML] {
        let path = "/apps/\(app.bundleID)"
        if !isPage || after != nil || found.hasMore {
            visit.search(path, for: text, by: "Name or id of a product", order)
        }
        table(found, path, of: app)
        if found.isCut { tooMany("products") }
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

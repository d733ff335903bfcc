import StoreCatalogue
import StoreHTTP
import StoreModel

/// The form of all prices of a product: a field for each storefront that is shown, and one for the base price.
enum PriceForm {
    /// The table has two fields a storefront.
    static let limits = FormInput.Limits(bytes: 64 * 1024, fields: 1_000)
    static let base = "base"
    static let currency = "currency"
    /// What the button does.
    static let act = "do"
    static let preview = "preview"

    /// The field whose tick says that a storefront does not sell it.
    static func off(_ storefront: StorefrontRecord) -> String { "off-\(storefront.alpha3)" }

    /// What a form asks for. Every field that cannot be read is told.
    static func edits(_ items: QueryItems, of list: PriceList) throws -> PriceEdits {
        var (edits, problems) = (PriceEdits(), [FormProblem]())
        func read(_ field: String, _ body: () throws -> Void) throws {
            do {
                try body()
            } catch {
                guard let found = FormProblem.all(of: error) else { throw error }
                problems += found
            }
        }
        if let text = items[base]?.plain, !text.isEmpty {
            try read(base) {
                guard let currency = Currency(items[currency] ?? "USD") else {
                    throw CatalogueError(.valueInvalid, "it is the code of a currency", field: Self.currency)
                }
                edits.base = try PriceEdits.money(text, in: currency, field: base)
            }
        }
        for row in list.rows {
            let name = row.storefront.alpha3
            // What the table does not show is not sent, and stays as it is.
            guard let text = items[name]?.plain else { continue }
            let isOff = items[off(row.storefront)] != nil
            try read(name) { edits.storefronts[row.code] = try price(text, isOff: isOff, of: row) }
        }
        guard problems.isEmpty else { throw FormProblems(all: problems) }
        return edits
    }

    private static func price(_ text: String, isOff: Bool, of row: PriceList.Row) throws -> StorefrontPrice {
        if isOff {
            guard !row.isWithdrawn || text.isEmpty else {
                throw CatalogueError(
                    .valueInvalid, "it is not sold here; take the tick away, or empty the field",
                    field: row.storefront.alpha3)
            }
            return .notSold
        }
        if text.isEmpty { return .derived }
        return .own(try PriceEdits.money(text, in: row.storefront.currency, field: row.storefront.alpha3))
    }

    /// The form as it would be left to ask for edits, for a page that shows what a file would do.
    static func items(of edits: PriceEdits, _ list: PriceList) -> QueryItems {
        var items: [QueryItems.Item] = []
        if let base = edits.base ?? list.base {
            items += [
                .init(name: Self.base, value: base.decimalText), .init(name: currency, value: base.currency.code),
            ]
        }
        for row in list.rows {
            let wanted = edits.storefronts[row.code] ?? row.standing
            let name = row.storefront.alpha3
            if case .own(let price) = wanted {
                items.append(.init(name: name, value: price.decimalText))
            } else {
                items.append(.init(name: name, value: ""))
            }
            if wanted == .notSold { items.append(.init(name: off(row.storefront), value: "1")) }
        }
        return QueryItems(items)
    }
}

extension PriceList.Row {
    /// What the row says now.
    fileprivate var standing: StorefrontPrice {
        isWithdrawn ? .notSold : own.map(StorefrontPrice.own) ?? .derived
    }
}

extension String {
    /// The same without spaces at its ends.
    fileprivate var plain: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

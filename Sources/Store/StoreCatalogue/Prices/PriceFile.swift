import StoreFoundation
import StoreModel
import StoreRules

/// The prices of a product as a file for spreadsheets: a row for each storefront, and one for the base price.
///
/// ```
/// storefront,name,currency,price,sold,derived,pays
/// base,Base price,USD,1.49,,,
/// DEU,Germany,EUR,1.29,yes,1.79,1.29
/// AFG,Afghanistan,USD,,no,1.49,
/// ```
///
/// Read back, `storefront`, `price` and `sold` count; the other columns are for people. An empty price follows the base, and a
/// row that is missing leaves its storefront as it is.
package enum PriceFile {
    /// The largest file that is read.
    package static let limit = 256 * 1024
    /// The rows that it may have: one for each storefront, and some to spare.
    static let rows = 400
    static let base = "base"

    package static func text(of list: PriceList) -> String {
        var lines = [ExportedTable.line(["storefront", "name", "currency", "price", "sold", "derived", "pays"])]
        if let price = list.base {
            lines.append(ExportedTable.line([base, "Base price", price.currency.code, price.decimalText, "", "", ""]))
        }
        // In the order of the codes, so that two files are compared line by line.
        for row in list.rows.sorted(by: { $0.storefront.alpha3 < $1.storefront.alpha3 }) {
            lines.append(
                ExportedTable.line([
                    row.storefront.alpha3, row.storefront.englishName, row.storefront.currency.code,
                    row.own?.decimalText ?? "", row.isWithdrawn ? "no" : "yes", row.derived?.decimalText ?? "",
                    row.price?.decimalText ?? "",
                ]))
        }
        return lines.joined()
    }

    /// What a file asks for. Throws ``CatalogueError`` with the line that cannot be read.
    package static func edits(_ bytes: [UInt8]) throws(CatalogueError) -> PriceEdits {
        let table: CSVTable
        do throws(CSVTable.Flaw) {
            table = try CSVTable(bytes, limit: rows)
        } catch {
            throw CatalogueError(.valueInvalid, error.rule, field: "line \(error.line)")
        }
        for column in ["storefront", "price"] where !table.columns.contains(column) {
            throw CatalogueError(.valueMissing, "the heading has no column \(column)", field: "line 1")
        }
        var edits = PriceEdits()
        for row in table.rows {
            let (name, field) = (row["storefront"] ?? "", "line \(row.line)")
            let amount = amount(row["price"] ?? "", in: table)
            if name.lowercased() == base {
                guard edits.base == nil else {
                    throw CatalogueError(.valueInvalid, "the base price is there twice", field: field)
                }
                guard !amount.isEmpty else { continue }
                guard let currency = Currency(row["currency"] ?? "") else {
                    throw CatalogueError(.valueInvalid, "the base price has no currency", field: field)
                }
                edits.base = try PriceEdits.money(amount, in: currency, field: field)
                continue
            }
            guard let storefront = StorefrontRecord.storefront(alpha3: name.uppercased()) else {
                throw CatalogueError(.valueInvalid, "there is no storefront \(name.prefix(20))", field: field)
            }
            let code = StorefrontCode(storefront)
            guard edits.storefronts[code] == nil else {
                throw CatalogueError(.valueInvalid, "\(storefront.alpha3) is there twice", field: field)
            }
            edits.storefronts[code] = try price(amount, row, in: storefront, field: field)
        }
        return edits
    }

    private static func price(
        _ amount: String, _ row: CSVTable.Row, in storefront: StorefrontRecord, field: String
    ) throws(CatalogueError) -> StorefrontPrice {
        if let currency = row["currency"], !currency.isEmpty, currency != storefront.currency.code {
            throw CatalogueError(
                .valueInvalid, "the storefront \(storefront.alpha3) sells in \(storefront.currency)", field: field)
        }
        switch (row["sold"] ?? "").lowercased() {
        case "no": return .notSold
        case "", "yes": break
        default: throw CatalogueError(.valueInvalid, "sold is yes or no", field: field)
        }
        return amount.isEmpty ? .derived : .own(try PriceEdits.money(amount, in: storefront.currency, field: field))
    }

    /// An amount as spreadsheets write it: with a comma where they separate by semicolons.
    private static func amount(_ text: String, in table: CSVTable) -> String {
        let text = String(text.filter { !$0.isWhitespace })
        return table.separator == "," ? text : text.replacing(",", with: ".")
    }
}

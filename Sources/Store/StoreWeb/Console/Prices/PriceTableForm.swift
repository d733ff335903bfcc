import StoreCatalogue
import StoreModel
import StoreRules

/// The form of all storefronts that a page of prices shows.
struct PriceTableForm {
    let page: PricesPage

    private var visit: ConsoleVisit { page.visit }
    private var list: PriceList { page.list }
    /// What the form would change, by storefront.
    private var edited: [StorefrontCode: (before: PriceList.Row, after: PriceList.Row)] {
        Dictionary(uniqueKeysWithValues: (page.change?.rows ?? []).map { ($0.after.code, $0) })
    }

    var element: Element {
        let edited = edited
        let rows = list.rows.filter { page.filter.lets($0) || edited[$0.code] != nil }
        let isFirst = { (row: PriceList.Row) in !row.followsBase || edited[row.code] != nil }
        return visit.edit(page.path) {
            hidden("q", page.filter.text)
            hidden("show", page.filter.kind.rawValue)
            if page.mayChange { base }
            div(.class("list")) {
                table(.class("prices")) {
                    caption(.class("unseen")) { "Prices by storefront" }
                    heading
                    part(
                        rows.filter(isFirst), "Own, edited, not sold",
                        "Empty a field, and it follows the base again.", edited)
                    part(
                        rows.filter { !isFirst($0) }, "\(rows.count { !isFirst($0) }) follow the base",
                        "By the table of \(PriceTable.date). Type into a row to give it a price of its own.", edited)
                }
            }
            if page.mayChange { bar }
        }
    }

    private var base: Element {
        div(.class("card")) {
            div(.class("in")) { baseFields }
        }
    }

    @HTMLBuilder private var baseFields: [any HTML] {
        div(.class("form")) {
            div(.class("f")) {
                label(.for(PriceForm.base)) { "Base price, which the others follow" }
                input(
                    .id(PriceForm.base), .name(PriceForm.base), .value(list.base?.decimalText ?? ""),
                    .inputMode("decimal"), .list("points"), .longest(20), .class("money"), .describedBy("point"))
            }
            div(.class("f")) {
                label(.for("base-currency")) { "Currency" }
                CurrencyChoice(
                    id: "base-currency", name: PriceForm.currency, chosen: list.base?.currency ?? .usd
                ).element
            }
        }
        p(.class("h"), .id("point")) { point }
        datalist(.id("points")) {
            for price in suggested { option(.value(price.decimalText)) { price.decimalText } }
        }
    }

    /// The prices that were known by tiers, in the currency of the base.
    private var suggested: [Money] {
        let currency = list.base?.currency ?? .usd
        return PriceTable.points.filter { $0.tier != nil }.compactMap { point in
            PriceTable.price(of: Money(minorUnits: point.cents, currency: .usd), in: currency)
        }
    }

    /// How the base price lies among the price points.
    private var point: String {
        guard let base = list.base, base.minorUnits > 0 else { return "Price points of the tiers are suggested." }
        let near = PriceTable.nearest(to: base)
        let tier = PriceTable.pricePoint(of: base)?.tier.map { ", tier \($0)" } ?? ""
        if near == [base] { return "\(base) is a price point\(tier): the others follow exactly." }
        return "\(base) is no price point; the nearest are \(near.map(\.description).joined(separator: " and "))."
    }

    private var heading: Element {
        thead {
            tr {
                th(.scope("col")) { "Storefront" }
                th(.scope("col"), .class("opt")) { "Currency" }
                th(.scope("col"), .class("num opt")) { "Derived" }
                th(.scope("col"), .class("num")) { "Own price" }
                th(.scope("col")) { "Not sold" }
                th(.scope("col"), .class("num")) { "Pays now" }
                th(.scope("col"), .class("num")) { "Later" }
            }
        }
    }

    private func part(
        _ rows: [PriceList.Row], _ title: String, _ hint: String,
        _ edited: [StorefrontCode: (before: PriceList.Row, after: PriceList.Row)]
    ) -> Element? {
        guard !rows.isEmpty else { return nil }
        return tbody {
            tr {
                th(.columns(7), .scope("rowgroup")) {
                    b { title }
                    " "
                    span(.class("muted")) { hint }
                }
            }
            for row in rows { line(row, edited[row.code]) }
        }
    }

    private func line(
        _ row: PriceList.Row, _ edit: (before: PriceList.Row, after: PriceList.Row)?
    ) -> Element {
        let name = row.storefront.alpha3
        let kind = edit != nil ? "edited" : row.isWithdrawn || row.own == nil ? nil : "own"
        return tr(kind.map { .class($0) }) {
            th(.scope("row")) {
                row.storefront.name
                code { name }
            }
            td { row.storefront.currency.code }
            td(row.isWithdrawn ? .class("off") : nil) { row.derived?.decimalText ?? "–" }
            td {
                if page.mayChange {
                    input(
                        .id("price-\(name)"), .name(name), .value(row.own?.decimalText ?? ""), .inputMode("decimal"),
                        .label("\(row.storefront.name), \(row.storefront.currency)"), .longest(20))
                } else {
                    row.own?.decimalText ?? ""
                }
                if let edit { small { edit.before.words } }
            }
            td {
                if page.mayChange {
                    input(
                        .id(PriceForm.off(row.storefront)), .type("checkbox"), .name(PriceForm.off(row.storefront)),
                        .value("1"),
                        .label("Not sold in \(row.storefront.name)"), row.isWithdrawn ? .isChecked : nil)
                } else if row.isWithdrawn {
                    "not sold"
                }
            }
            td { (edit?.after ?? row).price?.decimalText ?? "not sold" }
            td {
                if let next = row.next {
                    next.price.decimalText
                    small { String(next.startsAt.rfc3339.prefix(10)) }
                }
            }
        }
    }

    private var bar: Element {
        div(.class("bar")) {
            p {
                b {
                    page.change.map { $0.changedNothing ? "Nothing changes." : "\($0.summary)." }
                        ?? "Type a price, empty one, or tick “Not sold”."
                }
                if page.filter.isNarrow {
                    " "
                    span(.class("muted")) { "Only what is shown here is changed." }
                }
            }
            button(.class("primary")) { saving }
            button(.name(PriceForm.act), .value(PriceForm.preview)) { "Show what changes" }
            a(.class("button"), .href(visit.link(page.path))) { "Undo" }
        }
    }

    /// What production sells already is a draft first.
    private var saving: String {
        let isLive = page.product.review.isLive
        guard let count = page.change?.rows.count, count > 0 else {
            return isLive ? "Keep as draft" : "Set these prices"
        }
        let words = count == 1 ? "1 price" : "\(count) prices"
        return isLive ? "Keep \(words) as draft" : "Set \(words)"
    }
}

extension PriceListChange {
    /// What changes, in words.
    var summary: String {
        var parts: [String] = []
        if before.base != after.base {
            parts.append("the base price: \(before.base?.description ?? "none") → \(after.base?.description ?? "none")")
        }
        let count = rows.count
        if count > 0 {
            let names = rows.prefix(3).map(\.after.storefront.name).joined(separator: ", ")
            parts.append(
                (count == 1 ? "1 storefront: " : "\(count) storefronts: ") + names + (count > 3 ? ", …" : ""))
        }
        return "Changes " + parts.joined(separator: ", and ")
    }
}

extension PriceList.Row {
    /// How the price of a row came about.
    var words: String {
        if isWithdrawn { return "was not sold" }
        guard let price else { return "had no price" }
        return "was \(price.decimalText), \(own == nil ? "derived" : "set")"
    }
}

import StoreCatalogue
import StoreHTTP
import StoreModel

/// Which storefronts of a table of prices are shown. A table that is narrowed sends, and so changes, what it shows only.
struct PriceFilter {
    // Closed: each is a line of the choice.
    enum Kind: String, CaseIterable {
        case all, own, withdrawn, later

        var title: String {
            switch self {
            case .all: "all"
            case .own: "with a price of their own"
            case .withdrawn: "not sold"
            case .later: "that will change"
            }
        }
    }

    let text: String
    let kind: Kind

    /// Of the address; of the form that was sent, where the page answers one.
    init(_ visit: ConsoleVisit) {
        let items = visit.sent?.items ?? visit.query
        text = String((items["q"] ?? "").prefix(100))
        kind = items["show"].flatMap(Kind.init) ?? .all
    }

    var isNarrow: Bool { !text.isEmpty || kind != .all }

    func lets(_ row: PriceList.Row) -> Bool {
        let isOfKind =
            switch kind {
            case .all: true
            case .own: row.own != nil && !row.isWithdrawn
            case .withdrawn: row.isWithdrawn
            case .later: row.next != nil
            }
        guard isOfKind else { return false }
        guard !text.isEmpty else { return true }
        let names = [row.storefront.name, row.storefront.alpha3, row.storefront.currency.code]
        return names.contains { $0.lowercased().hasPrefix(text.lowercased()) }
            || row.storefront.name.lowercased().split(separator: " ").contains { $0.hasPrefix(text.lowercased()) }
    }
}

import StoreCatalogue
import StoreModel

extension StorefrontRecord {
    /// As people call it.
    var name: String { englishName }

    /// All of them as people look for them: the United States first, which most choose, and then by their names.
    static let byName = all.sorted { ($0.alpha3 == "USA" ? "" : $0.name) < ($1.alpha3 == "USA" ? "" : $1.name) }
}

extension StorefrontCode {
    /// As people call it; the code of one that is not known.
    var name: String { storefront?.name ?? rawValue }
}

/// A choice among all storefronts.
func storefrontChoice(id: String) -> Element {
    div {
        label(.for(id)) { "Storefront" }
        select(.id(id), .name("storefront")) {
            for storefront in StorefrontRecord.byName { option(.value(storefront.alpha3)) { storefront.name } }
        }
    }
}

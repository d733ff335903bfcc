import Foundation
import StoreModel

/// The countries of the storefront: some in the bar, all of them on a page.
enum StorefrontCountries {
    /// Countries of the languages that the pages have, which the bar offers beside the own one.
    private static let known = ["US", "DE", "FR", "JP", "TR", "CN"].compactMap {
        StorefrontRecord.storefront(alpha2: $0)
    }

    /// What the bar offers: the own one first.
    static func near(_ storefront: StorefrontRecord) -> [StorefrontRecord] {
        [storefront] + known.filter { $0 != storefront }
    }

    /// The way to the same page in a country, in the words of that country.
    static func link(to storefront: StorefrontRecord, _ visit: StorefrontVisit) -> Element {
        let language = storefront.defaultLanguage
        return a(
            .href(visit.link(in: storefront)), .lang(language),
            storefront == visit.storefront ? .isCurrent : nil
        ) {
            ownName(of: storefront) + " "
            span { storefront.currency.code }
        }
    }

    /// What a country calls itself.
    private static func ownName(of storefront: StorefrontRecord) -> String {
        let locale = Locale(identifier: storefront.defaultLanguage.replacing("-", with: "_"))
        return locale.localizedString(forRegionCode: storefront.alpha2) ?? storefront.name
    }

    /// All countries, each leading to the page that one came from.
    static func page(_ visit: StorefrontVisit, to place: String) -> StorefrontPage {
        var there = visit
        there.place = place
        let names = StorefrontRecord.all.map { (name: visit.name(of: $0), storefront: $0) }.sorted {
            $0.name.compare($1.name, locale: visit.locale) == .orderedAscending
        }
        return StorefrontPage(visit, visit.text("shop.countries")) {
            div(.class("lead-in")) {
                h1 { visit.text("shop.countries") }
                p { visit.text("shop.countries_lede") }
            }
            ul(.class("countries")) {
                for one in names {
                    li {
                        a(.href(there.link(in: one.storefront)), one.storefront == visit.storefront ? .isCurrent : nil)
                        {
                            one.name + " "
                            span { one.storefront.currency.code }
                        }
                    }
                }
            }
        }
    }
}

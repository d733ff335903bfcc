import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// How a product is tried: a tester buys it by a press, and its sheet is shown.
struct ProductTrial {
    let visit: ConsoleVisit
    let path: String
    /// The newest testers; nil where nobody buys by a press.
    let testers: [Customer]?

    /// More are not put into one list.
    private static let mostListed = 50
    /// Those that the sheet is written in.
    private static let languages = ["en-US", "de-DE", "fr-FR", "ja-JP", "tr-TR", "zh-Hans"]

    init(_ visit: ConsoleVisit, path: String) async throws {
        (self.visit, self.path) = (visit, path)
        let mayBuy = visit.environment == .sandbox && visit.may(.customers, change: true)
        testers =
            mayBuy
            ? try await Accounts(visit.store).search(
                "", by: .made, isDescending: true, after: nil, limit: Self.mostListed + 1)
            : nil
    }

    var element: Element {
        let buying = testers.map { self.buying($0) }
        return div(.class("form")) {
            if let buying { div(.class("s3")) { buying } }
            div(.class("s3")) { preview }
        }
    }

    private func buying(_ testers: [Customer]) -> Element {
        visit.form(path + "/purchase", .class("stacked")) {
            if testers.isEmpty {
                p {
                    "Nobody can buy it yet: there is no tester. "
                    a(.href(visit.link("/customers"))) { "Make one" }
                }
            } else {
                label(.for("tester")) { "Tester, who pays with the card on file" }
                if testers.count > Self.mostListed {
                    input(.id("tester"), .name("customer"), .isRequired, .placeholder("E-mail or number"))
                } else {
                    select(.id("tester"), .name("customer")) {
                        for tester in testers where tester.deletedAt == nil {
                            option(.value(tester.email)) { tester.email }
                        }
                    }
                }
                p {
                    button(.class("primary")) { "Buy it as the tester" }
                    " "
                    a(.href(visit.link("/customers"))) { "Testers" }
                }
            }
        }
    }

    private var preview: Element {
        form(.class("stacked"), .action(visit.link(path + "/sheet"))) {
            storefrontChoice(id: "sheet-storefront")
            div {
                label(.for("language")) { "Language" }
                select(.id("language"), .name("language")) {
                    for language in Self.languages {
                        option(.value(language)) { LanguageNames.name(of: language) }
                    }
                }
            }
            p { button { "Preview the sheet" } }
        }
    }
}

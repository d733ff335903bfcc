import StoreCatalogue
import StoreRules
import StoreService

/// What a page says where there is nothing yet: how to get something.
struct FirstSteps {
    let visit: ConsoleVisit

    /// The ways to a first app.
    @HTMLBuilder var app: [any HTML] {
        if visit.may(.catalogue, change: true, .both) {
            p(.class("lede")) {
                "One form makes an app and its first product. The sandbox sells it at once; nothing here is seen by a customer "
                "or costs anything."
            }
            AppEntryForm(visit: visit, isFirst: true).element
            h2 { "Or begin with what is there" }
        }
        div(.class("card empty")) {
            p { "There is no app yet. Other ways to get one:" }
            ul {
                li {
                    "Something to try: stop the store and start it with "
                    code { "till dev" }
                    " or "
                    code { "till serve --demo" }
                }
                li {
                    "Your products, as Xcode or another store keeps them: "
                    a(.href(visit.link("/import"))) { "show what a file holds" }
                    ", or "
                    code { visit.command("products import Products.storekit --bundle-id com.example.app") }
                }
                li {
                    "An app with nothing in it: "
                    code { visit.command("apps create com.example.app NAME") }
                }
            }
        }
    }

    /// What there is to say where no sale is.
    @HTMLBuilder func sale(isFiltered: Bool, isCut: Bool = false) -> [any HTML] {
        if isCut {
            p { "Nothing of this kind among the \(SaleSearch.usualWindow) that were looked through." }
        } else if isFiltered {
            p { "Nothing of this kind." }
        } else if visit.store.processor.form.isMissing {
            processor
        } else {
            p { "Nobody has bought anything yet. Three ways to begin:" }
            ul {
                li {
                    "In a terminal, a sample app: "
                    code { "make sample" }
                }
                li {
                    "Without an app: "
                    code { visit.command("buy PRODUCT --app BUNDLE --customer EMAIL") }
                }
                li { "Your own app, built with Till’s StoreKit and a profile: see the page of the app." }
            }
        }
    }

    /// What production lacks before all else, and how it gets it.
    @HTMLBuilder var processor: [any HTML] {
        p {
            tag(.bad, "cannot sell")
            " Production has no payment processor, so nobody can buy. To play one: "
            code { "till serve --production-processor test" }
        }
    }
}

import StoreCatalogue
import StoreModel
import StoreService

/// What is sold inside an app, on the page of the app.
struct PurchaseList {
    let visit: StorefrontVisit
    let products: [ProductListing]
    /// The app, and its id, by which a desktop finds it.
    let app: AppID?
    let bundle: BundleID?

    var part: [any HTML] {
        guard !products.isEmpty else { return [] }
        return [
            StoreWeb.part(visit.text("shop.in_app"), id: "in-app") {
                ul(.class("rows one bare")) {
                    for product in products {
                        li(.id(product.product.productID.text)) {
                            div {
                                h3(.lang(product.language)) { product.title }
                                p(.lang(product.language)) { product.description }
                            }
                            span(.class("cost")) { price(of: product) }
                            choice(of: product.product.productID)
                        }
                    }
                }
                p(.class("muted")) { visit.text("shop.in_app_note") }
            }
        ]
    }

    /// Where a product of the app is chosen: on the page that the app itself shows; else by a link that the desktop hands to
    /// the app.
    private func choice(of product: ProductID) -> Element? {
        guard visit.view != nil else {
            return bundle.map { bundle in
                a(.class("button"), .href(Link(PurchaseIntentLink(product, of: bundle)))) {
                    visit.text("shop.in_app_choose")
                }
            }
        }
        guard let action = visit.viewLink("choice"), visit.app == app else { return nil }
        return form(.isPost, .action(action)) {
            input(.type("hidden"), .name("productId"), .value(product.text))
            button { visit.text("shop.in_app_choose") }
        }
    }

    private func price(of product: ProductListing) -> String {
        let price = visit.price(product.price)
        guard product.product.kind == .autoRenewable, let period = product.product.period else { return price }
        let name =
            switch period.unit {
            case .day: "sheet.each_day"
            case .week: "sheet.each_week"
            case .month: "sheet.each_month"
            case .year: "sheet.each_year"
            }
        return visit.text(name, count: period.count, ["price": price])
    }
}

/// The page of an app that is not sold in the storefront: what it is called, whose it is, and what is sold inside. The links that
/// commands, interfaces and the console show of apps and their products open it.
struct AppOutsidePage {
    let visit: StorefrontVisit
    let content: StorefrontReader.OutsideApp

    /// The one link of the page.
    static func link(of app: CatalogueApp, in storefront: StorefrontRecord) -> StoreLink {
        StoreLink(.app, named: app.name, storeID: app.id.number, in: storefront)
    }

    var page: StorefrontPage {
        let app = content.app
        var page = StorefrontPage(visit, app.name) {
            article {
                header(.class("product")) {
                    Artwork(outline: .app, link: nil, title: app.name).element()
                    div {
                        h1 { app.name }
                        p(.class("maker")) { content.seller }
                    }
                    p(.class("act muted")) { visit.text("shop.outside") }
                }
                PurchaseList(visit: visit, products: content.purchases, app: app.id, bundle: app.bundleID).part
                part(visit.text("shop.information")) {
                    dl(.class("facts")) {
                        dt { visit.text("shop.store_id") }
                        dd { span(.class("id")) { "\(app.id.number)" } }
                    }
                }
            }
        }
        page.section = .apps
        page.description = app.name
        page.canonical = Link(path: Self.link(of: app, in: visit.storefront).path)
        return page
    }
}

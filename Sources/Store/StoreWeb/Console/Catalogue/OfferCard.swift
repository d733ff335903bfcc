import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The offers of a product on its page, and which are open to a customer.
struct OfferCard {
    let visit: ConsoleVisit
    let path: String
    let app: CatalogueApp
    let offers: [SubscriptionOffer]
    let eligibility: [OfferLookup.Eligibility]?

    @HTMLBuilder var content: [any HTML] {
        if offers.isEmpty {
            p { "It costs the same for everybody." }
        } else if let eligibility {
            OfferCard.table(eligibility, visit)
        } else {
            ul {
                for offer in offers {
                    li {
                        b { offer.id }
                        ": \(offer.summary)"
                    }
                }
            }
        }
        if !offers.isEmpty, visit.may(.customers) {
            StoreWeb.form(.class("fields"), .action(visit.link(path))) {
                div {
                    label(.for("customer")) { "Which are open to" }
                    input(
                        .id("customer"), .name("customer"), .value(visit.query["customer"] ?? ""),
                        .placeholder("E-mail or number"), .isUnspelled, .longest(254))
                }
                button { "Say so" }
            }
        }
        p { a(.class("button"), .href(visit.link(path + "/offers"))) { "Offers and new ones" } }
        if visit.may(.secrets) {
            p { a(.class("button"), .href(visit.link("/apps/\(app.bundleID)/codes"))) { "Codes and keys" } }
        }
    }

    static func table(_ eligibility: [OfferLookup.Eligibility], _ visit: ConsoleVisit) -> [any HTML] {
        DataTable(
            title: "Offers", columns: [.text("Offer"), .optional("Product"), .text("Open"), .text("Why")],
            rows: eligibility.map { offer in
                [
                    [offer.offer.id], ["\(offer.product)"],
                    [offer.verdict.isEligible ? tag(.good, "yes") : tag(.calm, "no")], [offer.verdict.reason],
                ]
            }, empty: [p { "No offers." }]
        ).element
    }

    /// The offers of the apps in which a customer has bought something, with whether they are open to them.
    static func offers(
        _ visit: ConsoleVisit, _ customer: Customer, in bundles: [BundleID]
    ) async throws -> [OfferLookup.Eligibility] {
        guard customer.deletedAt == nil else { return [] }
        var (seen, offers): (Set<BundleID>, [OfferLookup.Eligibility]) = ([], [])
        for bundle in bundles where seen.count < mostApps && seen.insert(bundle).inserted {
            offers += (try? await OfferLookup(visit.store).eligibility(of: customer.id.description, app: bundle)) ?? []
        }
        return offers
    }

    /// The apps whose offers are on the page of a customer.
    private static let mostApps = 5
}

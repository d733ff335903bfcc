import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import StoreWeb
import TestSupport
import Testing

@testable import StoreServer

/// R1.8: whoever has a token of the sandbox tries everything there, and changes nothing that production sells.
@Suite("What a session of the sandbox does to production", .bounded)
struct ConsoleSandboxTests {
    private static let app = "/apps/\(ListenerBench.bundle)"
    private static let club = "\(ListenerBench.bundle).club"
    private static let credits = "\(ListenerBench.bundle).credits5"

    /// What a customer of production is shown in some storefronts, and which offers there are.
    private static func sold(_ bench: ListenerBench) async throws -> [String] {
        let bundle = try #require(BundleID(ListenerBench.bundle))
        let now = bench.time.current
        return try await bench.databases.catalogue.read { transaction in
            let app = try #require(try Catalogue.app(bundle, in: transaction))
            let ids = try Catalogue.products(of: app.id, limit: 100, in: .production, transaction).map(\.productID.text)
                .sorted()
            return try ["USA", "DEU", "JPN"].flatMap { code in
                try Catalogue.listings(
                    for: ids, app: app, environment: .production, storefront: CatalogueSample.storefront(code),
                    languages: ["en-US", "de-DE"], at: CatalogueMoment(commerce: now, wall: now), in: transaction
                ).listings.map { listing in
                    // What says that there is a draft is not sold.
                    "\(code) \(listing.product.productID) \(listing.title) \(listing.description) \(listing.price) "
                        + "\(listing.groupName ?? "") \(listing.product.level ?? 0) \(listing.product.isFamilyShareable) "
                        + "\(listing.product.taxCategory?.rawValue ?? "") \(listing.offers.map(\.offer.summary)) "
                        + "\(listing.codes.map(\.offer.summary))"
                }
            }
        }
    }

    @Test("Every form of the catalogue, filled in with something else, leaves production as it was")
    func forms() async throws {
        let bench = try await ListenerBench()
        for product in [Self.club, Self.credits] {
            let approved = try await bench.control("POST", "\(Self.app)/products/\(product)/approval")
            #expect(approved.status == 200, "\(approved.text)")
        }
        let before = try await Self.sold(bench)
        #expect(before.contains { $0.contains(Self.club) }, "production sells something")
        let visitor = try await ConsoleVisitor.visitor(bench, .operator, for: .sandbox)
        var (sent, removals) = (0, [ShownForm]())
        for product in [Self.club, Self.credits] {
            let page = "\(Self.app)/products/\(product)"
            // What does not renew has no page for new offers.
            let offers = product == Self.club ? [page + "/new-offer"] : []
            for path in offers + [
                page, page + "/edit", page + "/prices", page + "/offers", page + "/content",
                Self.app, Self.app + "/settings", Self.app + "/groups", Self.app + "/new-product",
            ] {
                let shown = try await visitor.get(path)
                #expect(shown.status == 200, "\(path)")
                for form in ShownForm.all(in: shown.text) where form.action.hasPrefix("/console/sandbox/apps") {
                    // What was removed has no further pages, so that comes last.
                    if form.action.hasSuffix("/removal") {
                        removals.append(form)
                    } else {
                        try await Self.send(form, by: visitor)
                        sent += 1
                    }
                }
            }
        }
        #expect(sent > 15, "\(sent) forms were sent")
        #expect(try await Self.sold(bench) == before)
        #expect(!removals.isEmpty)
        for form in removals { try await Self.send(form, by: visitor) }
        #expect(try await Self.sold(bench) == before)
        // Nor is any of it published from there.
        let published = try await visitor.send("/catalogue/drafts/publication", ["confirmed": "yes"])
        #expect(published.status == 403, "\(published.status)")
        #expect(try await Self.sold(bench) == before)
    }

    private static func send(_ form: ShownForm, by visitor: ConsoleVisitor) async throws {
        let answer = try await visitor.send(String(form.action.dropFirst("/console/sandbox".count)), other(form))
        #expect(answer.status < 500, "\(form.action): \(answer.text)")
    }

    /// Something else than what a form shows, in every field.
    private static func other(_ form: ShownForm) -> [String: String] {
        var sent: [String: String] = [:]
        for field in form.fields where field.name != "proof" && field.kind != "file" {
            switch field.kind {
            case "hidden": sent[field.name] = field.value
            case "checkbox", "radio": sent[field.name] = field.isTicked ? nil : field.value
            case "select": sent[field.name] = field.options.last { $0 != field.value } ?? field.value
            default:
                let isAmount = field.value.allSatisfy { $0.isNumber || $0 == "." }
                sent[field.name] = isAmount ? "4.99" : field.value + " else"
            }
        }
        return sent
    }
}

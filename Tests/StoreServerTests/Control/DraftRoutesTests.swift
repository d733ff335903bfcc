import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreServer

@Suite("Drafts by HTTP", .bounded)
struct DraftRoutesTests {
    private static let bundle = ListenerBench.bundle
    private static let credits = "\(bundle).credits5"
    private static let club = "\(bundle).club"

    /// What an environment sells of the demo, in words, in three storefronts.
    private static func sold(_ environment: StoreEnvironment, _ bench: ListenerBench) async throws -> [String] {
        try await bench.databases.catalogue.read { transaction in
            let app = try #require(try Catalogue.app(BundleID(parsing: bundle), in: transaction))
            let ids = try Catalogue.products(of: app.id, limit: 100, in: .production, transaction).map(\.productID.text)
            return try ["USA", "JPN", "DEU"].flatMap { code -> [String] in
                let found = try Catalogue.listings(
                    for: ids, app: app, environment: environment, storefront: CatalogueSample.storefront(code),
                    languages: ["en-US"], at: CatalogueMoment(bench.time.current + .seconds(7200)), in: transaction)
                return found.listings.map { listing in
                    let product = listing.product
                    return "\(code) \(product.productID) \(listing.title) \(listing.price) \(product.level ?? 0) "
                        + "\(product.isFamilyShareable) \(product.taxCategory?.rawValue ?? "") "
                        + "\(listing.offers.map(\.offer.summary)) \(listing.codes.map(\.offer.summary))"
                } + found.invalid.map { "\(code) \($0.id) \($0.explanation)" }
            }
        }
    }

    /// Asks with a token of the bench's environment.
    private static func ask(
        _ bench: ListenerBench, _ method: String, _ path: String, _ body: [String: Any]? = nil
    ) async throws -> ListenerBench.Answer {
        try await bench.ask(method, "/control/v1" + path, body, token: ListenerBench.token)
    }

    private static var changes: [(method: String, path: String, body: [String: Any]?)] {
        [
            ("PUT", "\(credits)/price", ["amount": "4.99", "currency": "USD"]),
            ("PUT", "\(credits)/prices/USA", ["amount": "3.99"]),
            ("DELETE", "\(credits)/prices/JPN", nil),
            ("DELETE", "\(credits)/clearance", nil),
            ("PUT", "\(credits)/tax", ["taxCategory": "books"]),
            ("DELETE", credits, nil),
            (
                "PUT", "\(club)/offers/gift",
                [
                    "kind": "code", "paymentMode": "pay_up_front", "period": "P3M",
                    "price": ["amount": "1.00", "currency": "USD"],
                ]
            ),
            (
                "PUT", credits,
                [
                    "type": "Consumable", "referenceName": "Five credits", "isFamilyShareable": true,
                    "price": ["amount": "8.99", "currency": "USD"],
                ]
            ),
        ]
    }

    // Each change must take effect in the sandbox too, or production would stay for want of a change.
    @Test("What a token of the sandbox changes is sold in the sandbox, and production sells what it sold")
    func sandbox() async throws {
        let bench = try await ListenerBench()
        let (before, tried) = (try await Self.sold(.production, bench), try await Self.sold(.sandbox, bench))
        let products = "/apps/\(Self.bundle)/products/"
        for change in Self.changes {
            let answer = try await Self.ask(bench, change.method, products + change.path, change.body)
            #expect([200, 204].contains(answer.status), "\(change.path): \(answer.text)")
            #expect(try await Self.sold(.production, bench) == before, "\(change.path)")
            #expect(try await Self.sold(.sandbox, bench) != tried, "\(change.path)")
            let published = try await Self.ask(bench, "POST", "/catalogue/publication", [:])
            #expect(published.status == 403 && published.code == "production_required")
            let discarded = try await Self.ask(bench, "POST", "/catalogue/drafts/discard", ["bundleId": Self.bundle])
            #expect(discarded.json["products"] as? Int == 1, "\(change.path): \(discarded.text)")
            #expect(try await Self.sold(.sandbox, bench) == tried, "\(change.path)")
        }
        let beforehand: [String: Any] = [
            "startsAt": (bench.time.current + .seconds(3600)).millisecondsSinceEpoch, "amount": "1.99",
            "currency": "USD",
        ]
        #expect(
            try await Self.ask(bench, "PUT", products + "\(Self.credits)/price-changes", beforehand).status == 200)
        #expect(try await Self.sold(.production, bench) == before)
        #expect(try await Self.sold(.sandbox, bench) != tried)
    }

    @Test("Drafts are listed page by page, shown for one product, and published with the number that was seen")
    func publication() async throws {
        let bench = try await ListenerBench(.production)
        let products = "/apps/\(Self.bundle)/products/"
        for product in ["credits5", "credits10"] {
            let path = products + "\(Self.bundle).\(product)/prices/USA"
            #expect(try await bench.control("PUT", path, ["amount": "7.99"]).status == 200)
        }
        let first = try await bench.control("GET", "/catalogue/drafts?limit=1").json
        let next = try #require(first["next"] as? String)
        #expect(next == "\(Self.bundle)/\(Self.bundle).credits10" && first["count"] as? Int == 2)
        let second = try await bench.control("GET", "/catalogue/drafts?limit=1&after=\(next)").json
        #expect(second["next"] == nil && (second["items"] as? [Any])?.count == 1)
        for (query, parameter) in [("limit=0", "limit"), ("after=x", "after")] {
            let refused = try await bench.control("GET", "/catalogue/drafts?\(query)")
            #expect(refused.status == 400 && refused.json.refusal[1] == parameter, "\(refused.text)")
        }
        let one = try await bench.control("GET", products + "\(Self.credits)/draft").json
        let changes = try #require(one["changes"] as? [[String: Any]])
        #expect(changes.count == 1 && changes[0]["after"] as? String == "7.99 USD")
        let seen = try #require(first["seen"] as? Int)
        _ = try await bench.control("PUT", products + "\(Self.credits)/prices/USA", ["amount": "8.99"])
        let stale = try await bench.control("POST", "/catalogue/publication", ["seen": seen])
        #expect(stale.status == 409 && stale.json.refusal[1] == "seen", "\(stale.text)")
        let field = try await bench.control(
            "DELETE", products + "\(Self.bundle).credits10/draft/prices.USA")
        #expect(field.status == 204)
        let trial = try await bench.control("POST", "/catalogue/publication?trial=true", [:])
        #expect(trial.json["isTrial"] as? Bool == true && trial.json["changes"] as? Int == 1)
        let made = try await bench.control("POST", "/catalogue/publication", ["bundleId": Self.bundle])
        #expect(made.json["changes"] as? Int == 1, "\(made.text)")
        #expect(try await Self.sold(.production, bench).contains { $0.contains("credits5") && $0.contains("8.99") })
        let none = try await bench.control("GET", products + "\(Self.credits)/draft")
        #expect(none.status == 404)
    }

    @Test("A change is published with it by a token of production")
    func atOnce() async throws {
        let bench = try await ListenerBench(.production)
        let path = "/apps/\(Self.bundle)/products/\(Self.credits)/prices/USA?publish=true"
        let made = try await bench.control("PUT", path, ["amount": "7.99"])
        #expect(made.status == 200 && (made.json["product"] as? [String: Any])?["draftedAt"] == nil)
        #expect(try await Self.sold(.production, bench).contains { $0.contains("credits5") && $0.contains("7.99") })
    }
}

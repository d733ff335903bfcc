import StoreHTTP
import StoreModel
import TestSupport
import Testing

@testable import StoreServer

/// The token that one gets without saying for what.
@Suite("A token of the sandbox", .bounded)
struct SandboxTokenTests {
    /// Changes of something that production sells, which are published and no drafts, as the token does them that is made by default.
    private static var changesOfSales: [(method: String, path: String, body: [String: Any]?)] {
        [
            ("PUT", "/products/P/price?publish=true", ["amount": "0.00", "currency": "USD"]),
            ("PUT", "/products/P/prices/USA?publish=true", ["amount": "0.99"]),
            ("DELETE", "/products/P/prices/JPN?publish=true", nil),
            (
                "PUT", "/products/P/price-changes?publish=true",
                ["amount": "0.99", "currency": "USD", "startsAt": 4_000_000_000_000]
            ),
            ("DELETE", "/products/P/clearance?publish=true", nil), ("DELETE", "/products/P?publish=true", nil),
            ("POST", "/products/P/approval", nil),
            ("PUT", "/products/P/tax?publish=true", ["taxCategory": "books"]),
            ("PUT", "/products/P/removal", ["reason": "No."]),
            ("PUT", "/capabilities", ["capabilities": [String]()]), ("POST", "/offer-keys", [:]),
            ("PUT", "/grace-period", ["days": 16, "isInProduction": true]),
            ("PUT", "/import?approved=true", ["version": ["major": 2], "products": [] as [Any]]),
        ]
    }

    @Test("The token that is made by default changes nothing that production sells, and its own product as it likes")
    func sandboxToken() async throws {
        let bench = try await ListenerBench(.sandbox)
        let app = "/apps/\(ListenerBench.bundle)"
        let live = "\(ListenerBench.bundle).jungle"
        func product(_ id: String) async throws -> String {
            let found = try await bench.control("GET", app + "/products/\(id)")
            #expect(found.status == 200)
            return found.text
        }
        func token(_ method: String, _ path: String, _ body: [String: Any]? = nil) async throws -> ListenerBench.Answer
        {
            try await bench.ask(method, "/control/v1" + path, body, token: ListenerBench.token)
        }
        let before = try await product(live)
        for (method, path, body) in Self.changesOfSales {
            let answer = try await token(method, app + path.replacing("/P", with: "/\(live)"), body)
            #expect(answer.status == 403 && answer.code == "production_required", "\(method) \(path): \(answer.text)")
        }
        // A version of one's own may be entered; production stops selling by none of them.
        #expect(try await token("POST", app + "/versions", ["version": "9.0"]).status == 201)
        let withdrawal = try await token("POST", app + "/versions/9.0/withdrawal")
        #expect(withdrawal.status == 403 && withdrawal.code == "production_required", "\(withdrawal.text)")
        #expect(try await product(live) == before)

        // A text is a draft until it is approved, and a product of one's own is nobody's loss.
        let texts: [String: Any] = ["texts": ["en-US": ["title": "Another", "description": "Other"]]]
        let kept: [String: Any] = ["type": "Non-Consumable", "referenceName": "jungle"]
        let edited = try await token("PUT", app + "/products/\(live)", kept.merging(texts) { $1 })
        #expect(edited.status == 200, "\(edited.text)")
        let own = app + "/products/\(ListenerBench.bundle).own"
        let new: [String: Any] = [
            "type": "Consumable", "referenceName": "Own", "price": ["amount": "0.99", "currency": "USD"],
            "texts": ["en-US": ["title": "Own", "description": ""]],
        ]
        #expect(try await token("PUT", own, new).status == 200)
        let price = try await token("PUT", own + "/price", ["amount": "1.99", "currency": "USD"])
        #expect(price.status == 200, "\(price.text)")
        #expect(try await token("DELETE", own).status == 204)
    }
}

import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreServer

@Suite("Items of the storefront by HTTP", .bounded)
struct ItemRoutesTests {
    private static var film: [String: Any] { ["name": "The Harbour", "artist": "Ada Film", "genreId": 4406] }

    private static func item(_ json: [String: Any]) throws -> [String: Any] {
        try #require(json["item"] as? [String: Any], "\(json)")
    }

    @Test("R7.7: An item brings its store id, is listed, changed, priced and removed; its number is taken for ever")
    func life() async throws {
        let bench = try await ListenerBench()
        let new: [String: Any] = ["kind": "film", "storeId": 364_709_193, "facts": Self.film]
        let made = try await bench.control("POST", "/items", new)
        #expect(made.status == 201, "\(made.text)")
        let item = try Self.item(made.json)
        #expect(item["storeId"] as? Int == 364_709_193 && item["artist"] as? String == "Ada Film")
        #expect((item["link"] as? String)?.contains("/us/movie/") == true, "\(item)")
        #expect((made.json["missing"] as? [String])?.isEmpty == false)

        let path = "/items/364709193"
        let price = ["amount": "9.99", "currency": "USD"]
        #expect(try await bench.control("PUT", path + "/price", price).status == 200)
        let own = try await bench.control("PUT", path + "/prices/JPN", ["amount": "1500"])
        let prices = try #require(own.json["prices"] as? [String: [String: Any]], "\(own.text)")
        #expect(prices["JPN"]?["amount"] as? String == "1500" && prices["USA"]?["amount"] as? String == "9.99")
        let withdrawn = try await bench.control("DELETE", path + "/prices/DEU")
        #expect(withdrawn.json["withdrawnStorefronts"] as? [String] == ["DEU"], "\(withdrawn.text)")

        let named = try await bench.control("PUT", path, ["name": "Two Harbours", "rating": "12+"])
        #expect(try Self.item(named.json)["name"] as? String == "Two Harbours")
        let cleared = try await bench.control("PUT", path, ["rating": ""])
        for text in [["description": "Of two harbours."], ["title": "Harbours"]] {
            let told = try await bench.control("PUT", path, ["texts": ["en-US": text]])
            let texts = told.json["texts"] as? [String: [String: String]]
            let title = text["title"] ?? "Two Harbours"
            #expect(texts?["en-US"] == ["title": title, "description": "Of two harbours."], "\(told.text)")
        }
        #expect(named.json["rating"] as? String == "12+" && cleared.json["rating"] == nil, "\(cleared.text)")

        let listed = try await bench.control("GET", "/items?kind=film&limit=1000")
        let found = try #require(listed.json["items"] as? [[String: Any]])
        #expect(found.contains { $0["storeId"] as? Int == 364_709_193 && $0["name"] as? String == "Two Harbours" })
        #expect(found.allSatisfy { $0["kind"] as? String == "film" })

        #expect(try await bench.control("DELETE", path).status == 204)
        #expect(try await bench.control("GET", path + "/details").code == "name_unknown")
        #expect(try await bench.control("POST", "/items", new).status >= 400)
    }

    @Test("R7.7: What contradicts the kind of an item is refused by the name of its field, and enters nothing")
    func kinds() async throws {
        let bench = try await ListenerBench()
        let before = try await bench.control("GET", "/items?limit=1000").json["items"] as? [Any]
        let refusals: [(kind: String, facts: [String: Any], field: String)] = [
            ("poem", [:], "kind"), ("film", ["genreId": 6014], "genreId"), ("film", ["isbn": "9780306406157"], "isbn"),
            ("film", ["parent": 1], "parent"), ("film", ["supportAddress": "javascript:alert(1)"], "supportAddress"),
            ("film", ["without": ["name"]], "without"),
        ]
        for (kind, facts, field) in refusals {
            let new: [String: Any] = ["kind": kind, "facts": Self.film.merging(facts) { $1 }]
            let refused = try await bench.control("POST", "/items", new)
            let error = refused.json["error"] as? [String: Any]
            #expect(refused.status == 400 && error?["parameter"] as? String == field, "\(field): \(refused.text)")
        }
        let after = try await bench.control("GET", "/items?limit=1000").json["items"] as? [Any]
        #expect(before != nil && before?.count == after?.count)
    }

    @Test("R1.12: What was never approved has the link of the sandbox, which alone shows it")
    func links() async throws {
        let bench = try await ControlBench(.production)
        let shown = try await ItemSample.enter(.film, "The Pier", genre: 4406, in: bench.databases.catalogue).storeID
        let body = #"{"kind":"film","facts":{"name":"The Harbour","artist":"Ada","genreId":4406}}"#
        let made = try Self.item(try await bench.ask("POST", "/control/v1/items", body).json)
        #expect((made["link"] as? String)?.hasPrefix("http://127.0.0.1:2/us/movie/") == true, "\(made)")
        let known = try Self.item(try await bench.ask("GET", "/control/v1/items/\(shown)/details").json)
        #expect((known["link"] as? String)?.hasPrefix("http://127.0.0.1:1/us/movie/") == true, "\(known)")
    }

    @Test("R7.7: The home page begins with what was chosen, in its order; an unknown item leaves it as it was")
    func features() async throws {
        let bench = try await ListenerBench()
        var ids: [Int] = []
        for name in ["The Harbour", "The Pier"] {
            let facts = Self.film.merging(["name": name]) { $1 }
            let made = try await bench.control("POST", "/items", ["kind": "film", "facts": facts])
            ids.append(try #require(try Self.item(made.json)["storeId"] as? Int))
        }
        func chosen(_ json: [String: Any]) -> [Int] {
            (json["items"] as? [[String: Any]] ?? []).compactMap { $0["storeId"] as? Int }
        }
        let wanted = Array(ids.reversed())
        #expect(chosen(try await bench.control("PUT", "/features", ["items": wanted]).json) == wanted)
        #expect(try await bench.control("PUT", "/features", ["items": [1]]).code == "name_unknown")
        #expect(try await bench.control("PUT", "/features", ["items": [ids[0], ids[0]]]).status == 400)
        #expect(chosen(try await bench.control("GET", "/features").json) == wanted)
        let history = try await bench.control("GET", "/audit?subject=store")
        #expect(history.text.contains("features"), "\(history.text)")
    }
}

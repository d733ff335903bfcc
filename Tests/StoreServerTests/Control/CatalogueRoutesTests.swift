import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreServer

@Suite("The catalogue by HTTP", .bounded)
struct CatalogueRoutesTests {
    private static let app = "/control/v1/apps/com.example.app"

    private static func imported(_ environment: StoreEnvironment = .sandbox) async throws -> ControlBench {
        let bench = try await ControlBench(environment)
        #expect(try await bench.ask("PUT", app + "/import?name=Example", ControlBench.file).status == 200)
        return bench
    }

    @Test("A file is imported, and once however often")
    func importing() async throws {
        let bench = try await ControlBench()
        let first = try await bench.ask("PUT", Self.app + "/import?name=Example", ControlBench.file)
        let made = try #require((first.json["apps"] as? [[String: Any]])?.first)
        #expect(first.status == 200 && made["isNewApp"] as? Bool == true)
        #expect(made["added"] as? [String] == ["credits5", "credits6"])
        let second = try await bench.ask("PUT", Self.app + "/import", ControlBench.file)
        let again = try #require((second.json["apps"] as? [[String: Any]])?.first)
        #expect(again["unchanged"] as? [String] == ["credits5", "credits6"])
        let found = try await bench.ask("GET", Self.app)
        #expect(found.json["name"] as? String == "Example")
        #expect(found.json["bundleId"] as? String == "com.example.app")
    }

    @Test("A file that will not do is refused by the name of its field, and changes nothing")
    func refused() async throws {
        let bench = try await ControlBench()
        let path = Self.app + "/import"
        let wrong = ControlBench.file.replacing(#""1.99""#, with: #""x""#)
        let answer = try await bench.ask("PUT", path, wrong)
        #expect(answer.status == 400 && answer.json.refusal == ["value_invalid", "products[1].displayPrice"])
        #expect(try await bench.ask("PUT", path, "{").status == 400)
        #expect(try await bench.ask("PUT", path, ControlBench.file, type: "text/plain").status == 415)
        #expect(try await bench.ask("PUT", path + "?approved=maybe", ControlBench.file).status == 400)
        #expect(try await bench.ask("PUT", path + "?name=%0A", ControlBench.file).status == 400)
        #expect(try await bench.ask("PUT", "/control/v1/apps/a..b/import", ControlBench.file).status == 404)
        #expect(try await bench.ask("GET", Self.app).status == 404)
        let large = String(repeating: " ", count: StoreKitFileLimits.bytes + 1)
        #expect(try await bench.ask("PUT", path, large).status == 413)
    }

    @Test("A product of another kind is a conflict")
    func conflict() async throws {
        let bench = try await Self.imported()
        let other = ControlBench.file.replacing("Consumable", with: "NonConsumable")
        let answer = try await bench.ask("PUT", Self.app + "/import", other)
        #expect(answer.status == 409 && answer.json.refusal[0] == "product_kind_fixed")
    }

    @Test("Pages of apps and products follow one another")
    func pages() async throws {
        let bench = try await Self.imported()
        #expect(try await bench.ask("PUT", "/control/v1/apps/com.example.b/import", ControlBench.file).status == 200)
        let first = try await bench.ask("GET", "/control/v1/apps?limit=1")
        #expect((first.json["items"] as? [[String: Any]])?.count == 1)
        #expect(first.json["next"] as? String == "com.example.app")
        let second = try await bench.ask("GET", "/control/v1/apps?limit=1&after=com.example.app")
        #expect((second.json["items"] as? [[String: Any]])?.first?["bundleId"] as? String == "com.example.b")
        #expect(second.json["next"] == nil)
        let products = try await bench.ask("GET", Self.app + "/products?limit=1")
        #expect(products.json["next"] as? String == "credits5")
        let rest = try await bench.ask("GET", Self.app + "/products?after=credits5")
        #expect((rest.json["items"] as? [[String: Any]])?.map { $0["productId"] as? String } == ["credits6"])
        for query in ["limit=0", "limit=1001", "limit=x", "limit=%2B1", "after=%20"] {
            #expect(try await bench.ask("GET", "/control/v1/apps?\(query)").status == 400)
        }
    }

    @Test("Prices are set and taken away, in the digits of the currency")
    func prices() async throws {
        let bench = try await Self.imported()
        let path = Self.app + "/products/credits5/prices/"
        let yen = try await bench.ask("PUT", path + "JPN", #"{"amount":"160"}"#)
        #expect(Self.prices(yen, "JPN", "USA", "DEU") == ["160 JPY, set", "0.99 USD", "1.19 EUR"])
        let derived = try await bench.ask("PUT", path + "JPN", #"{"amount":"derived"}"#)
        #expect(Self.prices(derived, "JPN") == ["160 JPY"])
        #expect(derived.json["unpricedStorefronts"] as? [String] == [])
        for body in [#"{"amount":"1.5"}"#, #"{"amount":"-1"}"#, #"{"amount":1}"#, "{}"] {
            let answer = try await bench.ask("PUT", path + "JPN", body)
            #expect(answer.status == 400 && answer.json.refusal[1] == "amount", "\(body)")
        }
        #expect(try await bench.ask("PUT", path + "ZZZ", #"{"amount":"1"}"#).status == 404)
        let gone = try await bench.ask("DELETE", path + "JPN")
        #expect((gone.json["prices"] as? [String: Any])?["JPN"] == nil)
        #expect(gone.json["withdrawnStorefronts"] as? [String] == ["JPN"])
    }

    @Test("The price of all storefronts is set at once, and wins over those of its currency")
    func basePrice() async throws {
        let bench = try await Self.imported()
        let path = Self.app + "/products/credits5"
        #expect(try await bench.ask("PUT", path + "/prices/DEU", #"{"amount":"1.00"}"#).status == 200)
        #expect(try await bench.ask("PUT", path + "/prices/JPN", #"{"amount":"100"}"#).status == 200)
        let set = try await bench.ask("PUT", path + "/price", #"{"amount":"2.29","currency":"EUR"}"#)
        #expect(Self.prices(set, "DEU", "FRA", "JPN", "USA") == ["2.29 EUR", "2.29 EUR", "100 JPY, set", "1.99 USD"])
        #expect((set.json["basePrice"] as? [String: String]) == ["amount": "2.29", "currency": "EUR"])
        for body in [
            #"{"amount":"derived","currency":"EUR"}"#, #"{"amount":"1.5","currency":"JPY"}"#,
            #"{"amount":"1.500","currency":"BHD"}"#, #"{"amount":"1.50","currency":"IDR"}"#,
        ] {
            let answer = try await bench.ask("PUT", path + "/price", body)
            #expect(answer.status == 400 && answer.json.refusal[1] == "amount", "\(body)")
        }
        #expect(try await bench.ask("PUT", path + "/price", #"{"amount":"1","currency":"?"}"#).status == 400)
        #expect(Self.prices(try await bench.ask("GET", path), "DEU") == ["2.29 EUR"])
    }

    private static func prices(
        _ answer: (status: Int, json: [String: Any]), _ storefronts: String...
    ) -> [String] {
        let prices = answer.json["prices"] as? [String: [String: Any]] ?? [:]
        return storefronts.map { storefront in
            guard let price = prices[storefront] else { return "none" }
            let isDerived = price["isDerived"] as? Bool == true
            return "\(price["amount"] ?? "") \(price["currency"] ?? "")\(isDerived ? "" : ", set")"
        }
    }

    @Test("Products are approved, taken off the shelves and put back")
    func states() async throws {
        let bench = try await Self.imported(.production)
        let path = Self.app + "/products/credits5"
        let state = { (json: [String: Any]) in (json["product"] as? [String: Any])?["state"] as? String }
        let isCleared = { (json: [String: Any]) in (json["product"] as? [String: Any])?["isClearedForSale"] as? Bool }
        #expect(state(try await bench.ask("GET", path).json) == "ready_to_submit")
        #expect(state(try await bench.ask("POST", path + "/approval").json) == "approved")
        #expect(isCleared(try await bench.ask("DELETE", path + "/clearance").json) == false)
        #expect(isCleared(try await bench.ask("POST", path + "/clearance").json) == true)
    }

    @Test("A product that was removed is not there any more, and its id is burnt")
    func removed() async throws {
        let bench = try await Self.imported(.production)
        let path = Self.app + "/products/credits5"
        #expect(try await bench.ask("DELETE", path).status == 204)
        for (method, path) in [("GET", path), ("DELETE", path), ("POST", path + "/approval")] {
            let answer = try await bench.ask(method, path)
            #expect(answer.status == 404 && answer.json.refusal == ["product_unknown", "productId"])
        }
        let again = try await bench.ask("PUT", Self.app + "/import", ControlBench.file)
        #expect(again.status == 409 && again.json.refusal[0] == "product_removed")
    }

    @Test("Of an app that there is not, nothing is said")
    func unknown() async throws {
        let bench = try await Self.imported()
        for path in ["", "/products", "/products/credits5", "/secret"] {
            let answer = try await bench.ask("GET", "/control/v1/apps/com.example.none\(path)")
            #expect(answer.status == 404 && answer.json.refusal == ["app_unknown", "bundleId"])
        }
    }

    @Test("Shared secrets are made, shown and removed", arguments: ["/control/v1/secret", app + "/secret"])
    func secrets(path: String) async throws {
        let bench = try await Self.imported()
        #expect(try await bench.ask("GET", path).json["secret"] == nil)
        let first = try #require(try await bench.ask("POST", path).json["secret"] as? String)
        #expect(first.utf8.count == 32 && first.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) })
        #expect(try await bench.ask("GET", path).json["secret"] as? String == first)
        let isOfApp = path.contains("/apps/")
        let found = try await bench.databases.catalogue.read { transaction in
            let app = try #require(try Catalogue.app(BundleID(parsing: "com.example.app"), in: transaction))
            return try [StoreEnvironment.sandbox, .production].map {
                isOfApp
                    ? try SharedSecrets.find(of: app.id, in: $0, transaction)
                    : try SharedSecrets.primary(in: $0, transaction)
            }
        }
        #expect(found == [first, nil], "the listener is of the sandbox")
        #expect(try await bench.ask("POST", path).json["secret"] as? String != first)
        #expect(try await bench.ask("DELETE", path).status == 204)
        #expect(try await bench.ask("GET", path).json["secret"] == nil)
    }

    @Test("A profile is made of where the store is, or of where it is said to be")
    func profiles() async throws {
        let bench = try await Self.imported()
        let path = "/control/v1/profiles"
        let read = { (json: [String: Any]) throws -> ProvisioningProfile in
            let text = try #require(json["profile"] as? String)
            return try SampleKeys.of(.sandbox).jwsVerifier().verify(text).decode()
        }
        let plain = try read(await bench.ask("POST", path, #"{"bundleId":"com.example.app"}"#).json)
        #expect(plain.storeUrl.description == "http://127.0.0.1:1" && plain.environment == .sandbox)
        let other = #"{"bundleId":"com.example.*","storeUrl":"https://store.example.com"}"#
        let wild = try read(await bench.ask("POST", path, other).json)
        #expect(wild.storeUrl.description == "https://store.example.com" && !wild.canSell)
        #expect(try await bench.ask("POST", path, #"{"bundleId":"com.example.none"}"#).status == 404)
        let bad = try await bench.ask("POST", path, #"{"bundleId":"com.*.app"}"#)
        #expect(bad.status == 400 && bad.json.refusal[1] == "bundleId")
    }
}

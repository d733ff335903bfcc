import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService
import TestSupport
import Testing

@testable import StoreServer

@Suite("Products entered by hand", .bounded)
struct EntryRoutesTests {
    private static let products = "/control/v1/apps/com.example.zoo/products"

    /// A store with an app, number 1.
    private static func bench() async throws -> ControlBench {
        let bench = try await ControlBench()
        let made = try await bench.ask("POST", "/control/v1/apps", #"{"bundleId":"com.example.zoo","name":"The Zoo!"}"#)
        #expect(made.status == 201 && made.json["teamId"] as? String == "my-team")
        return bench
    }

    private static func put(
        _ bench: ControlBench, _ id: String, _ more: String, type: String = "Consumable"
    ) async throws -> (status: Int, json: [String: Any]) {
        try await bench.ask(
            "PUT", "\(products)/\(id)", #"{"type":"\#(type)","referenceName":"It"\#(more)}"#)
    }

    private static func state(_ json: [String: Any]) -> String? {
        (json["product"] as? [String: Any])?["state"] as? String
    }

    @Test("R1.2: A product of every kind is entered, changed and refused by the name of its field")
    func kinds() async throws {
        let bench = try await Self.bench()
        let whole = #","texts":{"en-US":{"title":"A","description":""}},"price":{"amount":"0.99","currency":"USD"}"#
        let texts = #","texts":{"en-US":{"title":"A","description":""}}"#
        for (index, type) in ProductKind.known.map(\.rawValue).sorted().enumerated() {
            let isFree = type == "Free Subscription"
            let more = type.hasPrefix("Auto") ? #","period":"P1M","groupId":"club""# : ""
            let made = try await Self.put(bench, "p\(index)", (isFree ? texts : whole) + more, type: type)
            #expect(made.status == 200 && Self.state(made.json) == "ready_to_submit", "\(type): \(made.json)")
        }
        let bare = try await Self.put(bench, "bare", "")
        #expect(Self.state(bare.json) == "missing_metadata")
        #expect(Self.state(try await Self.put(bench, "bare", whole).json) == "ready_to_submit")
        let refusals: [(String, String, String)] = [
            (whole, "Free Subscription", "price"), (whole, "Song", "type"),
            (whole, "Auto-Renewable Subscription", "period"),
            (#","texts":{"??":{"title":"A","description":""}}"#, "Consumable", "localizations.locale"),
            (#","price":{"amount":"0.999","currency":"USD"}"#, "Consumable", "amount"),
        ]
        for (more, type, field) in refusals {
            let answer = try await Self.put(bench, "other", more, type: type)
            #expect(answer.status == 400 && answer.json.refusal[1] == field, "\(type) \(answer.json)")
        }
        #expect(try await bench.ask("GET", Self.products + "/other").status == 404)
    }

    @Test("R1.4: A price that was set beforehand holds from its moment on, and can be taken back before")
    func scheduled() async throws {
        let bench = try await Self.bench()
        _ = try await Self.put(bench, "lion", #","price":{"amount":"0.99","currency":"USD"}"#)
        let path = Self.products + "/lion/price-changes"
        let now = ControlBench.now.millisecondsSinceEpoch
        let change = { (start: Int64, rest: String) in
            try await bench.ask("PUT", path, #"{"startsAt":\#(start),"amount":"1.99","currency":"USD"\#(rest)}"#)
        }
        #expect(try await change(now, "").json.refusal[1] == "startsAt")
        #expect(try await change(now + 1, #","storefront":"JPN""#).json.refusal[1] == "amount")
        #expect(try await change(now + 1, #","storefront":"ZZZ""#).json.refusal[1] == "storefront")
        #expect(try await change(now + 1, "").status == 200)
        let product = try await bench.databases.catalogue.read { transaction in
            try #require(try Catalogue.product(ItemID(number: 1_000_000_002), in: transaction))
        }
        for (moment, price) in [(now, 99), (now + 1, 199)] {
            let details = try await bench.databases.catalogue.read {
                try Catalogue.details(of: product, at: Instant(millisecondsSinceEpoch: moment), in: $0)
            }
            #expect(details.prices[StorefrontCode(rawValue: "USA")]?.minorUnits == Int64(price))
        }
        #expect(try await bench.ask("DELETE", path).json.refusal == ["value_missing", "startsAt"])
        let gone = try await bench.ask("DELETE", path + "?startsAt=\(now + 1)")
        #expect(gone.status == 200 && (gone.json["priceChanges"] as? [Any])?.isEmpty == true)
        #expect(try await bench.ask("DELETE", path + "?startsAt=\(now + 1)").status == 404)
    }

    @Test("R1.12: What a store id or a bundle id is of is found; who asks for an app by number is told its bundle id")
    func storeIDs() async throws {
        let bench = try await Self.bench()
        _ = try await Self.put(bench, "lion", "")
        let app = try await bench.ask("GET", "/control/v1/items/1000000001")
        #expect(app.json["bundleId"] as? String == "com.example.zoo" && app.json["productId"] == nil)
        #expect(app.json["link"] as? String == "http://127.0.0.1:1/us/app/the-zoo/id1000000001?mt=8")
        let lion = try await bench.ask("GET", "/control/v1/items/1000000002")
        let link = try #require(lion.json["link"] as? String)
        #expect(
            lion.json["productId"] as? String == "lion"
                && link == "http://127.0.0.1:1/us/app/id1000000001?item=1000000002")
        let escaped = try #require(link.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let again = try await bench.ask("GET", "/control/v1/items/" + escaped)
        #expect(again.json["productId"] as? String == "lion")
        let message = { (json: [String: Any]) in (json["error"] as? [String: Any])?["message"] as? String ?? "" }
        let bundle = try await bench.ask("GET", "/control/v1/items/com.example.zoo")
        #expect(bundle.status == 200 && bundle.json["link"] as? String == app.json["link"] as? String)
        let number = try await bench.ask("GET", "/control/v1/apps/1000000001")
        #expect(number.status == 404 && message(number.json).contains("1000000001 is the store id of com.example.zoo"))
        for text in ["1000000003", "99999999999999999999", "idX", "-1"] {
            #expect(try await bench.ask("GET", "/control/v1/items/\(text)").status == 404)
        }
        for (text, meant) in ["com.example.zo": "com.example.zoo", "loin": "lion"] {
            let missed = try await bench.ask("GET", "/control/v1/items/\(text)")
            #expect(missed.status == 404 && message(missed.json).hasSuffix("did you mean \(meant)?"))
        }
    }

    @Test("R6.1: Hosting is for non-consumables that were never on sale, and a tax category is one that there is")
    func hosting() async throws {
        let bench = try await Self.bench()
        let whole = #","texts":{"en-US":{"title":"A","description":""}},"price":{"amount":"0.99","currency":"USD"}"#
        _ = try await Self.put(bench, "coins", whole)
        _ = try await Self.put(bench, "lion", whole, type: "Non-Consumable")
        let path = Self.products + "/lion"
        #expect(try await bench.ask("PUT", Self.products + "/coins/hosting").json.refusal[1] == "hosting")
        #expect(Self.state(try await bench.ask("PUT", path + "/hosting").json) == "waiting_for_upload")
        #expect(Self.state(try await bench.ask("DELETE", path + "/hosting").json) == "ready_to_submit")
        try await bench.databases.catalogue.write { transaction in
            let lion = try #require(try Catalogue.product(ItemID(number: 1_000_000_003), in: transaction))
            try Catalogue.approve(lion, CatalogueChange(.store, at: ControlBench.now, in: transaction))
        }
        #expect(try await bench.ask("PUT", path + "/hosting").status == 409)
        #expect(try await bench.ask("PUT", path + "/tax", #"{"taxCategory":"boats"}"#).json.refusal[1] == "taxCategory")
        let taxed = try await bench.ask("PUT", path + "/tax", #"{"taxCategory":"games"}"#).json
        #expect((taxed["product"] as? [String: Any])?["draftedAt"] != nil)
        let published = try await bench.ask("PUT", path + "/tax?publish=true", #"{"taxCategory":"books"}"#).json
        #expect((published["error"] as? [String: Any])?["code"] as? String == "production_required")
        let own = try await bench.ask("PUT", Self.products + "/coins/tax", #"{"taxCategory":"games"}"#).json
        #expect((own["product"] as? [String: Any])?["taxCategory"] as? String == "games")
    }

    @Test("What is no picture is refused, and nothing that is cut off or damaged breaks the reader")
    func pictures() throws {
        var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        png += [0, 0, 1, 0, 0, 0, 0, 128, 8, 2, 0, 0, 0, 0, 0, 0, 0]
        let jpeg: [UInt8] =
            [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC0, 0, 17, 8, 0, 128, 1, 0] + Array(repeating: 0, count: 12)
        for (bytes, type) in [(png, "image/png"), (jpeg, "image/jpeg")] {
            let head = try ProductImage.Head(of: bytes)
            #expect((head.mediaType, head.width, head.height) == (type, 256, 128))
            for count in 0..<17 {
                #expect(throws: CatalogueError.self) { try ProductImage.Head(of: Array(bytes.prefix(count))) }
            }
        }
        for mutant in Mutants("pictures", of: [png, jpeg], rounds: 2000) {
            guard let head = try? ProductImage.Head(of: mutant.bytes) else { continue }
            #expect(ProductImages.sides.contains(head.width) && ProductImages.sides.contains(head.height), "\(mutant)")
        }
    }
}

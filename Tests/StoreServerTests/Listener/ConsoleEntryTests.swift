import Foundation
import StoreCatalogue
import StoreHTTP
import StoreModel
import TestSupport
import Testing

@testable import StoreServer

/// What is entered in the console: apps, and products of every kind.
@Suite("What is entered in the console", .bounded)
struct ConsoleEntryTests {
    private static let app = "/apps/\(ListenerBench.bundle)"
    private static let lumen = [
        "name": "Lumen", "bundleId": "com.acme.lumen", "primaryLanguage": "en-US", "type": "Consumable",
        "title": "10 Lights", "description": "Ten lights for your rooms.", "productId": "com.acme.lumen.lights10",
        "price": "1.99",
    ]

    private static func state(_ bench: ListenerBench, _ path: String) async throws -> String? {
        let json = try await bench.control("GET", path).json
        return (json["product"] as? [String: Any])?["state"] as? String
    }

    @Test("R1.9: One form makes an app and its first product, and leads on to the sheet")
    func first() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let page = try await owner.get("/new-app")
        #expect(page.status == 200 && page.text.contains("Make both, and see the sheet"))
        let made = try await owner.send("/new-app", Self.lumen)
        #expect(made.status == 303, "\(made.text)")
        let place = try #require(made.fields["Location"])
        #expect(place == "/console/sandbox/apps/com.acme.lumen/products/com.acme.lumen.lights10/sheet")
        let sheet = try await owner.get(String(place.dropFirst("/console/sandbox".count)))
        #expect(sheet.text.contains("10 Lights") && sheet.text.contains("$1.99"), "\(sheet.text)")
        let path = "/apps/com.acme.lumen/products/com.acme.lumen.lights10"
        #expect(try await Self.state(bench, path) == "ready_to_submit")
    }

    @Test("Nothing is made of an app whose product is refused, and a slip gets a proposal beside its field")
    func refused() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let slips: [(field: String, value: String, sentence: String)] = [
            ("bundleId", "com.acme lumen", "did you mean com.acme.lumen?"),
            ("productId", "com.acme.lumen lights", "did you mean com.acme.lumen.lights?"),
            ("price", "1,99", "such as 1.99"), ("title", "", "It is empty."),
            ("name", String(repeating: "n", count: 101), "more than 100 characters"),
            ("type", "Song", "none of the kinds"), ("bundleId", ListenerBench.bundle, "there is an app"),
        ]
        for (field, value, sentence) in slips {
            let answer = try await owner.send("/new-app", Self.lumen.merging([field: value]) { $1 })
            let isTold = answer.text.lowercased().contains(sentence.lowercased())
            #expect(answer.status == 200 && isTold, "\(field): \(answer.text)")
            let form = try #require(
                ShownForm.all(in: answer.text).first { $0.action == "/console/sandbox/new-app" })
            let shown = form.fields.first { $0.name == field && !$0.isTick }
            #expect(shown == nil || shown?.value == value, "\(field)")
            if field != "type" { #expect(answer.text.contains("aria-invalid"), "\(field)") }
        }
        #expect(try await bench.control("GET", "/apps/com.acme.lumen").status == 404)
        let faults = ["bundleId": "a b", "price": "abc", "title": String(repeating: "x", count: 103)]
        let several = try await owner.send("/new-app", Self.lumen.merging(faults) { $1 })
        #expect(several.text.components(separatedBy: #"aria-invalid="true""#).count == 4, "all are told at once")
        // An app alone is one too.
        let alone = try await owner.send("/new-app", ["name": "Bare", "bundleId": "com.acme.bare", "type": ""])
        #expect(alone.fields["Location"] == "/console/sandbox/apps/com.acme.bare?done=entered")
    }

    @Test(
        "R1.2: A product of each kind is entered on one page by what the kind needs",
        arguments: [
            "Consumable", "Non-Consumable", "Auto-Renewable Subscription", "Non-Renewing Subscription",
            "Free Subscription",
        ])
    func kinds(_ type: String) async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let id = "\(ListenerBench.bundle).made"
        // Browsers without `:has()` send what other kinds need as well.
        let answer = try await owner.send(
            Self.app + "/new-product",
            [
                "type": type, "productId": id, "title": "Made", "description": "By hand.", "price": "2.99",
                "period": "P1M", "groupId": "made", "category": "content", "delivers": "A thing.", "note": "Hello",
                "referenceName": "Mine",
            ])
        #expect(answer.status == 303, "\(answer.text)")
        let json = try await bench.control("GET", "\(Self.app)/products/\(id)").json
        let product = try #require(json["product"] as? [String: Any])
        #expect(product["type"] as? String == type && product["state"] as? String == "ready_to_submit")
        #expect(product["period"] as? String == (type.hasPrefix("Auto") ? "P1M" : nil))
        #expect(
            (json["basePrice"] as? [String: Any])?["amount"] as? String == (type.hasPrefix("Free") ? "0.00" : "2.99"))
        let review = try await bench.control("GET", "\(Self.app)/products/\(id)/review").json
        let isGoods = type.hasSuffix("onsumable")
        #expect(review["category"] as? String == (isGoods ? "content" : "subscription"))
        #expect(review["delivers"] as? String == "A thing.")
    }

    @Test("R1.2: What is missing is said until nothing is, and an id is used once")
    func missing() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let id = "\(ListenerBench.bundle).bare"
        let path = "\(Self.app)/products/\(id)"
        let bare = ["type": "Consumable", "productId": id, "title": "Bare"]
        let made = try await owner.send(Self.app + "/new-product", bare)
        #expect(made.fields["Location"] == "/console/sandbox\(path)/edit?done=entered", "\(made.text)")
        let page = try await owner.get(path + "/edit")
        #expect(page.text.contains("3 things are missing") && page.text.contains("A price"), "\(page.text)")
        let check = try await bench.control("GET", path + "/readiness").json
        #expect(check["canBeSubmitted"] as? Bool == false && check["state"] as? String == "missing_metadata")
        let again = try await owner.send(Self.app + "/new-product", bare)
        #expect(again.status == 200 && again.text.contains("There is a product of this id"), "\(again.text)")
        #expect(page.text.contains("is never used again"))
        #expect(try await owner.send(path + "/removal").status == 303)
        let gone = try await owner.send(Self.app + "/new-product", bare)
        #expect(gone.status == 200 && gone.text.contains("never used again"), "\(gone.text)")
        #expect(try await owner.get(path + "/edit").status == 404)
    }

    @Test("X14: Nobody enters anything whose role does not include it, nor in an app of another team")
    func rights() async throws {
        let bench = try await ListenerBench()
        #expect(try await bench.control("POST", "/teams", ["teamId": "zoo", "name": "Zoo"]).status == 201)
        let app = ["bundleId": "com.example.zoo", "name": "Zoo", "teamId": "zoo"]
        #expect(try await bench.control("POST", "/apps", app).status == 201)
        let reviewer = try await ConsoleVisitor.visitor(bench, .reviewer)
        #expect(try await reviewer.send("/new-app", Self.lumen).status == 403)
        let developer = try await ConsoleVisitor.visitor(bench, .developer, member: true)
        for page in ["settings", "groups", "new-product", "import", "export/catalogue"] {
            #expect(try await developer.get("/apps/com.example.zoo/\(page)").status == 404, "\(page)")
        }
        let product = ["type": "Consumable", "productId": "com.example.zoo.a", "title": "A"]
        let refused = try await developer.send("/apps/com.example.zoo/new-product", product)
        #expect(refused.status != 303 && !refused.text.contains("Zoo"), "\(refused.text)")
        #expect(try await bench.control("GET", "/apps/com.example.zoo/products/com.example.zoo.a").status == 404)
        #expect(try await developer.send("/new-app", Self.lumen).status == 303)
        let team = try await bench.control("GET", "/apps/com.acme.lumen").json["teamId"] as? String
        #expect(team == "my-team")
    }
}

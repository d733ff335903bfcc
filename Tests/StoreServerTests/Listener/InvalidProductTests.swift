import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import Synchronization
import TestSupport
import Testing

@testable import StoreServer

/// Why a product is not shown: each state of the store that can be the reason, brought about as people bring it about.
@Suite("Why something is not shown", .bounded)
struct InvalidProductTests {
    private static let product = "\(ListenerBench.bundle).credits5"

    /// A reason, how it comes about, and what an app meets then.
    struct Reason: Sendable, CustomTestStringConvertible {
        let name: String
        var asked = InvalidProductTests.product
        /// Codes of SKError; nil for what works.
        let purchase: Int
        var restore: Int?
        var environments = StoreEnvironment.allCases
        /// What the remedy begins with.
        var remedy: String?
        let cause: @Sendable (ListenerBench) async throws -> Void

        var testDescription: String { name }
    }

    private static let app = "/apps/\(ListenerBench.bundle)"

    private static func catalogue(
        _ bench: ListenerBench,
        _ body: @escaping @Sendable (CatalogueProduct, CatalogueChange) throws -> Void
    ) async throws {
        let now = bench.time.current
        try await bench.databases.catalogue.write { transaction in
            let app = try #require(try Catalogue.app(BundleID(parsing: ListenerBench.bundle), in: transaction))
            let product = try #require(
                try Catalogue.product(ProductID(parsing: Self.product), of: app.id, in: transaction))
            try body(product, CatalogueChange(.store, at: now, in: transaction))
        }
    }

    /// A version of the app, and what becomes of it.
    private static func version(_ bench: ListenerBench, _ steps: String...) async throws {
        #expect(try await bench.control("POST", app + "/versions", ["version": "1.0"]).status == 201)
        for step in steps {
            let body: [String: Any]? = step == "decision" ? ["isApproved": false, "reason": "other"] : nil
            #expect(try await bench.control("POST", app + "/versions/1.0/\(step)", body).status == 200, "\(step)")
        }
    }

    /// A device whose customer owns something. In production the store's own people say yes.
    private static func owner(_ bench: ListenerBench, _ environment: StoreEnvironment) async throws -> BenchDevice {
        let product = "\(ListenerBench.bundle).jungle"
        guard environment == .production else {
            let device = try await bench.device()
            #expect(try await device.buy(product).json["state"] as? String == "purchased")
            return device
        }
        let email = "ada@example.com"
        #expect(try await bench.control("POST", "/customers", ["email": email, "paymentMethod": "x"]).status == 201)
        var device = try BenchDevice(bench)
        let registration = try await device.registration(in: environment)
        #expect(try await device.register(registration).status == 201)
        let opened = try await device.ask("POST", "/purchases", ["productId": product], key: key)
        let code = (opened.json["confirmation"] as? [String: Any])?["code"] ?? opened.json["code"] ?? ""
        let approved = try await bench.control("POST", "/approvals", ["code": code, "customer": email])
        #expect(approved.status == 200, "\(opened.text) \(approved.text)")
        return device
    }

    private static func change(
        _ bench: ListenerBench, _ method: String, _ path: String, _ body: [String: Any]? = nil
    ) async throws {
        let answer = try await bench.control(method, path, body)
        #expect(answer.status == 200, "\(method) \(path): \(answer.text)")
    }

    static let reasons: [Reason] = [
        Reason(name: "unknown", asked: "\(ListenerBench.bundle).credts5", purchase: 3) {
            _ in
        },
        Reason(name: "not_cleared_for_sale", purchase: 5, remedy: "till products clear") { bench in
            try await change(bench, "DELETE", app + "/products/\(product)/clearance?publish=true")
        },
        Reason(name: "removed_from_sale", purchase: 5, remedy: "till review put-back") { bench in
            try await catalogue(bench) { try ProductReviews.setRemovedFromSale(because: "x", $0, $1) }
        },
        // An app learns nothing of what production has never sold.
        Reason(
            name: "not_approved", asked: "\(ListenerBench.bundle).new", purchase: 3, environments: [.production],
            remedy: "till products approve"
        ) { bench in
            let new: [String: Any] = [
                "type": "Consumable", "referenceName": "New", "price": ["amount": "0.99", "currency": "USD"],
                "texts": ["en-US": ["title": "New", "description": ""]],
            ]
            try await change(bench, "PUT", app + "/products/\(ListenerBench.bundle).new", new)
        },
        Reason(name: "stale_profile", purchase: 5, remedy: "till provision") { bench in
            for capabilities in [[], ["in_app_purchase"]] {
                try await change(bench, "PUT", app + "/capabilities", ["capabilities": capabilities])
            }
        },
        Reason(name: "no_agreement", purchase: 0, restore: 0, remedy: "till agreements accept my-team paid") { bench in
            try await change(bench, "POST", "/teams/my-team/agreements/paid/end", ["reason": "over"])
        },
        Reason(name: "suspended", purchase: 5, remedy: "till teams reinstate my-team") { bench in
            try await change(bench, "PUT", "/teams/my-team/suspension", ["reason": "complaints"])
        },
        Reason(name: "binary_rejected", purchase: 0, restore: 0, remedy: "till versions submit") { bench in
            try await version(bench, "submission", "review", "decision")
        },
        Reason(name: "binary_rejected_by_developer", purchase: 0, restore: 0, remedy: "till versions submit") { bench in
            try await version(bench, "submission", "withdrawal")
        },
        Reason(name: "no_capability", purchase: 5, remedy: "till apps capabilities") { bench in
            // With a profile of afterwards: the older one is stale besides.
            try await change(bench, "PUT", app + "/capabilities", ["capabilities": []])
        },
    ]

    @Test(
        "R1.5: Each reason is told to the app, to the log and to whoever asks why, in both environments",
        arguments: reasons, StoreEnvironment.allCases)
    func reason(_ reason: Reason, _ environment: StoreEnvironment) async throws {
        guard reason.environments.contains(environment) else { return }
        let bench = try await ListenerBench(environment)
        var device = try await Self.owner(bench, environment)
        try await reason.cause(bench)
        if reason.name == "no_capability" {
            let renewed = try await device.registration(in: environment)
            try await device.register(renewed)
        }

        // The app: an invalid id, with the reason in the sandbox only.
        let shown = try await device.ask("POST", "/products", ["productIds": [reason.asked]])
        let invalid = try #require((shown.json["invalid"] as? [[String: Any]])?.first)
        #expect(invalid["productId"] as? String == reason.asked)
        let isSandbox = environment == .sandbox
        #expect(invalid["reason"] as? String == (isSandbox ? reason.name : nil))
        #expect(shown.fields["Till-Reason"] == (isSandbox ? "\(reason.asked)=\(reason.name)" : nil))
        let bought = try await device.buy(reason.asked)
        #expect(bought.storeKitCode == reason.purchase, "\(bought.text)")
        let restored = try await device.ask("POST", "/restorations")
        #expect(restored.storeKitCode == reason.restore, "\(restored.text)")
        #expect(restored.status == (reason.restore == nil ? 201 : 403))

        // The log.
        let logged = bench.log.entries.withLock { $0.filter { $0.event == "products.invalid" } }
        #expect(logged.count == 1)
        #expect(logged.first?.fields.contains(.init("reasons", .text("\(reason.asked): \(reason.name)"))) == true)

        // Whoever asks why; a profile is one device's.
        let number = try await device.ask("GET", "/device").json["deviceId"] as? String
        let why = try await bench.control(
            "GET", Self.app + "/why?productId=\(reason.asked)&device=\(try #require(number))")
        #expect(why.json["reason"] as? String == reason.name, "\(why.text)")
        let remedy = why.json["remedy"] as? String
        #expect(remedy?.hasPrefix(reason.remedy ?? "none") ?? (reason.remedy == nil), "\(why.text)")
    }

    @Test(
        "Whoever asks why for an account learns that it may not buy, and what mends that",
        arguments: StoreEnvironment.allCases)
    func forbiddenAccount(_ environment: StoreEnvironment) async throws {
        let bench = try await ListenerBench(environment)
        try await Self.change(bench, "PUT", Self.app + "/products/\(Self.product)/prices/JPN", ["amount": "160"])
        let made = try await bench.control(
            "POST", "/customers", ["email": "mo@example.com", "password": "correct horse", "storefront": "JPN"])
        #expect(made.status == 201, "\(made.text)")
        let path = Self.app + "/why?productId=\(Self.product)&customer=mo@example.com"
        let before = try await bench.control("GET", path)
        #expect(
            before.json["isSold"] as? Bool == true && before.json["storefront"] as? String == "JPN", "\(before.text)")
        try await Self.change(bench, "PATCH", "/customers/mo@example.com", ["purchasesAllowed": false])
        let why = try await bench.control("GET", path)
        #expect(why.json["isSold"] as? Bool == false && why.json["reason"] as? String == "account_not_allowed")
        let word = environment == .sandbox ? "testers" : "customers"
        #expect(why.json["remedy"] as? String == "till \(word) change mo@example.com --purchases allowed")
        #expect(try await bench.control("GET", path + "x").status == 404)
    }

    @Test(
        "R1.5: A profile for many apps sells nothing, and one of another app registers no device",
        arguments: StoreEnvironment.allCases)
    func profiles(_ environment: StoreEnvironment) async throws {
        let bench = try await ListenerBench(environment)
        var device = try BenchDevice(bench)
        let wild = try await bench.control("POST", "/profiles", ["bundleId": "com.example.*"])
        var order = try await device.registration(in: environment)
        order["profile"] = wild.json["profile"] as? String ?? ""
        let signed = try device.signed(order, in: environment)
        #expect(try await device.register(signed).status == 201)
        let shown = try await device.ask("POST", "/products", ["productIds": [Self.product]])
        #expect((shown.json["invalid"] as? [Any])?.count == 1)
        #expect(shown.fields["Till-Reason"] == (environment == .sandbox ? "\(Self.product)=wildcard_profile" : nil))
        var other = try BenchDevice(bench)
        var wrong = try await other.registration(in: environment)
        wrong["bundleId"] = "com.example.other"
        let forged = try other.signed(wrong, in: environment)
        #expect(try await other.register(forged).status == 403)
    }

    @Test(
        "R5.6: A subscription that would renew more than once a week is refused with the rule",
        arguments: ["P1D", "P3D", "P5M"])
    func shortPeriod(_ period: String) async throws {
        let bench = try await ListenerBench()
        let path = Self.app + "/products/\(ListenerBench.bundle).club"
        var club: [String: Any] = [
            "type": "Auto-Renewable Subscription", "referenceName": "Club", "period": period, "groupId": "G1",
            "price": ["amount": "4.99", "currency": "USD"], "texts": ["en-US": ["title": "Club", "description": ""]],
        ]
        let refused = try await bench.control("PUT", path, club)
        #expect(refused.status != 200 && refused.text.contains("period") && refused.text.contains("every week"))
        club["period"] = "P1W"
        #expect(try await bench.control("PUT", path, club).status == 200)
    }

    @Test("R1.5: What was just put on the shelves is shown once it has reached customers")
    func propagation() async throws {
        let bench = try await ListenerBench(propagation: .seconds(60))
        let device = try await bench.device()
        #expect(try await bench.control("DELETE", Self.app + "/products/\(Self.product)/clearance").status == 200)
        #expect(try await bench.control("POST", Self.app + "/products/\(Self.product)/clearance").status == 200)
        let reason = { try await device.ask("POST", "/products", ["productIds": [Self.product]]).fields["Till-Reason"] }
        #expect(try await reason() == "\(Self.product)=not_propagated")
        bench.time.pass(.seconds(59))
        #expect(try await reason() == "\(Self.product)=not_propagated")
        bench.time.pass(.seconds(1))
        #expect(try await reason() == nil)
    }

    @Test("R1.4: A price that falls due while a question is open is not the one that is charged")
    func dueMeanwhile() async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        let start = bench.time.current.millisecondsSinceEpoch + 60_000
        let change: [String: Any] = ["startsAt": start, "amount": "9.99", "currency": "USD"]
        #expect(
            try await bench.control("PUT", Self.app + "/products/\(Self.product)/price-changes", change).status == 200)
        let opened = try await device.ask("POST", "/purchases", ["productId": Self.product], key: Self.key)
        let token = try #require((opened.json["confirmation"] as? [String: Any])?["token"])
        bench.time.pass(.seconds(60))
        let amount = { (product: [String: Any]?) in (product?["price"] as? [String: Any])?["amount"] as? String }
        let shown = try await device.ask("POST", "/products", ["productIds": [Self.product]])
        #expect(amount((shown.json["products"] as? [[String: Any]])?.first) == "9.99")
        let bought = try await device.ask("POST", "/purchases/\(Self.key)/confirmation", ["token": token])
        #expect(bought.json["state"] as? String == "purchased", "\(bought.text)")
        let charged = try await bench.store.database.read { try Transactions.newest(in: $0)?.price }
        #expect(charged == Money(minorUnits: 99, currency: .usd))
    }

    private static let key = "11111111-2222-4333-8444-555555555555"
}

import Foundation
import StoreDatabase
import StoreModel
import StoreService
import TestSupport
import Testing

@testable import StoreServer

@Suite("A list is read with as many statements as a line of it", .bounded)
struct ListStatementTests {
    private static let console = [
        "", "/transactions", "/transactions?standing=bought", "/transactions?standing=unfinished", "/purchases",
        "/subscriptions", "/refunds?state=all", "/ledger", "/ledger/postings", "/finance", "/transactions?format=csv",
        "/customers", "/devices",
        "/apps", "/apps?sort=state", "/review", "/audit", "/audit?kind=entries&app=\(ListenerBench.bundle)",
        "/clock/forecast?by=1mo", "/search?q=example", "/catalogue/drafts",
        "/apps/\(ListenerBench.bundle)", "/teams",
        "/families", "/people", "/items", "/apps/\(ListenerBench.bundle)/notifications",
    ]
    private static let control = [
        "/purchases", "/purchases?waiting=true", "/ledger/balances", "/ledger/postings", "/finance?by=product",
        "/transactions", "/subscriptions", "/refund-requests", "/customers",
        "/devices", "/reviews", "/review", "/audit", "/audit?bundleId=\(ListenerBench.bundle)",
        "/clock/forecast?by=1mo", "/find?q=example",
    ]

    @Test("Whatever its length, in the console and for operators' programs")
    func lists() async throws {
        let statements = Observed(0)
        let count: (any Database) -> any Database = { CountingDatabase($0, statements) }
        let bench = try await ListenerBench(wrapping: count, wrappingCatalogue: count)
        let owner = try await ConsoleVisitor.owner(bench)
        var counts: [String: [Int]] = [:]
        for (customers, products) in [(0..<2, ["credits5", "club"]), (2..<8, ["credits10", "jungle", "club"])] {
            for customer in customers { try await Self.live(customer, products, bench) }
            for path in Self.console {
                let before = statements.value
                #expect(try await owner.get(path).status == 200)
                counts["console \(path)", default: []].append(statements.value - before)
            }
            for path in Self.control {
                let before = statements.value
                #expect(try await bench.control("GET", path).status == 200)
                counts["control \(path)", default: []].append(statements.value - before)
            }
        }
        for (path, counts) in counts { #expect(counts[0] == counts[1], "\(path): \(counts)") }
    }

    /// A customer with some of everything that is listed.
    private static func live(_ number: Int, _ products: [String], _ bench: ListenerBench) async throws {
        let email = "c\(number)@example.com"
        _ = try await bench.control(
            "POST", "/customers",
            ["email": email, "password": ListenerBench.password, "paymentMethod": "test_approved"])
        for product in products {
            let sold = try await bench.control(
                "POST", "/purchases",
                [
                    "customer": email, "bundleId": ListenerBench.bundle,
                    "productId": "\(ListenerBench.bundle).\(product)",
                ])
            let id = try #require(sold.json["transactionId"] as? String, "\(sold.text)")
            let asked = try await bench.control(
                "POST", "/refund-requests", ["transactionId": id, "customer": email, "reason": "UNINTENDED_PURCHASE"])
            #expect(asked.status == 200, "\(asked.text)")
        }
        let app = ["bundleId": "com.example.app\(number)", "name": "App \(number)"]
        #expect(try await bench.control("POST", "/apps", app).status == 201)
        let product = "/apps/\(ListenerBench.bundle)/products/\(ListenerBench.bundle).new\(number)"
        let new: [String: Any] = [
            "type": "Consumable", "referenceName": "New", "price": ["amount": "0.99", "currency": "USD"],
            "texts": ["en-US": ["title": "New", "description": ""]],
        ]
        #expect(try await bench.control("PUT", product, new).status == 200)
        let submission = ["category": "content", "delivers": "Bananas."]
        #expect(try await bench.control("POST", product + "/submission", submission).status == 200)
        var device = try BenchDevice(bench)
        try await device.register()
        _ = try await device.ask("POST", "/sign-in", ["email": email, "password": ListenerBench.password])
        // It waits for a yes.
        let opened = try await device.ask(
            "POST", "/purchases", ["productId": "\(ListenerBench.bundle).credits5"], key: UUID().uuidString)
        #expect(opened.status == 201 || opened.status == 200, "\(opened.text)")
    }
}

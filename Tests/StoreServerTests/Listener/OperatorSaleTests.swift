import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService
import TestSupport
import Testing

@testable import StoreServer

@Suite("What whoever looks after the store may do with purchases and accounts, and what not", .bounded)
struct OperatorSaleTests {
    private static let credits = "\(ListenerBench.bundle).credits5"
    private static let account = "/customers/ada@example.com"

    private func order(_ product: String = credits, quantity: Int? = nil) -> [String: Any] {
        var order: [String: Any] = [
            "customer": "ada@example.com", "bundleId": ListenerBench.bundle, "productId": product,
        ]
        if let quantity { order["quantity"] = quantity }
        return order
    }

    private func buy(
        _ bench: ListenerBench, _ order: [String: Any], key: String = UUID().uuidString
    ) async throws -> ListenerBench.Answer {
        try await bench.ask("POST", "/control/v1/purchases", order, token: ListenerBench.token, key: key)
    }

    @Test("R1.10: Each product of the demo can be bought in the sandbox")
    func demo() async throws {
        let bench = try await ListenerBench()
        let catalogue = bench.databases.catalogue
        try await DemoCatalogue.enter(into: catalogue, numbers: Numbers(catalogue), at: BenchTime.start)
        #expect(try await bench.control("POST", "/customers", ["email": "ada@example.com"]).status == 201)
        for app in DemoApp.all {
            for product in app.products {
                let id = try app.id(of: product).text
                let bought = try await buy(
                    bench, ["customer": "ada@example.com", "bundleId": app.bundleID, "productId": id])
                #expect(bought.json["state"] as? String == "purchased", "\(id): \(bought.text)")
            }
        }
        let transactions = try await bench.control("GET", "/transactions").json["items"] as? [Any]
        // Of two subscriptions of one group the second is planned for the end of the first one's period.
        #expect(transactions?.count == DemoApp.all.map(\.products.count).reduce(0, +) - 1)
        let planned = try await bench.databases.sandbox.read { transaction in
            try transaction.value("SELECT count(*) FROM subscription WHERE next_item_id IS NOT NULL", as: Int.self)
        }
        #expect(planned == 1)
    }

    @Test("What another device has bought meanwhile costs nothing, and the total of the purchase says so")
    func owned() async throws {
        let bench = try await ListenerBench()
        let devices = [try await bench.device(), try await bench.device()]
        let jungle = "\(ListenerBench.bundle).jungle"
        var waiting: [(BenchDevice, key: String, token: Any)] = []
        for device in devices {
            let key = UUID().uuidString
            let opened = try await device.ask("POST", "/purchases", ["productId": jungle], key: key)
            let confirmation = try #require(opened.json["confirmation"] as? [String: Any])
            waiting.append((device, key, try #require(confirmation["token"])))
        }
        for (device, key, token) in waiting {
            let done = try await device.ask("POST", "/purchases/\(key)/confirmation", ["token": token])
            #expect(done.json["state"] as? String == "purchased", "\(done.text)")
        }
        let sales = try #require(try await bench.control("GET", "/purchases").json["items"] as? [[String: Any]])
        let totals = sales.map { ($0["total"] as? [String: Any])?["amount"] as? String }
        #expect(totals.count == 2 && Set(totals) == ["2.99", "0.00"], "\(sales)")
    }

    @Test("The same key is the same purchase for ever, also when the product is gone")
    func repeated() async throws {
        let bench = try await ListenerBench()
        _ = try await bench.device()
        let key = UUID().uuidString
        let bought = try await buy(bench, order(), key: key)
        #expect(bought.status == 201 && bought.json["state"] as? String == "purchased", "\(bought.text)")
        let removed = try await bench.control("DELETE", "/apps/\(ListenerBench.bundle)/products/\(Self.credits)")
        #expect(removed.status == 204, "\(removed.text)")
        let again = try await buy(bench, order(), key: key)
        #expect(again.status == 200, "\(again.text)")
        #expect(again.json["purchaseId"] as? String == bought.json["purchaseId"] as? String)
        let other = try await buy(bench, order("\(ListenerBench.bundle).credits10"), key: key)
        #expect(other.status == 409 && other.code == "key_reused", "\(other.text)")
        #expect(try await buy(bench, order()).status == 404)
    }

    @Test("Of what an account owns once, one is bought", arguments: ["jungle", "club"])
    func quantity(_ name: String) async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        let product = "\(ListenerBench.bundle).\(name)"
        for answer in [
            try await buy(bench, order(product, quantity: 2)),
            try await device.ask(
                "POST", "/purchases", ["productId": product, "quantity": 2], key: UUID().uuidString),
        ] {
            #expect(answer.status == 400 && answer.code == "quantity_out_of_range", "\(answer.text)")
        }
        #expect(try await bench.control("GET", "/purchases").text.contains("purchaseId") == false)
        #expect(try await buy(bench, order(product, quantity: 1)).status == 201)
        #expect(try await buy(bench, order(quantity: 10)).status == 201)
    }

    @Test("A yes that is repeated settles no interruption")
    func approvedTwice() async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        #expect(try await bench.control("PATCH", Self.account, ["interruptsPurchases": true]).status == 200)
        let opened = try await device.ask("POST", "/purchases", ["productId": Self.credits], key: UUID().uuidString)
        let code = try #require((opened.json["confirmation"] as? [String: Any])?["code"] as? String)
        for _ in 0..<3 {
            let approved = try await bench.control("POST", "/approvals", ["code": code])
            #expect(approved.status == 200 && approved.json["state"] as? String == "interrupted", "\(approved.text)")
        }
        let number = try #require(opened.json["purchaseId"] as? String)
        let settled = try await bench.control("POST", "/purchases/\(number)/settlement")
        #expect(settled.json["state"] as? String == "purchased")
    }

    @Test("A transaction is taken back for a reason that there is", arguments: ["refund", "revocation"])
    func reasons(_ way: String) async throws {
        let bench = try await ListenerBench()
        _ = try await bench.device()
        let bought = try await buy(bench, order())
        let id = try #require(bought.json["transactionId"] as? String)
        let path = "/transactions/\(id)/\(way)"
        for reason in [7, -5, 2] {
            let refused = try await bench.control("POST", path, ["reason": reason])
            #expect(refused.status == 400 && refused.text.contains("reason"), "\(refused.text)")
        }
        #expect(try await bench.control("POST", path, ["reason": 1]).status == 200)
    }

    @Test("A deleted account gets nothing once more either", arguments: ["credits5", "jungle"])
    func boughtForDeleted(_ name: String) async throws {
        let bench = try await ListenerBench()
        _ = try await bench.device()
        let number = try #require(try await bench.control("GET", Self.account).json["customerId"] as? String)
        var order = order("\(ListenerBench.bundle).\(name)")
        #expect(try await buy(bench, order).json["state"] as? String == "purchased")
        #expect(try await bench.control("DELETE", Self.account).status == 204)
        order["customer"] = number
        let bought = try await buy(bench, order)
        #expect(bought.json["state"] as? String == "failed", "\(bought.text)")
        #expect((bought.json["failure"] as? [String: Any])?["code"] as? String == "account_gone", "\(bought.text)")
    }

    @Test("A deleted account takes nothing any more, and nobody is signed in with it")
    func deleted() async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        let shown = try await bench.control("GET", Self.account)
        let number = try #require(shown.json["customerId"] as? String)
        #expect(try await bench.control("DELETE", Self.account).status == 204)
        let opened = try await device.ask("POST", "/purchases", ["productId": Self.credits], key: UUID().uuidString)
        let code = try #require((opened.json["confirmation"] as? [String: Any])?["code"] as? String)
        let path = "/customers/\(number)"
        for answer in [
            try await bench.control("POST", "/approvals", ["code": code, "customer": number]),
            try await bench.control("POST", path + "/payment-methods", ["token": "card"]),
            try await bench.control("POST", path + "/recovery"),
            try await bench.control("PATCH", path, ["password": "another password"]),
        ] {
            #expect(answer.status == 404 && answer.code == "customer_unknown", "\(answer.text)")
        }
        #expect(try await device.ask("GET", "/device").json["isSignedIn"] as? Bool == false)
        // What was sold stays to be looked at.
        #expect(try await bench.control("GET", path).status == 200)
    }

    @Test("Who has a way to another password keeps it, whoever asks for one from a device")
    func recovery() async throws {
        let bench = try await ListenerBench()
        _ = try await bench.device()
        var stranger = try BenchDevice(bench)
        try await stranger.register()
        let begun = try await bench.control("POST", Self.account + "/recovery")
        let token = try #require(begun.json["token"] as? String)
        let asked = try await stranger.ask("POST", "/password-recovery", ["email": "ada@example.com"])
        #expect(asked.status == 202)
        let recovered = try await bench.control(
            "POST", "/password-recoveries", ["token": token, "password": "a new password"])
        #expect(recovered.status == 200, "\(recovered.text)")
    }
}

import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import TestSupport
import Testing

@testable import StoreServer

@Suite("Accounts: another password, means of payment, interruptions", .bounded)
struct AccountTests {
    private static let credits = "\(ListenerBench.bundle).credits5"
    private static let account = "/customers/ada@example.com"

    private func signIn(_ device: BenchDevice, _ password: String) async throws -> Int {
        try await device.ask("POST", "/sign-in", ["email": "ada@example.com", "password": password]).status
    }

    private func recovery(_ bench: ListenerBench) async throws -> String {
        let begun = try await bench.control("POST", Self.account + "/recovery")
        #expect(begun.status == 201)
        return try #require(begun.json["token"] as? String)
    }

    private func recover(_ bench: ListenerBench, _ token: String, _ password: String) async throws -> Int {
        try await bench.control("POST", "/password-recoveries", ["token": token, "password": password]).status
    }

    @Test("A recovery sets another password once, and signs every device out")
    func recovered() async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        let token = try await recovery(bench)
        #expect(try await device.ask("GET", "/device").json["isSignedIn"] as? Bool == true)
        #expect(try await recover(bench, token, "short") == 400)
        #expect(try await recover(bench, "another token", "a new password") == 401)
        #expect(try await recover(bench, token, "a new password") == 200)
        #expect(try await device.ask("GET", "/device").json["isSignedIn"] as? Bool == false)
        #expect(try await signIn(device, ListenerBench.password) == 401)
        #expect(try await signIn(device, "a new password") == 200)
        #expect(try await recover(bench, token, "one more password") == 401)
        #expect(try await signIn(device, "a new password") == 200)
    }

    @Test("A way to another password is open for an hour, and a second one closes the first")
    func recoveryEnds() async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        let first = try await recovery(bench)
        let second = try await recovery(bench)
        #expect(try await recover(bench, first, "a new password") == 401)
        bench.time.pass(Customers.recoveryTime)
        #expect(try await recover(bench, second, "a new password") == 401)
        let third = try await recovery(bench)
        bench.time.pass(Customers.recoveryTime - .seconds(1))
        #expect(try await recover(bench, third, "a new password") == 200)
        #expect(try await signIn(device, "a new password") == 200)
    }

    @Test("A purchase that is opened while somebody signs in goes on too")
    func openedMeanwhile() async throws {
        let bench = try await ListenerBench()
        _ = try await bench.control("POST", "/customers", ["email": "ada@example.com"])
        var device = try BenchDevice(bench)
        try await device.register()
        let token = device.token
        let (customer, scope) = try await bench.store.database.read { transaction in
            let token = try DeviceToken(text: token)
            return (
                try Customers.named("ada@example.com", in: transaction),
                try DeviceScope.resolve(token: token, at: BenchTime.start, in: transaction)
            )
        }
        let opened = try await device.ask("POST", "/purchases", ["productId": Self.credits], key: UUID().uuidString)
        #expect(opened.json["state"] as? String == "sign-in")
        // Read before it was opened.
        _ = try await Accounts(bench.store).signIn(
            customer, on: scope, waiting: [], bench.store.cause(.customer))
        let number = try #require(opened.json["purchaseId"] as? String)
        #expect(try await bench.control("GET", "/purchases/\(number)").json["state"] as? String == "confirmation")
    }

    @Test("R1.4: A request is for a thousand ids at most, and says so")
    func thousandIDs() async throws {
        let bench = try await ListenerBench()
        var device = try BenchDevice(bench)
        try await device.register()
        let ids = (0..<1000).map { "p\($0)" }
        let whole = try await device.ask("POST", "/products", ["productIds": ids])
        #expect((whole.json["invalid"] as? [Any])?.count == 1000)
        let refused = try await device.ask("POST", "/products", ["productIds": ids + ["q"]])
        #expect(refused.status == 400 && refused.json.refusal == ["too_many", "productIds"])
    }

    @Test("R1.6: Who moves to another storefront while signing in is asked at the price of that one")
    func movedMeanwhile() async throws {
        let bench = try await ListenerBench()
        let made = try await bench.control("POST", "/customers", ["email": "ada@example.com", "storefront": "USA"])
        #expect(made.status == 201, "\(made.text)")
        var device = try BenchDevice(bench)
        try await device.register()
        let token = device.token
        let opened = try await device.ask("POST", "/purchases", ["productId": Self.credits], key: UUID().uuidString)
        #expect(opened.json["state"] as? String == "sign-in")
        let (customer, scope, waiting) = try await bench.store.database.read { transaction in
            let scope = try DeviceScope.resolve(
                token: DeviceToken(text: token), at: BenchTime.start, in: transaction)
            return (
                try Customers.named("ada@example.com", in: transaction), scope,
                try Purchases.waitingForSignIn(on: scope, in: transaction)
            )
        }
        #expect(waiting.count == 1)
        #expect(try await bench.control("PATCH", Self.account, ["storefront": "DEU"]).status == 200)
        _ = try await Accounts(bench.store).signIn(
            customer, on: scope, waiting: waiting, bench.store.cause(.customer))
        let asked = try await bench.store.database.read { try Purchases.require(waiting[0].id, in: $0) }
        #expect(asked.state == .confirmation)
        #expect(asked.item.storefront.rawValue == "DEU")
        #expect(asked.total.currency == .eur)
    }

    @Test("An account has twenty means of payment at a time, and no token is endless")
    func methods() async throws {
        let bench = try await ListenerBench()
        _ = try await bench.control("POST", "/customers", ["email": "ada@example.com"])
        _ = try await bench.control("POST", "/customers", ["email": "eve@example.com"])
        let path = Self.account + "/payment-methods"
        // The account was made with one.
        for number in 2...PaymentMethod.limit {
            #expect(try await bench.control("POST", path, ["token": "card\(number)"]).status == 201)
        }
        let surplus = try await bench.control("POST", path, ["token": "surplus"])
        #expect(surplus.status == 429 && surplus.code == "too_many")
        let listed = try #require(
            try await bench.control("GET", Self.account).json["paymentMethods"] as? [[String: Any]])
        #expect(listed.count == PaymentMethod.limit && listed.last?["token"] as? String == "card20")
        let number = try #require(listed.first?["id"] as? Int)
        let others = "/customers/eve@example.com/payment-methods/\(number)"
        #expect(try await bench.control("DELETE", others).status == 404)
        #expect(try await bench.control("DELETE", "\(path)/\(number)").status == 204)
        #expect(try await bench.control("DELETE", "\(path)/\(number)").status == 404)
        let long = String(repeating: "x", count: NewCustomer.longestText + 1)
        for bad in [["token": ""], ["token": long], ["token": "card", "label": long]] {
            #expect(try await bench.control("POST", path, bad).status == 400)
        }
        #expect(try await bench.control("POST", path, ["token": "card21"]).status == 201)
    }

    @Test("Each purchase of such an account is interrupted once, and goes on when it is settled")
    func interruptions() async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        #expect(try await bench.control("PATCH", Self.account, ["interruptsPurchases": true]).status == 200)
        for _ in 0..<2 {
            let bought = try await device.buy(Self.credits)
            #expect(bought.json["state"] as? String == "interrupted")
            let number = try #require(bought.json["purchaseId"] as? String)
            let settled = try await bench.control("POST", "/purchases/\(number)/settlement")
            #expect(settled.json["state"] as? String == "purchased", "\(settled.text)")
            #expect(try await bench.control("POST", "/purchases/\(number)/settlement").status == 409)
        }
        #expect(try await bench.control("PATCH", Self.account, ["interruptsPurchases": false]).status == 200)
        #expect(try await device.buy(Self.credits).json["state"] as? String == "purchased")
    }
}

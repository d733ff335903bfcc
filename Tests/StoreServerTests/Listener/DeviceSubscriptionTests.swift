import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService
import StoreSigning
import TestSupport
import Testing

@testable import StoreServer

/// What a device is told of subscriptions and of the download of its app, and how it asks for money back: to whom, and to whom not.
@Suite("X1: Subscriptions, downloads and refund requests of devices", .bounded)
struct DeviceSubscriptionTests {
    private static let club = "\(ListenerBench.bundle).club"
    private static let jungle = "\(ListenerBench.bundle).jungle"

    @Test("Nobody but the customer, in the app itself, is told of a subscription")
    func subscriptions() async throws {
        let (bench, ada) = try await Self.shop()
        #expect(try await ada.buy(Self.club).json["state"] as? String == "purchased")
        func count(on device: BenchDevice) async throws -> Int {
            let answer = try await device.ask("GET", "/subscriptions")
            #expect(answer.status == 200, "\(answer.text)")
            return (answer.json["subscriptions"] as? [Any])?.count ?? -1
        }
        #expect(try await count(on: ada) == 1)
        #expect(try await count(on: bench.device(of: "grace@example.com")) == 0)
        // The same account in another app.
        #expect(try await count(on: Self.otherApp(of: "ada@example.com", bench)) == 0)
        var nobody = try BenchDevice(bench)
        try await nobody.register()
        #expect(try await nobody.ask("GET", "/subscriptions").code == "not_signed_in")
        #expect(try await bench.ask("GET", "/device/v1/subscriptions").status == 401)
    }

    @Test(
        "The download of an app is that of the device's own app, for the account, or for the device where nobody is signed in"
    )
    func downloads() async throws {
        let (bench, ada) = try await Self.shop()
        func payload(on device: BenchDevice) async throws -> AppTransactionPayload {
            let answer = try await device.ask("GET", "/app-transaction")
            #expect(answer.status == 200, "\(answer.text)")
            let parts = try #require(answer.json["signedAppTransaction"] as? String).split(separator: ".")
            return try JSONDecoder().decode(
                AppTransactionPayload.self, from: Data(#require(Base64.decode(parts[1], .url))))
        }
        let own = try await payload(on: ada)
        #expect(own.bundleId.text == ListenerBench.bundle)
        // Another device of the account has the same download, and other people and apps have none of it.
        let second = try await bench.device()
        #expect(try await payload(on: second).appTransactionId == own.appTransactionId)
        let others = [
            try await bench.device(of: "grace@example.com"), try await Self.otherApp(of: "ada@example.com", bench),
        ]
        for device in others { #expect(try await payload(on: device).appTransactionId != own.appTransactionId) }
        #expect(try await payload(on: others[1]).bundleId.text == DemoApp.photoFilters.bundleID)
        var nobody = try BenchDevice(bench)
        try await nobody.register()
        #expect(try await payload(on: nobody).appTransactionId != own.appTransactionId)
        #expect(try await bench.ask("GET", "/device/v1/app-transaction").status == 401)
    }

    @Test("Money back is asked for by who paid, in the app, once, and for a reason that there is")
    func refunds() async throws {
        let (bench, ada) = try await Self.shop()
        #expect(try await ada.buy(Self.jungle).json["state"] as? String == "purchased")
        let newest = try await bench.control("GET", "/transactions/last").json["transaction"] as? [String: Any]
        let path = "/transactions/\(try #require(newest?["transactionId"] as? String))/refund-request"
        func ask(_ device: BenchDevice, _ body: [String: Any]) async throws -> String? {
            let answer = try await device.ask("POST", path, body)
            return answer.status == 204 ? nil : answer.code
        }
        func requests() async throws -> Int {
            let listed = try await bench.control("GET", "/refund-requests").json["items"] as? [Any]
            return try #require(listed).count
        }
        let reason = try #require(RefundRequestReason.known.first?.rawValue)
        let strangers = [
            try await bench.device(of: "grace@example.com"), try await Self.otherApp(of: "ada@example.com", bench),
        ]
        for device in strangers { #expect(try await ask(device, ["reason": reason]) == "transaction_unknown") }
        var nobody = try BenchDevice(bench)
        try await nobody.register()
        #expect(try await ask(nobody, ["reason": reason]) == "not_signed_in")
        #expect(try await ask(ada, ["reason": "BECAUSE"]) == "value_invalid")
        #expect(try await ada.ask("POST", path, [:]).status == 400)
        #expect(try await requests() == 0)
        #expect(try await ask(ada, ["reason": reason]) == nil)
        #expect(try await ask(ada, ["reason": reason]) == nil)
        #expect(try await requests() == 1)
    }

    @Test("What was refunded already is not asked for, and says so")
    func refunded() async throws {
        let (bench, ada) = try await Self.shop()
        #expect(try await ada.buy(Self.jungle).json["state"] as? String == "purchased")
        let newest = try await bench.control("GET", "/transactions/last").json["transaction"] as? [String: Any]
        let id = try #require(newest?["transactionId"] as? String)
        #expect(try await bench.control("POST", "/transactions/\(id)/refund", [:]).status < 300)
        let reason = try #require(RefundRequestReason.known.first?.rawValue)
        let answer = try await ada.ask("POST", "/transactions/\(id)/refund-request", ["reason": reason])
        #expect(answer.status == 409 && answer.code == "already_revoked", "\(answer.text)")
    }

    /// A store with two apps, and a device of the first.
    private static func shop() async throws -> (ListenerBench, BenchDevice) {
        let bench = try await ListenerBench()
        try await DemoCatalogue.enter(
            [.photoFilters], into: bench.databases.catalogue, numbers: Numbers(bench.databases.catalogue),
            at: BenchTime.start)
        return (bench, try await bench.device())
    }

    /// A device with the other app on it, on which an account is signed in.
    private static func otherApp(of email: String, _ bench: ListenerBench) async throws -> BenchDevice {
        let (bundle, time) = (DemoApp.photoFilters.bundleID, bench.time.current)
        var device = try BenchDevice(bench)
        let issued = try await bench.control("POST", "/profiles", ["bundleId": bundle])
        let said: [String: Any] = [
            "profile": try #require(issued.json["profile"]), "bundleId": bundle,
            "publicKey": Base64.encode(try device.key.publicKey.derRepresentation),
            "signedAt": time.millisecondsSinceEpoch, "deviceIdentifier": device.identifier.uuidString,
            "vendorIdentifier": UUID().uuidString, "appVersion": "1.0", "language": "en-US",
        ]
        let registered = try await device.register(device.signed(said))
        #expect(registered.status == 201, "\(registered.text)")
        let answer = try await device.ask("POST", "/sign-in", ["email": email, "password": ListenerBench.password])
        #expect(answer.status == 200, "\(answer.text)")
        return device
    }
}

import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import TestSupport
import Testing

@testable import StoreServer

@Suite("Whose purchase a page is about, and who says yes to it", .bounded)
struct SheetOwnerTests {
    private static let jungle = "\(ListenerBench.bundle).jungle"

    /// The page of a purchase on a device, and the code that it shows.
    private static func opened(_ bench: ListenerBench, by device: BenchDevice) async throws -> (
        page: String, key: String
    ) {
        let key = UUID().uuidString
        let answer = try await device.ask("POST", "/purchases", ["productId": jungle], key: key)
        let confirmation = try #require(answer.json["confirmation"] as? [String: Any], "\(answer.text)")
        return (try #require(confirmation["page"] as? String), key)
    }

    private static func code(_ bench: ListenerBench, _ page: String) async throws -> String {
        let text = try await bench.browse(page).text
        return try #require(text.firstMatch(of: /name="code" value="([^"]*)"/), "\(text)").1.description
    }

    private static func registered(_ bench: ListenerBench) async throws -> BenchDevice {
        var device = try BenchDevice(bench)
        #expect(try await device.register(device.registration(in: bench.store.environment)).status == 201)
        return device
    }

    private static func account(_ bench: ListenerBench, _ email: String, _ password: String) async throws {
        let account = ["email": email, "password": password, "paymentMethod": "test_approved"]
        #expect(try await bench.control("POST", "/customers", account).status == 201)
    }

    private static func sold(_ bench: ListenerBench, to email: String) async throws -> Int {
        let found = try await bench.control("GET", "/transactions?customer=\(email)")
        return try #require(found.json["items"] as? [Any], "\(found.text)").count
    }

    @Test("X10: Whoever is signed in on the device by now says no yes to the purchase of somebody else")
    func somebodyElse() async throws {
        let bench = try await ListenerBench(.production)
        let device = try await Self.registered(bench)
        try await Self.account(bench, "ada@example.com", "correct horse")
        try await Self.account(bench, "eve@example.com", "battery staple")
        let first = try await Self.opened(bench, by: device)
        let ada = ["email": "ada@example.com", "password": "correct horse"]
        #expect(try await bench.browse(first.page + "/sign-in", ada).status == 303)
        let code = try await Self.code(bench, first.page)

        #expect(try await device.ask("POST", "/sign-out").status == 200)
        let gone = try await bench.browse(first.page + "/confirmation", ["code": code, "password": "correct horse"])
        #expect(gone.status == 400 && gone.text.contains("not signed in on the device any more"))
        let second = try await Self.opened(bench, by: device)
        let eve = ["email": "eve@example.com", "password": "battery staple"]
        let signedIn = try await bench.browse(second.page + "/sign-in", eve)
        #expect(signedIn.status == 303)
        let cookie = try #require(signedIn.fields["Set-Cookie"]).prefix { $0 != ";" }
        for password in ["battery staple", "correct horse", ""] {
            let answer = try await bench.browse(
                first.page + "/confirmation", ["code": code, "password": password], ["Cookie": String(cookie)])
            #expect(answer.status == 400, "\(answer.text)")
        }
        #expect(try await Self.sold(bench, to: "ada@example.com") == 0)
        #expect(try await Self.sold(bench, to: "eve@example.com") == 0)
        // Once Ada is back, it is hers again.
        #expect(try await device.ask("POST", "/sign-out").status == 200)
        let third = try await Self.opened(bench, by: device)
        #expect(try await bench.browse(third.page + "/sign-in", ada).status == 303)
        let right = try await bench.browse(first.page + "/confirmation", ["code": code, "password": "correct horse"])
        #expect(right.status == 303)
        #expect(try await Self.sold(bench, to: "ada@example.com") == 1)
    }

    @Test("X10: A sign-in proves nothing once the password is another one")
    func otherPassword() async throws {
        let bench = try await ListenerBench(.production)
        let device = try await Self.registered(bench)
        try await Self.account(bench, "ada@example.com", "correct horse")
        let opened = try await Self.opened(bench, by: device)
        let ada = ["email": "ada@example.com", "password": "correct horse"]
        let signedIn = try await bench.browse(opened.page + "/sign-in", ada)
        let cookie = String(try #require(signedIn.fields["Set-Cookie"]).prefix { $0 != ";" })
        let code = try await Self.code(bench, opened.page)
        let change = ["password": "battery staple"]
        #expect(try await bench.control("PATCH", "/customers/ada@example.com", change).status == 200)
        let answer = try await bench.browse(opened.page + "/confirmation", ["code": code], ["Cookie": cookie])
        #expect(answer.status == 400)
        #expect(try await Self.sold(bench, to: "ada@example.com") == 0)
    }

    @Test("X10: Too many wrong passwords on a page are refused with the time to wait, and elsewhere the owner signs in")
    func wrongPasswords() async throws {
        let bench = try await ListenerBench(.production)
        try await Self.account(bench, "ada@example.com", "correct horse")
        let stranger = try await Self.opened(bench, by: Self.registered(bench))
        let wrong = ["email": "ada@example.com", "password": "battery staple"]
        for _ in 0..<10 { #expect(try await bench.browse(stranger.page + "/sign-in", wrong).status == 400) }
        let refused = try await bench.browse(stranger.page + "/sign-in", wrong)
        #expect(refused.status == 429 && refused.fields["Retry-After"] == "60", "\(refused.text)")
        let own = try await Self.opened(bench, by: Self.registered(bench))
        let right = ["email": "ada@example.com", "password": "correct horse"]
        #expect(try await bench.browse(own.page + "/sign-in", right).status == 303)
    }

    @Test("R2.6: What a child redeems without a device waits for an adult's password as well")
    func redeemedByChild() async throws {
        let bench = try await ListenerBench()
        try await Self.account(bench, "parent@example.com", "correct horse")
        try await Self.account(bench, "child@example.com", "correct horse")
        #expect(try await bench.control("POST", "/families", ["organiser": "parent@example.com"]).status == 201)
        let child = ["customer": "child@example.com", "role": "child"]
        let joined = try await bench.control("POST", "/families/parent@example.com/members", child)
        #expect(joined.status == 200 || joined.status == 201, "\(joined.text)")
        let club = "\(ListenerBench.bundle).club"
        let gift: [String: Any] = [
            "kind": "code", "paymentMode": "pay_up_front", "period": "P3M",
            "price": ["amount": "1.00", "currency": "USD"],
        ]
        let offer = "/apps/\(ListenerBench.bundle)/products/\(club)/offers/gift"
        #expect([200, 201].contains(try await bench.control("PUT", offer, gift).status))
        let codes: [String: Any] = ["productId": club, "offerId": "gift", "custom": "HELLO", "count": 5]
        #expect(try await bench.control("POST", "/apps/\(ListenerBench.bundle)/codes", codes).status == 201)

        let redeemed = try await bench.browse(
            "/redeem", ["code": "HELLO", "email": "child@example.com", "password": "correct horse"])
        let page = try #require(redeemed.fields["Location"], "\(redeemed.text)")
        let cookie = String(try #require(redeemed.fields["Set-Cookie"]).prefix { $0 != ";" })
        let code = try await Self.code(bench, page)
        let asked = try await bench.browse(page + "/confirmation", ["code": code], ["Cookie": cookie])
        #expect(asked.status == 303, "\(asked.text)")
        let waiting = try await bench.control("GET", "/approvals").json["items"] as? [[String: Any]]
        let approval = try #require(waiting?.first?["page"] as? String)
        for form in [
            [:], ["email": "child@example.com", "password": "correct horse"],
            ["email": "parent@example.com", "password": "wrong horse"],
        ] {
            #expect(try await bench.browse(approval + "/approval", form).status == 400, "\(form)")
            #expect(try await bench.browse(approval + "/refusal", form).status == 400, "\(form)")
        }
        #expect(try await Self.sold(bench, to: "child@example.com") == 0)
        let parent = ["email": "parent@example.com", "password": "correct horse"]
        #expect(try await bench.browse(approval + "/approval", parent).status == 303)
        #expect(try await Self.sold(bench, to: "child@example.com") == 1)
    }

    @Test("X10: Without TLS a browser says only its origin, and no form of another one is taken")
    func origins() async throws {
        let bench = try await ListenerBench()
        let device = try await Self.registered(bench)
        try await Self.account(bench, "ada@example.com", "correct horse")
        let page = try await Self.opened(bench, by: device).page
        let ada = ["email": "ada@example.com", "password": "correct horse"]
        for origin in ["http://evil.example", "null", "http://till.example.evil.example", ""] {
            let fields = ["Host": "till.example", "Origin": origin]
            #expect(try await bench.browse(page + "/sign-in", ada, fields).status == 403, "\(origin)")
        }
        // Another program of the same machine is somebody else, where a port says so.
        for (host, origin) in [
            ("127.0.0.1:8080", "http://127.0.0.1:9999"), ("[::1]:8080", "http://[::1]:8081"),
            ("till.example:8080", "http://till.example"), ("till.example:443", "http://till.example"),
        ] {
            let fields = ["Host": host, "Origin": origin]
            #expect(try await bench.browse(page + "/sign-in", ada, fields).status == 403, "\(origin) at \(host)")
        }
        let own = ["Host": "till.example", "Origin": "http://Till.example:8080"]
        #expect(try await bench.browse(page + "/sign-in", ada, own).status == 303)
    }
}

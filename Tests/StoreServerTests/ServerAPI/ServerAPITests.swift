import Foundation
import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning
import TestSupport
import Testing

@testable import StoreServer

@Suite("The App Store Server API", .bounded)
struct ServerAPITests {
    /// A token that opens nothing, and how the reason begins.
    private static let refusals: [(name: String, said: ServerAPIBench.Said, reason: String)] = {
        var all: [(String, ServerAPIBench.Said, String)] = []
        func add(_ name: String, _ reason: String, _ change: (inout ServerAPIBench.Said) -> Void) {
            var said = ServerAPIBench.Said()
            change(&said)
            all.append((name, said, reason))
        }
        add("key id", "Kid: there is no key NOSUCHKEY1") { $0.keyID = "NOSUCHKEY1" }
        add("issuer", "Iss of the token") { $0.issuer = "57246542-96fe-1a63-e053-0824d011072a" }
        add("audience", "Aud of the token") { $0.audience = "appstoreconnect-v2" }
        add("expiry", "The token expired at") { $0.expiresAt = .seconds(-120) }
        add("length", "Exp of the token lies more than 60 minutes") { $0.expiresAt = .seconds(3600 + 120) }
        add("future", "Iat of the token") {
            $0.issuedAt = .seconds(600)
            $0.expiresAt = .seconds(900)
        }
        add("signature", "Signature: ") { $0.privateKey = try? PrivateKey.p256() }
        add("no app", "Bid: ") { $0.bundle = nil }
        return all
    }()

    @Test("X3: A token that opens nothing is answered with 401 as text, and the reason names the part that is wrong")
    func unauthenticated() async throws {
        let server = try await ServerAPIBench(ListenerBench())
        for (name, said, reason) in Self.refusals {
            let answer = try await server.get("/v1/transactions/1", said)
            #expect(answer.status == 401, "\(name): \(answer.text)")
            #expect(
                answer.fields["Content-Type"] == "text/plain" && answer.text.hasPrefix("Unauthenticated"), "\(name)")
            #expect(answer.reason.hasPrefix(reason), "\(name): \(answer.reason)")
            #expect(answer.errorCode == nil)
        }
        let none = try await server.bench.ask("GET", "/inApps/v1/transactions/1")
        #expect(none.status == 401 && none.reason.contains("Authorization"))
        let missing = try await server.bench.ask("GET", "/inApps/v1/messaging/image/list")
        #expect(missing.status == 401 && missing.reason.contains("Authorization"))
        let text = try await server.bench.ask("GET", "/inApps/v1/transactions/1", token: "abc")
        #expect(text.status == 401 && !text.reason.isEmpty)
        // Clients in Python leave out when it was made.
        let answer = try await server.get("/v1/transactions/1", .init(issuedAt: nil))
        #expect(answer.status == 404 && answer.errorCode == 4_040_010, "\(answer.text)")
    }

    @Test("X3: A query of more values than the limit is refused in the App Store's form, with the limit in the reason")
    func manyValues() async throws {
        let server = try await ServerAPIBench(ListenerBench())
        let values = (0...HTTPLimits.queryItems).map { "productId=p\($0)" }.joined(separator: "&")
        let answer = try await server.get("/v2/history/1?" + values)
        #expect(answer.status == 400 && answer.errorCode == 4_000_000, "\(answer.text)")
        #expect(answer.reason.contains("\(HTTPLimits.queryItems) values"))
    }

    @Test("X3: The app of a token is of the team of its key, and errors have exactly the App Store's form")
    func apps() async throws {
        let bench = try await ListenerBench()
        #expect(try await bench.control("POST", "/teams", ["teamId": "zoo", "name": "Zoo"]).status == 201)
        let app = ["bundleId": "com.example.zoo", "name": "Zoo", "teamId": "zoo"]
        #expect(try await bench.control("POST", "/apps", app).status == 201)
        let team = try #require(
            try await bench.control("GET", "/apps/\(ListenerBench.bundle)").json["teamId"] as? String)
        let server = try await ServerAPIBench(bench, team: team)
        for (bundle, code) in [
            ("com.example.zoo", 4_040_003), ("com.example.nowhere", 4_040_003), ("not a bundle", 4_000_002),
        ] {
            let answer = try await server.get("/v1/transactions/1", .init(bundle: bundle))
            #expect(answer.errorCode == code && answer.status == code / 10_000, "\(bundle): \(answer.text)")
            #expect(answer.fields["Content-Type"] == "application/json")
            #expect(Set(answer.json.keys) == ["errorCode", "errorMessage"])
            #expect(answer.reason.hasPrefix("Bid: "))
        }
        // A key of the other team opens its own app only.
        let zoo = try await ServerAPIBench(bench, team: "zoo")
        let id = try await server.buy("credits5")
        #expect(try await server.get("/v1/transactions/\(id)").status == 200)
        #expect(try await zoo.get("/v1/transactions/\(id)", .init(bundle: "com.example.zoo")).errorCode == 4_040_010)
        #expect(try await zoo.get("/v1/transactions/\(id)").errorCode == 4_040_003)
        #expect(zoo.issuer != server.issuer)
    }

    @Test("X3: A key that is revoked opens nothing from then on, and when it was used is known")
    func revoked() async throws {
        let server = try await ServerAPIBench(ListenerBench())
        let second = try await ServerAPIBench(server.bench)
        #expect(second.issuer == server.issuer && second.keyID != server.keyID)
        #expect(try await server.get("/v1/transactions/1").status == 404)
        let keys = try await server.bench.control("GET", "/api-keys").json["items"] as? [[String: Any]]
        let used = keys?.filter { $0["lastUsedAt"] != nil }.compactMap { $0["keyId"] as? String }
        #expect(used == [server.keyID] && keys?.count == 2)
        #expect(keys?.allSatisfy { $0["privateKey"] == nil } == true)
        #expect(try await server.bench.control("DELETE", "/api-keys/\(server.keyID)").status == 200)
        let answer = try await server.get("/v1/transactions/1")
        #expect(answer.status == 401 && answer.reason.contains("revoked"), "\(answer.reason)")
        #expect(try await second.get("/v1/transactions/1").status == 404)
        let audit = try await server.bench.control("GET", "/audit?subject=")
        #expect(
            audit.text.contains("API key \(server.keyID) made")
                && audit.text.contains("API key \(server.keyID) revoked"))
    }

    @Test("X3: A key opens what it was made for, and a token of the sandbox makes none that opens production")
    func environments() async throws {
        let bench = try await ListenerBench()
        let foreign = try await ServerAPIBench(bench, environments: ["production"])
        let answer = try await foreign.get("/v1/transactions/1")
        #expect(answer.status == 401 && answer.reason.contains("is of the production"), "\(answer.reason)")
        let both = try await ServerAPIBench(bench, environments: ["production", "sandbox"])
        #expect(try await both.get("/v1/transactions/1").status == 404)
        let token = ListenerBench.token
        for environments in [["production"], ["sandbox", "production"]] {
            let refused = try await bench.ask(
                "POST", "/control/v1/api-keys", ["name": "x", "environments": environments], token: token)
            #expect(refused.status == 403 && refused.code == "production_required", "\(refused.text)")
        }
        for id in [foreign.keyID, both.keyID] {
            let refused = try await bench.ask("DELETE", "/control/v1/api-keys/\(id)", token: token)
            #expect(refused.status == 403 && refused.code == "production_required", "\(refused.text)")
        }
        #expect(try await bench.ask("POST", "/control/v1/api-keys", ["name": "x"], token: token).status == 201)
    }

    @Test(
        "X3: Each endpoint for reading answers with what was bought, signed, and without the number of the app in the sandbox"
    )
    func reading() async throws {
        let server = try await ServerAPIBench(ListenerBench())
        let id = try await server.buy("credits5")
        let info = try await server.get("/v1/transactions/\(id)?")
        #expect(info.status == 200 && info.fields["Content-Type"] == "application/json")
        let signed = try #require(info.json["signedTransactionInfo"] as? String)
        let verifier = server.bench.store.signers.jwsVerifier
        let payload = try verifier.verify(signed).decode(TransactionPayload.self)
        #expect(payload.transactionId.description == id && payload.environment == .sandbox)
        for version in ["v1", "v2"] {
            let history = try await server.get("/\(version)/history/\(id)?revoked=False&productType=CONSUMABLE")
            #expect((history.json["signedTransactions"] as? [String])?.count == 1, "\(history.text)")
            #expect(history.json["hasMore"] as? Bool == false && history.json["revision"] is String)
            #expect(history.json["bundleId"] as? String == ListenerBench.bundle && history.json["appAppleId"] == nil)
            let refunds = try await server.get("/\(version)/refund/lookup/\(id)")
            #expect((refunds.json["signedTransactions"] as? [String])?.isEmpty == true, "\(refunds.text)")
            #expect(refunds.json["hasMore"] as? Bool == (version == "v2" ? false : nil))
        }
        // Consumables that were finished are in the second version only.
        #expect(try await server.bench.control("POST", "/transactions/\(id)/finish").status < 300)
        let histories = try await [server.get("/v1/history/\(id)"), server.get("/v2/history/\(id)")]
        #expect(histories.map { ($0.json["signedTransactions"] as? [String])?.count } == [0, 1])
        // Who buys has the app.
        let app = try await server.get("/v1/transactions/appTransactions/\(id)")
        let download = try verifier.verify(try #require(app.json["signedAppTransactionInfo"] as? String))
            .decode(AppTransactionPayload.self)
        #expect(download.appTransactionId != nil && download.appTransactionId == payload.appTransactionId)
        let order = try #require(
            try await server.bench.control("GET", "/transactions/\(id)").text.firstMatch(of: /"orderId":"([A-Z0-9]+)"/))
        let found = try await server.get("/v1/lookup/\(order.1)")
        #expect(found.json["status"] as? Int == 0 && (found.json["signedTransactions"] as? [String])?.count == 1)
        let none = try await server.get("/v1/lookup/MK5TTTVWJH")
        #expect(none.status == 200 && none.json["status"] as? Int == 1 && none.json["signedTransactions"] == nil)
        let shown = try await server.bench.control("GET", "/purchases/\(order.1)")
        #expect(shown.json["transactionId"] as? String == id, "\(shown.text)")
    }

    @Test("X3: Subscriptions are told by their groups, those that have the statuses that are asked for")
    func statuses() async throws {
        let server = try await ServerAPIBench(ListenerBench())
        let coins = try await server.buy("credits5")
        let none = try await server.get("/v1/subscriptions/\(coins)")
        #expect(none.status == 200 && (none.json["data"] as? [Any])?.isEmpty == true, "\(none.text)")
        let club = try await server.buy("club")
        for (query, isTold) in [("", true), ("?status=1&status=5", true), ("?status=2&status=3", false)] {
            let answer = try await server.get("/v1/subscriptions/\(coins)\(query)")
            let groups = answer.json["data"] as? [[String: Any]] ?? []
            #expect(groups.count == (isTold ? 1 : 0), "\(query): \(answer.text)")
            #expect(answer.json["environment"] as? String == "Sandbox" && answer.json["appAppleId"] == nil)
            guard let item = (groups.first?["lastTransactions"] as? [[String: Any]])?.first else { continue }
            #expect(item["status"] as? Int == 1 && item["originalTransactionId"] as? String == club)
            let verifier = server.bench.store.signers.jwsVerifier
            let signed = try #require(item["signedRenewalInfo"] as? String)
            let renewal = try verifier.verify(signed).decode(RenewalInfoPayload.self)
            #expect(renewal.originalTransactionId.description == club && renewal.autoRenewStatus == .on)
        }
        for status in ["0", "6", "active", ""] {
            #expect(try await server.get("/v1/subscriptions/\(club)?status=\(status)").errorCode == 4_000_031)
        }
    }

    @Test("X3: Paths that there are not have no body, and the other environment's transactions say where they are")
    func elsewhere() async throws {
        let server = try await ServerAPIBench(ListenerBench())
        for path in ["/v1/nothing", "/v3/history/1", "/v1/transactions"] {
            let answer = try await server.get(path)
            #expect(answer.status == 404 && answer.text.isEmpty, "\(path): \(answer.text)")
        }
        let id = TransactionID.numbers(in: .production).lowerBound + 5
        let answer = try await server.get("/v1/transactions/\(id)")
        #expect(answer.errorCode == 4_040_010 && answer.reason.contains("is of the production"), "\(answer.reason)")
        #expect(try await server.get("/v1/transactions/abc").errorCode == 4_000_006)
        let body = try await server.bench.ask("GET", "/inApps/v1/transactions/1", ["a": 1], token: server.token())
        #expect(body.status == 400 && body.errorCode == 4_000_000, "\(body.text)")
        // Production tells no reasons.
        let other = try await ServerAPIBench(ListenerBench(.production))
        let untold = try await other.get("/v1/transactions/\(id)")
        #expect(untold.errorCode == 4_040_010 && untold.fields["Till-Reason"] == nil)
    }

    @Test("X3: What fails outside of the interface has a code of it too, by its kind")
    func failures() throws {
        let failures: [(APIError, Int)] = [
            (APIError(.unavailable, code: "store_unavailable", ""), 5_000_001),
            (APIError(.unavailable, code: "abandoned", ""), 5_000_001),
            (APIError(.internalError, code: "internal", ""), 5_000_000),
            (APIError(.contentTooLarge, code: "body_too_large", ""), 4_000_000),
            (APIError(.notFound, code: "transaction_unknown", ""), 4_040_010),
            (APIError(.tooManyRequests, code: "rate_limit_exceeded", ""), 4_290_000),
            (APIError(.notFound, code: "4040006", ""), 4_040_006),
        ]
        for (error, number) in failures { #expect(ServerAPIErrors.code(of: error).number == number, "\(error.code)") }
    }

    @Test("X3: Too many requests of an app are refused with the instant, in milliseconds, from which they are not")
    func rates() async throws {
        let rates = ServerAPIRates(perSecond: 2)
        let caller = ServerCaller(
            actor: .store, app: try AppID(number: 42), bundle: try BundleID(parsing: ListenerBench.bundle))
        let now = BenchTime.start
        for _ in 0..<2 { try rates.require(caller, "getTransactionInfo", at: now) }
        let error = #expect(throws: APIError.self) { try rates.require(caller, "getTransactionInfo", at: now) }
        #expect(error.map { ServerAPIErrors.code(of: $0) } == .rateLimitExceeded && error?.status == .tooManyRequests)
        let instant = now.millisecondsSinceEpoch + 500
        #expect(error?.fields["Retry-After"] == "\(instant)")
        try rates.require(caller, "getRefundHistory", at: now)
        try rates.require(caller, "getTransactionInfo", at: Instant(millisecondsSinceEpoch: instant))
    }
}

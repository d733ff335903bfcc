import Foundation
import StoreHTTP
import StoreModel
import StoreSigning
import Testing

@testable import StoreBackend

@Suite struct BackendServerTests {
    @Test func `the description has every route, and nothing that routes do not have`() async throws {
        let bench = try await ServerBench()
        #expect(bench.document.problems == [])
        let answer = try await bench.send(.get("/openapi.json"))
        #expect(answer.status == .ok)
        for path in ["/v1/purchases", "/v1/content/{productId}", "/v1/apps/{bundleId}/products", "/v1/users"] {
            #expect(answer.text.contains("\"\(path)\""), "\(path)")
        }
    }

    @Test func `R5.1: the list of products has a tag, and what is added is there at once`() async throws {
        let bench = try await ServerBench()
        let path = "/v1/apps/\(ServerBench.app)/products"
        #expect(try await bench.send(.get(path)).json(ProductListAnswer.self).products.isEmpty)
        try await bench.furnish()
        let listed = try await bench.send(.get(path))
        let list = try listed.json(ProductListAnswer.self)
        #expect(list.products.map(\.productId) == [bench.product("may"), bench.product("coins")])
        #expect(list.products[0].contentVersion == "1.0")
        let tag = try #require(listed.fields["ETag"])
        let again = try await bench.send(.get(path, fields: ["If-None-Match": tag]))
        #expect(again.status == .notModified)
        #expect(again.body.isEmpty)
        let other = try await bench.send(.get("/v1/apps/com.example.other/products"))
        #expect(other.status == .notFound)
        #expect(other.code == "unknown_app")
    }

    @Test func `R5.2, R5.4: content is sent with a proof, in parts, and again without one`() async throws {
        let bench = try await ServerBench()
        try await bench.furnish()
        let token = try await bench.signUp()
        #expect(try await bench.requestContent("may", proof: nil, token: token).code == "not_paid")
        let found = try await bench.requestContent("may", proof: bench.proof("may"), token: token)
        #expect(found.status == .seeOther)
        let content = try found.json(ContentAnswer.self)
        let location = try #require(found.fields["Location"])
        #expect(location == content.path)
        let whole = try await bench.send(.get(location), token: token)
        #expect(whole.text == "the first page, and all the others")
        #expect(Hexadecimal.encode(try DigestAlgorithm.sha256.digest(whole.body)) == content.sha256)
        #expect(whole.fields["ETag"] == "\"\(content.sha256)\"")
        let rest = try await bench.send(
            .get(location, fields: ["Range": "bytes=10-", "If-Range": "\"\(content.sha256)\""]), token: token)
        #expect(rest.status == .partialContent)
        #expect(rest.text == "page, and all the others")
        #expect(try await bench.requestContent("may", proof: nil, token: token).status == .seeOther)
        #expect(try await bench.requestContent("may", proof: bench.proof("may"), token: token).status == .seeOther)
        #expect(try await bench.send(.get(location)).code == "not_signed_in")
        let stranger = try await bench.signUp("bart")
        #expect(try await bench.send(.get(location), token: stranger).code == "not_paid")
        #expect(try await bench.requestContent("may", proof: bench.proof("may"), token: stranger).status == .forbidden)
    }

    @Test func `a proof in JSON counts as the same that is sent as it is`() async throws {
        let bench = try await ServerBench()
        try await bench.furnish()
        let token = try await bench.signUp()
        let proof = try bench.proof("coins", quantity: 3)
        let first = try await bench.send(
            .post("/v1/purchases", proof, as: "application/octet-stream"), token: token)
        let recorded = try #require(try first.json(RecordedAnswer.self).recorded.first)
        #expect(recorded.isNew)
        #expect(recorded.balance == UserBalance(name: "coins", amount: 15))
        let second = try await bench.send(
            .post("/v1/purchases", #"{"proof":"\#(proof)"}"#, as: "application/json"), token: token)
        #expect(try second.json(RecordedAnswer.self).recorded.map(\.isNew) == [false])
        let balances = try await bench.send(.get("/v1/balances"), token: token)
        #expect(try balances.json(BalancesAnswer.self).balances == [UserBalance(name: "coins", amount: 15)])
    }

    @Test func `R5.7: a balance is spent once for each key, on whatever device`() async throws {
        let bench = try await ServerBench()
        try await bench.furnish()
        let token = try await bench.signUp()
        _ = try await bench.send(
            .post("/v1/purchases", bench.proof("coins"), as: "application/octet-stream"), token: token)
        func spend(_ amount: Int, key: String?) async throws -> ServerBench.Answer {
            var request = TransportRequest.post(
                "/v1/balances/coins/spend", #"{"amount":\#(amount)}"#, as: "application/json")
            request.fields["Idempotency-Key"] = key
            return try await bench.send(request, token: token)
        }
        for _ in 0..<2 {
            #expect(try await spend(2, key: "a").json(UserBalance.self) == UserBalance(name: "coins", amount: 3))
        }
        #expect(try await spend(3, key: "a").code == "key_reused")
        #expect(try await spend(4, key: "b").code == "balance_too_low")
        #expect(try await spend(1, key: nil).status == .badRequest)
    }

    @Test(arguments: [
        (
            "/v1/users", #"{"name":"lisa","password":"correct horse","admin":true}"#, "application/json",
            "member_unknown"
        ),
        ("/v1/users", #"{"name":"lisa"}"#, "application/json", "value_missing"),
        ("/v1/users", #"{"name":"lisa","password":"short"}"#, "application/json", "invalid_value"),
        ("/v1/users", #"{"name":"lisa","password":"correct horse"}"#, "text/plain", "media_type_unsupported"),
        ("/v1/sessions", #"{"name":"nobody","password":"correct horse"}"#, "application/json", "not_signed_in"),
        ("/v1/apps/com.example.magazines/products/unknown", #"{"productIds":[]}"#, "application/json", "invalid_value"),
        ("/v1/apps/..../products/unknown", #"{"productIds":["a"]}"#, "application/json", "parameter_invalid"),
        ("/notifications", #"{"signedPayload":"a.b.c"}"#, "application/json", "untrusted_proof"),
        ("/notifications", #"{"payload":"a.b.c"}"#, "application/json", "member_unknown"),
    ])
    func `a request that is wrong is told what is wrong`(
        path: String, body: String, type: String, code: String
    ) async throws {
        let answer = try await ServerBench().send(.post(path, body, as: type))
        #expect(answer.code == code)
        #expect((400..<500).contains(answer.status.rawValue))
    }

    @Test func `R5.6: nobody is asked about a subscription that is not theirs`() async throws {
        let bench = try await ServerBench()
        let token = try await bench.signUp()
        let path = "/v1/subscriptions/2000000000000001/prompts"
        #expect(try await bench.send(TransportRequest("POST", path), token: token).code == "unknown_subscription")
        #expect(try await bench.send(TransportRequest("POST", path)).code == "not_signed_in")
    }

    @Test func `R5.6: an app that may not ask is told why, and when it may`() async throws {
        let bench = try await ServerBench()
        var club = ListedProduct(bench.product("club"), kind: .autoRenewable)
        club.minimumPeriod = .oneMonth
        club.minimumPeriodReason = "Issues come out once a month."
        try await bench.backend.publish(ProductList(bundleID: ServerBench.app, products: [club]), at: ServerBench.now)
        let token = try await bench.signUp()
        let user = try await bench.backend.user(withToken: token, at: ServerBench.now)
        func bring(_ number: Int64) async throws -> PromptAnswer {
            let id = try TransactionID(number: number)
            let period = VerifiedTransaction(
                environment: .sandbox, transactionID: id, originalTransactionID: try TransactionID(number: 2_000),
                bundleID: ServerBench.app, productID: club.productID, kind: .autoRenewable,
                purchaseDate: ServerBench.now - .seconds(100 - number % 10), originalPurchaseDate: ServerBench.now,
                expiresDate: ServerBench.now - .seconds(50 - number % 10), statedAt: ServerBench.now)
            let proof = "e30.\(Base64.encode(try JSONEncoder().encode(period), .url)).e30"
            _ = try await bench.backend.record(
                ProofOfPayment(reading: Array(proof.utf8)), for: user, at: ServerBench.now)
            let path = "/v1/subscriptions/2000/prompts"
            return try await bench.send(TransportRequest("POST", path), token: token).json(PromptAnswer.self)
        }
        #expect(try await bring(2_000).code == .ask)
        let answer = try await bring(2_001)
        #expect(!answer.mayPrompt && answer.code == .tooSoon)
        #expect(answer.reason.hasSuffix("Issues come out once a month."))
        #expect(answer.notBefore == ServerBench.now.adding(.oneMonth))
    }

    @Test func `a session that was ended is none, and a password opens another`() async throws {
        let bench = try await ServerBench()
        let token = try await bench.signUp()
        #expect(try await bench.send(.get("/v1/user"), token: token).json(UserAnswer.self).name == "lisa")
        let end = TransportRequest("DELETE", "/v1/sessions/current")
        #expect(try await bench.send(end, token: token).status == .noContent)
        #expect(try await bench.send(.get("/v1/user"), token: token).code == "not_signed_in")
        let account = #"{"name":"lisa","password":"correct horse"}"#
        let again = try await bench.send(.post("/v1/sessions", account, as: "application/json"))
        let other = try again.json(SignedInAnswer.self).token
        #expect(other != token)
        #expect(try await bench.send(.get("/v1/user"), token: other).status == .ok)
        #expect(try await bench.send(.post("/v1/users", account, as: "application/json")).code == "name_taken")
    }

    @Test func `R5.9: a user who floods the server with proofs has to wait`() async throws {
        var limits = BackendServerLimits()
        limits.proofsPerMinute = 3
        let bench = try await ServerBench(limits: limits)
        try await bench.furnish()
        let (token, other) = (try await bench.signUp(), try await bench.signUp("bart"))
        var statuses: [Int] = []
        for _ in 0..<4 {
            statuses.append(try await bench.requestContent("may", proof: "a.b.c", token: token).status.rawValue)
        }
        #expect(statuses == [403, 403, 403, 429])
        let refused = try await bench.requestContent("may", proof: "a.b.c", token: token)
        #expect(refused.fields["Retry-After"] == "20")
        #expect(try await bench.requestContent("may", proof: "a.b.c", token: other).status == .forbidden)
    }

    @Test func `R5.9: many accounts at one address cannot use up what the store may be asked for all`() async throws {
        var limits = BackendServerLimits()
        limits.refusedProofsPerMinute = 3
        let bench = try await ServerBench(limits: limits)
        try await bench.furnish()
        let tokens = [try await bench.signUp("ann"), try await bench.signUp("bart")]
        func record(_ proof: String, of user: Int, from host: String) async throws -> Int {
            var request = TransportRequest.post("/v1/purchases", proof, as: "application/octet-stream")
            request.peer = PeerAddress(host: host, port: 1)
            return try await bench.send(request, token: tokens[user]).status.rawValue
        }
        for attempt in 0..<3 { #expect(try await record("a.b.c", of: attempt % 2, from: "192.0.2.1") == 403) }
        #expect(try await record("a.b.c", of: 0, from: "192.0.2.1") == 429)
        #expect(try await record(bench.proof("coins"), of: 1, from: "192.0.2.2") == 200)
        var paid = TransportRequest("POST", "/v1/content/\(bench.product("may"))")
        paid.peer = PeerAddress(host: "192.0.2.1", port: 1)
        #expect(try await bench.send(paid, token: tokens[0]).code == "not_paid", "It brings no proof.")
    }

    @Test func `what comes from one address is limited, and a store that has much to tell has a limit of its own`()
        async throws
    {
        var limits = BackendServerLimits()
        (limits.requestsPerMinute, limits.notificationsPerMinute) = (2, 4)
        let bench = try await ServerBench(limits: limits)
        func statuses(_ request: TransportRequest) async throws -> [Int] {
            var (request, statuses) = (request, [Int]())
            request.peer = PeerAddress(host: "192.0.2.1", port: 1)
            for _ in 0..<5 { statuses.append(try await bench.send(request).status.rawValue) }
            return statuses
        }
        #expect(try await statuses(.get("/v1/apps/\(ServerBench.app)/products")) == [200, 200, 429, 429, 429])
        let told = TransportRequest.post("/notifications", #"{"signedPayload":"a.b.c"}"#, as: "application/json")
        #expect(try await statuses(told) == [403, 403, 403, 403, 429])
        #expect(try await bench.send(told).status == .forbidden)
        // Whoever forgot the roots sees that the store is turned away.
        #expect(bench.events.count { $0 == "notification.refused" } == 5)
    }

    @Test func `a body beyond its limit is refused before it is looked at`() async throws {
        var limits = BackendServerLimits()
        (limits.proofBytes, limits.messageBytes) = (100, 50)
        let bench = try await ServerBench(limits: limits)
        let token = try await bench.signUp("x")
        let long = String(repeating: "a", count: 101)
        #expect(try await bench.requestContent("may", proof: long, token: token).code == "body_too_large")
        let account = try await bench.send(.post("/v1/users", long, as: "application/json"))
        #expect(account.status == .contentTooLarge)
    }

    @Test func `R5.8: the log has the steps of a delivery, and no secret`() async throws {
        let bench = try await ServerBench()
        try await bench.furnish()
        let token = try await bench.signUp()
        _ = try await bench.send(.get("/v1/apps/\(ServerBench.app)/products"))
        let proof = try bench.proof("may")
        let found = try await bench.requestContent("may", proof: proof, token: token)
        _ = try await bench.send(.get(#require(found.fields["Location"])), token: token)
        let steps = bench.events.filter { $0 != "request" }
        #expect(
            steps == ["products.listed", "proof.received", "purchase.recorded", "content.granted", "content.sent"])
        // At a window it is said whom and what a line is about.
        #expect(bench.about("purchase.recorded") == "\(bench.product("may")), lisa: granted")
        #expect(bench.about("content.sent") == "may 1.0, lisa")
        for secret in [token, "correct horse", proof] { #expect(!bench.logText.contains(secret)) }
    }
}

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

@Suite("Requests go wrong on purpose in the sandbox (X12)", .bounded)
struct FaultTests {
    private static let customers = "/control/v1/customers"
    private static let account = ["email": "ada@example.com", "storefront": "USA"]

    /// Asks with the operator's token, over the listener that faults strike.
    private func ask(
        _ bench: ListenerBench, _ method: String, _ path: String, _ body: [String: Any]? = nil
    ) async throws -> ListenerBench.Answer {
        try await bench.ask(method, path, body, token: ListenerBench.token)
    }

    private func add(_ bench: ListenerBench, _ terms: [String: Any]) async throws {
        let added = try await ask(bench, "POST", "/control/v1/faults", terms)
        #expect(added.status == 201, "\(added.text)")
    }

    private func countOfAccounts(_ bench: ListenerBench) async throws -> Int? {
        (try await bench.control("GET", "/customers").json["items"] as? [Any])?.count
    }

    @Test("Each interface answers a status in its own words, for as many calls as were asked for")
    func statuses() async throws {
        let bench = try await ListenerBench(.sandbox)
        try await add(bench, ["path": "/control/v1/app*", "status": 503, "retryAfterSeconds": 7, "times": 1])
        try await add(bench, ["path": "/verifyReceipt", "status": 21005])
        let own = try await ask(bench, "GET", "/control/v1/apps")
        #expect(own.status == 503 && own.code == FaultAnswer.code && own.fields["Retry-After"] == "7")
        #expect(own.fields["Till-Reason"] == "fault 1: answers 503 to the first of /control/v1/app*")
        #expect(try await ask(bench, "GET", "/control/v1/apps").status == 200)
        let receipt = try await bench.ask("POST", "/verifyReceipt", ["receipt-data": "AA=="])
        #expect(receipt.status == 200 && receipt.text == #"{"status":21005}"#)
    }

    @Test(
        "A server of a developer is answered as the App Store would",
        arguments: [
            (5_000_001, 500, #"{"errorCode":5000001,"errorMessage":"An unknown error occurred. Please try again."}"#),
            (4_040_004, 404, #"{"errorCode":4040004,"errorMessage":"App not found. Please try again."}"#),
            (4_290_000, 429, #"{"errorCode":4290000,"errorMessage":"Rate limit exceeded."}"#),
            (429, 429, #"{"errorCode":4290000,"errorMessage":"Rate limit exceeded."}"#),
            (503, 503, ""),
        ])
    func serverAPI(_ status: Int, _ expected: Int, _ text: String) throws {
        let answer = FaultAnswer(status, retryAfter: 60, "fault 1", at: BenchTime.start)
        let response: HTTPResponse
        do {
            response = try answer.response("/inApps/v1/history/1")
        } catch let error as APIError {
            let form = ServerAPIErrors(
                tellsReasons: true, log: .init(time: { BenchTime.start }) { _ in }, history: nil,
                wall: { BenchTime.start })
            let target = try RequestTarget("/inApps/v1/history/1")
            response = form.response(to: error, for: HTTPRequest(method: .get, target: target))
            #expect(response.fields["Content-Type"] == "application/json")
            #expect(response.fields["Till-Reason"] == "fault 1")
        }
        guard case .bytes(let bytes) = response.body else {
            #expect(text.isEmpty && response.status.rawValue == expected)
            return
        }
        #expect(response.status.rawValue == expected && String(decoding: bytes, as: UTF8.self) == text)
        let instant = BenchTime.start.millisecondsSinceEpoch + 60_000
        #expect(response.fields["Retry-After"] == String(instant))
    }

    @Test("X3: A store that cannot answer just now says when to ask again as the App Store does, as an instant")
    func unavailable() throws {
        let error = try #require(APIError.explaining(DatabaseError(.busy, "busy")))
        #expect(error.fields["Retry-After"] == "5")
        let form = ServerAPIErrors(
            tellsReasons: true, log: .init(time: { BenchTime.start }) { _ in }, history: nil,
            wall: { BenchTime.start })
        let target = try RequestTarget("/inApps/v1/history/1")
        let response = form.response(to: error, for: HTTPRequest(method: .get, target: target))
        #expect(response.status == .internalError)
        #expect(response.fields["Retry-After"] == String(BenchTime.start.millisecondsSinceEpoch + 5000))
    }

    @Test("A request that is dropped before it is acted on changes nothing; one that is dropped after it does")
    func drops() async throws {
        let bench = try await ListenerBench(.sandbox)
        try await add(bench, ["path": Self.customers, "drop": "before", "times": 1])
        await #expect(throws: ConnectionClosed.self) { try await ask(bench, "POST", Self.customers, Self.account) }
        #expect(try await countOfAccounts(bench) == 0)
        try await add(bench, ["path": Self.customers, "drop": "after", "times": 1])
        await #expect(throws: ConnectionClosed.self) { try await ask(bench, "POST", Self.customers, Self.account) }
        #expect(try await countOfAccounts(bench) == 1)
    }

    @Test("A request that is doubled is acted on twice, and has the second answer")
    func duplicate() async throws {
        let bench = try await ListenerBench(.sandbox)
        try await add(bench, ["path": Self.customers, "method": "POST", "duplicate": true])
        let answer = try await ask(bench, "POST", Self.customers, Self.account)
        #expect(answer.status == 409 && answer.code == "email_taken")
        #expect(try await countOfAccounts(bench) == 1)
    }

    @Test("Delays of several faults add up, and the request goes on as usual after that")
    func delay() async throws {
        let waits = Mutex<[Duration]>([])
        let bench = try await ListenerBench(.sandbox, wait: { time in waits.withLock { $0.append(time) } })
        for milliseconds in [1500, 2000] {
            try await add(bench, ["path": "/control/v1/apps", "delayMilliseconds": milliseconds])
        }
        #expect(try await ask(bench, "GET", "/control/v1/apps").status == 200)
        #expect(waits.withLock(\.self) == [.milliseconds(3500)])
    }

    @Test("A fault of an app or a customer strikes nothing that concerns others")
    func scope() async throws {
        let bench = try await ListenerBench(.sandbox)
        for email in ["ada@example.com", "bob@example.com"] {
            let made = try await ask(bench, "POST", Self.customers, ["email": email, "storefront": "USA"])
            #expect(made.status == 201)
        }
        let other = ["bundleId": "com.example.zoo", "name": "Zoo"]
        #expect(try await ask(bench, "POST", "/control/v1/apps", other).status == 201)
        try await add(bench, ["bundleId": "com.example.zoo", "status": 500])
        try await add(bench, ["customer": "ada@example.com", "status": 501])
        #expect(try await ask(bench, "GET", "/control/v1/apps/com.example.zoo").status == 500)
        #expect(try await ask(bench, "GET", "/control/v1/apps/\(ListenerBench.bundle)").status == 200)
        #expect(try await ask(bench, "GET", Self.customers + "/ada@example.com").status == 501)
        #expect(try await ask(bench, "GET", Self.customers + "/bob@example.com").status == 200)
    }

    @Test("Where everything goes wrong, faults can be seen and taken away, and requests say which struck them")
    func recovery() async throws {
        let bench = try await ListenerBench(.sandbox)
        try await add(bench, ["status": 500])
        #expect(try await ask(bench, "GET", "/control/v1/overview").status == 500)
        let list = try await ask(bench, "GET", "/control/v1/faults")
        let fault = (list.json["items"] as? [[String: Any]])?.first
        #expect(fault?["struck"] as? Int == 1 && fault?["description"] as? String == "answers 500 to each of *")
        #expect(try await ask(bench, "DELETE", "/control/v1/faults/9").code == "name_unknown")
        #expect(try await ask(bench, "DELETE", "/control/v1/faults").json["cleared"] as? Int == 1)
        #expect(try await ask(bench, "GET", "/control/v1/overview").status == 200)
        let requests = try await bench.control("GET", "/requests?refused=true").json["items"] as? [[String: Any]]
        #expect(requests?.contains { $0["message"] as? String == "fault 1: answers 500 to each of *" } == true)
    }

    @Test("The form of the console asks for all that a command does")
    func form() async throws {
        let bench = try await ListenerBench(.sandbox)
        let form = [
            "target": "requests", "path": "/device/v1/purchases", "method": "POST", "effect": "status", "status": "503",
            "retry": "30", "choice": "percent", "number": "10", "seed": "7",
        ]
        let sent = try await ConsoleVisitor.owner(bench).send("/faults", form)
        #expect(sent.status == 303, "\(sent.text)")
        let fault = try #require(bench.store.faults?.about(path: "/device/v1/purchases", method: "POST").first)
        #expect("\(fault.rule)" == "answers 503 to 10 % (seed 7) of POST /device/v1/purchases")
        #expect(fault.rule.effect == .status(503, retryAfter: 30))
    }

    @Test("Production has no faults, and refuses to be given any")
    func production() async throws {
        let bench = try await ListenerBench(.production)
        #expect(bench.store.faults == nil && FaultMiddleware(bench.store) == nil)
        for (method, body) in [("GET", nil), ("POST", ["status": 500]), ("DELETE", nil)] as [(String, [String: Any]?)] {
            let answer = try await ask(bench, method, "/control/v1/faults", body)
            #expect(answer.code == "sandbox_only", "\(method): \(answer.text)")
        }
    }
}

import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreServer

/// What is kept of requests: bodies without secrets, polls as one row, those of all servers of a database.
@Suite(.bounded) struct RequestHistoryTests {
    private typealias Row = [String: Any]

    private func rows(_ bench: ListenerBench, _ query: String = "") async throws -> [Row] {
        try #require(try await bench.control("GET", "/requests" + query).json["items"] as? [Row])
    }

    @Test("X6: A device that waits has one row, and a new one after it asked for something else")
    func polls() async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        func poll() async throws {
            bench.time.pass(.seconds(1))
            let cursor = try await device.ask("GET", "/events").json["cursor"] as? String
            #expect(cursor != nil)
        }
        for _ in 0..<3 { try await poll() }
        _ = try await device.ask("GET", "/receipt")
        try await poll()
        let polls = try await rows(bench).filter { ($0["path"] as? String)?.hasPrefix("/device/v1/events") == true }
        #expect(polls.map { $0["repeats"] as? Int } == [1, 3])
        let folded = polls[1]
        #expect(folded["requestId"] as? String != folded["lastRequestId"] as? String)
        // Whoever has the id of the last one finds the row, too.
        let last = try #require(folded["lastRequestId"] as? String)
        #expect(try await rows(bench, "?id=\(last)").first?["number"] as? Int == folded["number"] as? Int)
        let other = try await bench.device(of: "eve@example.com")
        _ = try await other.ask("GET", "/events")
        #expect(try await rows(bench).first?["repeats"] as? Int == 1, "another device has rows of its own")
        #expect(try await ConsoleVisitor.owner(bench).get("/requests").text.contains("3 times"))
    }

    /// A name that ``ShownBody`` does not know to be of a secret would show here.
    @Test("X6 X8: Bodies are kept in the sandbox, and none of the secrets that went to and fro is in one")
    func secrets() async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        var secrets = [ListenerBench.password, device.token]
        let opened = try await device.ask(
            "POST", "/purchases", ["productId": "\(ListenerBench.bundle).credits5"], key: UUID().uuidString)
        let confirmation = try #require(opened.json["confirmation"] as? Row)
        secrets += confirmation.values.compactMap { $0 as? String }.filter { $0.count > 5 }
        let control = { (path: String, body: Row) in
            try await bench.ask("POST", "/control/v1" + path, body, token: ListenerBench.token)
        }
        let secret = try await bench.ask(
            "POST", "/control/v1/apps/\(ListenerBench.bundle)/secret", [:], token: ListenerBench.token)
        secrets += secret.json.values.compactMap { $0 as? String }.filter { $0.count > 20 }
        let key = try await control("/api-keys", ["name": "server"])
        secrets += key.json.filter { $0.key.lowercased().contains("private") }.values.compactMap { $0 as? String }
        _ = try await control(
            "/customers",
            [
                "email": "bob@example.com", "password": "bob's own password", "secretQuestion": "Pet?",
                "secretAnswer": "Rex the dog",
            ])
        secrets += ["bob's own password", "Rex the dog"]
        var bodies: [String] = []
        for row in try await rows(bench, "?limit=1000") {
            let id = try #require(row["requestId"] as? String)
            #expect(row["requestBody"] == nil, "lists have no bodies")
            let one = try #require(try await rows(bench, "?id=\(id)").first)
            bodies += [one["requestBody"], one["responseBody"]].compactMap { $0 as? String }
        }
        #expect(bodies.contains { $0.contains("bob@example.com") && $0.contains("(hidden)") })
        #expect(bodies.contains { $0.contains("credits5") })
        for body in bodies {
            for secret in secrets { #expect(!body.contains(secret), "\(secret) in \(body)") }
        }
    }

    @Test("X8: Production keeps no bodies")
    func production() async throws {
        let bench = try await ListenerBench(.production)
        let answer = try await bench.ask(
            "POST", "/control/v1/customers", ["email": "bob@example.com"], token: ListenerBench.token)
        #expect(answer.status < 500)
        let row = try #require(try await rows(bench).first)
        let one = try #require(try await rows(bench, "?id=\(row["requestId"] as? String ?? "")").first)
        #expect(one["requestBody"] == nil && one["responseBody"] == nil)
    }

    private func request(_ id: String, _ path: String = "/control/v1/apps") throws -> HTTPRequest {
        var request = HTTPRequest(method: .get, target: try RequestTarget(path))
        request.id = id
        return request
    }

    @Test("X11: Servers of one database tell what was asked of any of them", arguments: StoreEngine.allCases)
    func shared(_ engine: StoreEngine) async throws {
        try await engine.withStore { databases in
            let time = BenchTime()
            let servers = ["one", "two"].map { name in
                RequestHistory(
                    hiding: .none, keepsBodies: true, shared: SharedRequests(databases.sandbox, as: name),
                    now: time.reading)
            }
            for (index, server) in [0, 1, 0].enumerated() {
                time.pass(.seconds(1))
                var response = HTTPResponse(.ok, Array(#"{"name":"App","token":"abc"}"#.utf8), as: "application/json")
                RequestKeeper(servers[server]).end(&response, of: try request("request-\(index)"))
            }
            for server in servers { try await server.flush() }
            for server in servers {
                #expect(await server.list(limit: 10).map(\.id) == ["request-2", "request-1", "request-0"])
                let first = try #require(await server.list(limit: 1).first)
                #expect(await server.list(before: first.number, limit: 1).map(\.id) == ["request-1"])
                let body = try #require(await server.entry("request-0")?.response)
                #expect(String(decoding: body, as: UTF8.self) == #"{"name":"App","token":"(hidden)"}"#)
            }
        }
    }

    @Test("X11: Of all servers no more is kept than of one")
    func bounded() async throws {
        try await StoreEngine.memory.withStore { databases in
            let time = BenchTime()
            let history = RequestHistory(
                hiding: .none, shared: SharedRequests(databases.sandbox, as: "one"), now: time.reading)
            for index in 0..<(RequestHistory.most + 20) {
                var response = HTTPResponse(.ok)
                RequestKeeper(history).end(&response, of: try request("request-\(index)"))
                if index % 2_000 == 0 { try await history.flush() }
            }
            try await history.flush()
            let kept = try await databases.sandbox.read {
                try $0.value("SELECT count(*) FROM request_log", as: Int.self)
            }
            #expect(kept == RequestHistory.most)
            #expect(await history.list(limit: 1).first?.id == "request-\(RequestHistory.most + 19)")
        }
    }
}

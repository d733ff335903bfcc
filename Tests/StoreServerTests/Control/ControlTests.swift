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

/// The control interface over memory, as a listener has it and as the operator's own commands have it.
struct ControlBench {
    static let now = Instant(millisecondsSinceEpoch: 1_795_000_000_000)
    static let token = OperatorTokens.token(of: Array(0..<32))
    static let file = """
        {"version":{"major":2},"products":[
          {"productID":"credits5","type":"Consumable","displayPrice":"0.99"},
          {"productID":"credits6","type":"Consumable","displayPrice":"1.99"}]}
        """

    let databases: StoreDatabases
    let routes: ControlRoutes
    let guarded: InMemoryTransport
    let owned: InMemoryTransport

    init(_ environment: StoreEnvironment = .sandbox) async throws {
        let databases = try await StoreDatabases.inMemory(.current())
        let profiles = ProfileIssuer(
            environment, at: { StoreAddress("http://127.0.0.1:1") }, keys: { try SampleKeys.of(environment) })
        var store = ControlStore(
            environment, CatalogueStore(databases.catalogue, Numbers(databases.catalogue), now: { Self.now }),
            proceeds: ProceedsReports(databases[environment]), profiles: profiles)
        store.sandboxAddress = { StoreAddress("http://127.0.0.1:2") }
        self.databases = databases
        routes = ControlRoutes(store)
        guarded = Self.transport(routes.guarded)
        owned = Self.transport(routes.owned + OperatorTokenRoutes(store).routes)
        try await databases.catalogue.write {
            _ = try OperatorTokens.add(
                Self.token, name: "t", for: environment, CatalogueChange(.owner, at: Self.now, in: $0))
        }
    }

    private static func transport(_ routes: [Route]) -> InMemoryTransport {
        let service = HTTPService(
            routes.holdingToDescriptions(), errors: JSONErrorForm(), explain: APIError.explaining,
            report: { error, _ in Issue.record(error) })
        #expect(service.problems == [])
        return InMemoryTransport(service, clock: { 0 })
    }

    /// Asks with a token, as a listener is asked.
    func ask(
        _ method: String, _ path: String, _ body: String? = nil, type: String = "application/json",
        token: String? = token
    ) async throws -> (status: Int, json: [String: Any]) {
        var fields = HTTPFields()
        if let token { fields["Authorization"] = "Bearer \(token)" }
        if body != nil { fields["Content-Type"] = type }
        return try await Self.send(
            TransportRequest(
                method, path, fields: fields, body: body.map { .collected(Array($0.utf8)) } ?? .empty), to: guarded)
    }

    static func send(
        _ request: TransportRequest, to transport: InMemoryTransport
    ) async throws -> (status: Int, json: [String: Any]) {
        let response = try await transport.send(request)
        let bytes = try await response.body.collect()
        let json = try bytes.isEmpty ? [:] : JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        return (response.status.rawValue, json ?? [:])
    }
}

extension [String: Any] {
    /// The code and the parameter of an error.
    var refusal: [String?] {
        let error = self["error"] as? [String: Any]
        return [error?["code"] as? String, error?["parameter"] as? String]
    }
}

@Suite("Who may use the control interface (X13)", .bounded)
struct ControlAccessTests {
    @Test("No route answers without a token of an operator")
    func everyRoute() async throws {
        let bench = try await ControlBench()
        try await bench.databases.catalogue.write { transaction in
            let other = OperatorTokens.token(of: Array(repeating: 9, count: 32))
            _ = try OperatorTokens.add(
                other, name: "revoked", for: .sandbox, CatalogueChange(.owner, at: ControlBench.now, in: transaction))
            try OperatorTokens.revoke(name: "revoked", CatalogueChange(.owner, at: ControlBench.now, in: transaction))
        }
        let strangers: [String?] = [
            nil, "", "till_", OperatorTokens.token(of: Array(repeating: 9, count: 32)),
            OperatorTokens.token(of: Array(repeating: 8, count: 32)), ControlBench.token.uppercased(),
        ]
        #expect(bench.routes.guarded.count >= 18)
        for route in bench.routes.guarded {
            let path = route.pattern.text.replacing("{bundleId}", with: "com.example.a")
                .replacing("{productId}", with: "p").replacing("{storefront}", with: "USA")
            for token in strangers {
                let body = [.put, .post].contains(route.method) && route.body != .none ? "{}" : nil
                let answer = try await bench.ask(route.method.rawValue, path, body, token: token)
                #expect(answer.status == 401, "\(route.method.rawValue) \(path)")
                #expect(answer.json.refusal == ["token_invalid", "Authorization"])
            }
        }
    }

    @Test("A token that is revoked is let in no more")
    func revoked() async throws {
        let bench = try await ControlBench()
        #expect(try await bench.ask("GET", "/control/v1/apps").status == 200)
        try await bench.databases.catalogue.write { transaction in
            try OperatorTokens.revoke(name: "t", CatalogueChange(.owner, at: ControlBench.now, in: transaction))
        }
        #expect(try await bench.ask("GET", "/control/v1/apps").status == 401)
    }

    @Test("A token looks after the customers of its environment, and approves for production if it is of production")
    func environments() async throws {
        for environment in StoreEnvironment.allCases {
            let bench = try await ControlBench(environment)
            let other: StoreEnvironment = environment == .sandbox ? .production : .sandbox
            let token = OperatorTokens.token(of: Array(repeating: 7, count: 32))
            try await bench.databases.catalogue.write {
                _ = try OperatorTokens.add(
                    token, name: "other", for: other, CatalogueChange(.owner, at: ControlBench.now, in: $0))
            }
            let path = "/control/v1/apps/com.example.a"
            #expect(try await bench.ask("PUT", "\(path)/import?name=A", ControlBench.file, token: token).status == 200)
            let profile = try await bench.ask(
                "POST", "/control/v1/profiles", #"{"bundleId":"com.example.a"}"#, token: token)
            #expect(profile.status == 403)
            for (bearer, isOfProduction) in [(token, other == .production), (ControlBench.token, other == .sandbox)] {
                for (method, path, body) in [
                    ("POST", "\(path)/products/credits5/approval", nil),
                    ("PUT", "\(path)/import?approved=true", ControlBench.file),
                ] {
                    let answer = try await bench.ask(method, path, body, token: bearer)
                    #expect(answer.status == (isOfProduction ? 200 : 403), "\(method) \(path)")
                }
            }
        }
    }

    @Test("The owner's own way needs no token, and only it makes tokens", arguments: StoreEnvironment.allCases)
    func owner(environment: StoreEnvironment) async throws {
        let bench = try await ControlBench(environment)
        let apps = try await ControlBench.send(
            TransportRequest("GET", "/\(environment.rawValue)/control/v1/apps"), to: bench.owned)
        #expect(apps.status == 200)
        let order = TransportRequest(
            "POST", "/admin/v1/operator-tokens", fields: ["Content-Type": "application/json"],
            body: .collected(Array(#"{"name":"new"}"#.utf8)))
        let made = try await ControlBench.send(order, to: bench.owned)
        let token = try #require(made.json["token"] as? String)
        #expect(made.status == 201)
        #expect(try await bench.ask("GET", "/control/v1/apps", token: token).status == 200)
        #expect(try await ControlBench.send(order, to: bench.owned).status == 409)
        #expect(try await bench.ask("POST", "/admin/v1/operator-tokens", #"{"name":"x"}"#).status == 404)
        let list = try await ControlBench.send(TransportRequest("GET", "/admin/v1/operator-tokens"), to: bench.owned)
        #expect((list.json["items"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == ["new", "t"])
    }

    @Test("The description names every route, its token and its answers")
    func description() async throws {
        let bench = try await ControlBench()
        let document = OpenAPIDocument(
            title: "T", version: "1", schemas: [APIError.schemaName: APIError.schema], routes: bench.routes.guarded)
        #expect(document.problems == [])
        for route in bench.routes.guarded {
            let documentation = try #require(route.documentation)
            #expect(documentation.bearer == "operatorToken")
            #expect(documentation.responses.contains { $0.status == .unauthorized })
        }
        let text = document.json.text
        #expect(text.contains(#""securitySchemes":{"operatorToken":{"type":"http","scheme":"bearer"}}"#))
        #expect(text.contains(#""security":[{"operatorToken":[]}]"#))
    }
}

import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreTestSupport
import StoreWeb
import Synchronization
import TestSupport
import Testing

@testable import StoreServer

@Suite("What a listener answers is what it describes (X13)", .bounded)
struct ListenerRoutesTests {
    /// Routes without a description, and why.
    private static let undescribed = [
        // OpenAPI has no word for any method. Every one but POST is told that it has to be POST, and what servers ask that
        // there is not, in the words of their interface.
        "(any) /verifyReceipt", "(any) /inApps/v1/messaging/{path…}", "(any) /advancedCommerce/v1/{path…}",
        "(any) /inApps/{path…}",
        // Files for programs of partners, laid out as theirs are; Documentation/PartnerFeed.md has them.
        "GET /feed/epf/v5", "GET /feed/epf/v5/{path…}", "GET /feeds/epf/v5", "GET /feeds/epf/v5/{path…}",
        // A page for people.
        "GET /errors",
    ]

    private func name(_ route: Route) -> String { "\(route.method.rawValue) \(route.pattern.text)" }

    @Test("The description of the whole listener has no problems", arguments: StoreEnvironment.allCases)
    func problems(environment: StoreEnvironment) async throws {
        let bench = try await ListenerBench(environment)
        #expect(bench.listener.document.problems == [])
        #expect(bench.routes.problems == [])
    }

    @Test("Every route is described, but for those with a reason", arguments: StoreEnvironment.allCases)
    func everyRoute(environment: StoreEnvironment) async throws {
        let bench = try await ListenerBench(environment)
        let routes = bench.listener.routes
        let storefront = Set(bench.storefront.map(name))
        // Pages are for people.
        let isPage = { (route: Route) in
            ["/pay/", "/approve/", "/assets/", "/code", "/recovery/", "/redeem"].contains {
                route.pattern.text.hasPrefix($0)
            } || storefront.contains(name(route))
        }
        #expect(routes.filter { $0.documentation == nil && !isPage($0) }.map(name) == Self.undescribed)
        #expect(routes.count > 60)
        for topic in ["/device/v1/", "/control/v1/", "/verifyReceipt", "/healthz", "/openapi.json"] {
            #expect(routes.contains { $0.pattern.text.hasPrefix(topic) && $0.documentation != nil }, "\(topic)")
        }
    }

    @Test("Who is asked for a token is told by the path")
    func tokens() async throws {
        let bearers: [(String, String?)] = [
            ("/device/v1/", "deviceToken"), ("/control/v1/", "operatorToken"), ("/inApps/", "serverToken"),
        ]
        for route in try await ListenerBench().listener.routes {
            let expected = bearers.first { route.pattern.text.hasPrefix($0.0) }?.1
            guard let documentation = route.documentation, documentation.id != "registerDevice" else { continue }
            #expect(documentation.bearer == expected, "\(name(route))")
        }
    }

    @Test("X6: Nothing secret of a path is logged, however it is written")
    func secretPaths() async throws {
        let bench = try await ListenerBench()
        let secret = "s3cret-value"
        let patterns = Set((bench.listener.routes + bench.console.routes).map(\.pattern.text)).filter {
            $0.contains("{token}") || $0.contains("{link}") || $0.contains("{contentToken}")
        }
        #expect(patterns.count > 10)
        for pattern in patterns {
            for path in [pattern, pattern.uppercased(), pattern + "/", pattern + "/more", "/till" + pattern] {
                let filled = path.replacing(/\{[^}]*\}/, with: secret)
                _ = try await bench.browse(filled)
            }
        }
        let paths = bench.log.entries.withLock { $0 }.filter { $0.event == "request" }
        #expect(paths.count == patterns.count * 5)
        for entry in paths { #expect(!"\(entry)".contains(secret), "\(entry)") }
    }

    @Test("The listener hands out its description", arguments: StoreEnvironment.allCases)
    func served(environment: StoreEnvironment) async throws {
        let bench = try await ListenerBench(environment)
        let answer = try await bench.ask("GET", "/openapi.json")
        #expect(answer.status == 200 && answer.fields["Content-Type"] == "application/json")
        #expect(Array(answer.text.utf8) == bench.listener.document.bytes)
        let paths = try #require(answer.json["paths"] as? [String: [String: Any]])
        #expect(paths["/verifyReceipt"]?.keys.sorted() == ["post"])
        #expect(paths["/openapi.json"]?.keys.sorted() == ["get"])
    }

    @Test("A browser is shown a page wherever there is nothing or something is wrong, a program is told so in JSON")
    func browsers() async throws {
        let browser = ["Accept": "text/html,application/xhtml+xml,*/*;q=0.8"]
        for environment in StoreEnvironment.allCases {
            let bench = try await ListenerBench(environment)
            for (path, status) in [("/", 200), ("/nowhere", 404)] {
                let page = try await bench.browse(path, nil, browser)
                #expect(page.status == status && page.fields["Content-Type"]?.hasPrefix("text/html") == true, "\(path)")
                #expect(page.text.contains("till console --data ./bench"), "\(path)")
                #expect(page.text.contains("Sandbox: nothing is charged") == (environment == .sandbox), "\(path)")
                #expect(page.text.contains("/console\"") && page.fields["Vary"]?.contains("Accept") == true, "\(path)")
                #expect(page.fields["Content-Security-Policy"]?.hasPrefix("default-src 'self'") == true, "\(path)")
                let answer = try await bench.ask("GET", path)
                #expect(answer.code == "path_unknown", "\(path): \(answer.text)")
            }
            // What is sent is a program's.
            let sent = try await bench.browse("/nowhere", ["a": "b"], browser)
            #expect(sent.status == 404 && sent.text.hasPrefix("{"), "\(sent.text)")
        }
    }

    @Test("Every message is described: none is left as any value")
    func messages() async throws {
        let text = String(decoding: try await ListenerBench().listener.document.bytes, as: UTF8.self)
        #expect(!text.contains(#""schema":{}"#) && !text.contains(#""items":{}"#))
    }

    @Test("The owner's own way has the routes of the listener and no description of its own")
    func owned() async throws {
        let bench = try await ControlBench()
        let owned = bench.routes.owned.map { "\($0.method.rawValue) \($0.pattern.text)" }
        #expect(owned == bench.routes.guarded.map { "\($0.method.rawValue) /sandbox\($0.pattern.text)" })
    }
}

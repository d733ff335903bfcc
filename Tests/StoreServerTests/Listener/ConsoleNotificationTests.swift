import StoreCatalogue
import StoreHTTP
import TestSupport
import Testing

@testable import StoreServer

@Suite("Notifications and keys of servers in the console", .bounded)
struct ConsoleNotificationTests {
    private static let app = "/apps/\(ListenerBench.bundle)"

    /// A notification that the server of the app is to be sent.
    private static func told(_ bench: ListenerBench) async throws -> String {
        let set = try await bench.control(
            "PUT", app + "/notification-settings", ["url": "https://api.example.com/till"])
        #expect(set.status == 200, "\(set.text)")
        let asked = try await bench.control("POST", app + "/notifications/test")
        return try #require(asked.json["notificationUUID"] as? String, "\(asked.text)")
    }

    @Test("X6: The search finds a notification and a key by their ids, for those who may see them")
    func search() async throws {
        let bench = try await ListenerBench()
        let (id, key) = (try await Self.told(bench), try await ServerAPIBench(bench).keyID)
        let owner = try await ConsoleVisitor.owner(bench)
        let found = try await owner.get("/search?q=\(id)")
        #expect(found.fields["Location"] == "/console/sandbox\(Self.app)/notifications/\(id)", "\(found.text)")
        #expect(try await owner.get("/search?q=\(key)").fields["Location"] == "/console/sandbox/api-keys")
        let support = try await ConsoleVisitor.visitor(bench, .support)
        for name in [id, key] { #expect(try await support.get("/search?q=\(name)").status == 404) }
    }

    @Test("X7: The list says when and about what in every window, and breaks types between their words")
    func narrowList() async throws {
        let bench = try await ListenerBench()
        _ = try await Self.told(bench)
        let transaction = try await ConsoleVisitor.sold(bench)
        let page = try await ConsoleVisitor.owner(bench).get(Self.app + "/notifications").text
        #expect(!page.contains(#"class="opt""#))
        #expect(page.contains("ONE_<wbr>TIME_<wbr>CHARGE") && page.contains("/transactions/\(transaction)\">"))
        #expect(page.contains("about the app"))
    }

    @Test("X6: The list of requests says what servers want by the App Store Server API")
    func serverRequests() async throws {
        let server = try await ServerAPIBench(ListenerBench())
        let owner = try await ConsoleVisitor.owner(server.bench)
        let requests = [
            ("GET", "/v1/subscriptions/1", "A server asks for what was sold"),
            ("PUT", "/v1/subscriptions/extend/1", "A server extends subscriptions"),
            ("GET", "/v1/subscriptions/extend/mass/a/b", "A server asks how far an extension is"),
            ("PUT", "/v2/transactions/consumption/1", "A server says what was used up"),
            ("PUT", "/v1/transactions/1/appAccountToken", "A server says whose a purchase is"),
            ("POST", "/v1/transactions/1/finish", "A server finishes"),
            ("POST", "/v1/notifications/history", "A server asks what it was told"),
            ("POST", "/v1/notifications/test", "A server tests its notifications"),
        ]
        for (method, path, sentence) in requests {
            #expect(try await !owner.get("/requests").text.contains(sentence), "\(path)")
            let body: [String: Any]? = method == "GET" ? nil : [:]
            _ = try await server.bench.ask(method, "/inApps" + path, body, token: server.token())
            #expect(try await owner.get("/requests").text.contains(sentence), "\(path)")
        }
    }

    @Test("X6: A narrow window has all of a key but its issuer, and its revocation says which key it is")
    func narrowKeys() async throws {
        let bench = try await ListenerBench()
        let server = try await ServerAPIBench(bench)
        let page = try await ConsoleVisitor.owner(bench).get("/api-keys").text
        #expect(page.contains(server.issuer))
        let narrow = page.replacing(/<td class="opt">.*?<\/td>/, with: "")
        #expect(!narrow.contains(server.issuer))
        for words in ["<p>backend</p>", "opens sandbox", "never used", "Servers that use \(server.keyID)"] {
            #expect(narrow.contains(words), "\(words)")
        }
    }
}

import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import TestSupport
import Testing

@testable import StoreServer

/// R1.12, P31: the search of the console and of the control interface.
@Suite("The search finds anything by the beginning of a word", .bounded)
struct ConsoleSearchTests {
    private static let jungle = "\(ListenerBench.bundle).jungle"

    /// The ids of what the control interface finds, by kind.
    private static func found(_ text: String, _ bench: ListenerBench) async throws -> [String: [String]] {
        let encoded = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let answer = try await bench.control("GET", "/find?q=\(encoded)")
        #expect(answer.status == 200, "\(answer.text)")
        let groups = try #require(answer.json["groups"] as? [[String: Any]])
        var found: [String: [String]] = [:]
        for group in groups {
            let things = group["found"] as? [[String: Any]] ?? []
            found[group["kind"] as? String ?? ""] = things.compactMap { $0["id"] as? String }
        }
        return found
    }

    private static func customer(_ bench: ListenerBench, _ email: String, _ first: String, _ last: String) async throws
        -> String
    {
        let made = try await bench.control(
            "POST", "/customers",
            ["email": email, "password": ListenerBench.password, "firstName": first, "lastName": last])
        return try #require(made.json["customerId"] as? String, "\(made.text)")
    }

    @Test("People by name and address, what they bought and their devices by number, and nobody who is gone")
    func people() async throws {
        let bench = try await ListenerBench()
        let sold = try await ConsoleVisitor.sold(bench, Self.jungle)
        let zoe = try await Self.customer(
            bench, "zoe.brontë-smith@example.org".replacing("ë", with: "e"), "Zoë", "Brontë")
        for text in ["zo", "ZOË", "bront", "smith", "zoe.bro", "example zoe"] {
            #expect(try await Self.found(text, bench)["customer"] == [zoe], "\(text)")
        }
        #expect(try await Self.found("rontë", bench)["customer"] == nil)
        #expect(try await Self.found(String(sold.prefix(10)), bench)["transaction"]?.contains(sold) == true)
        #expect(try await Self.found(sold, bench)["transaction"] == [sold])
        let report = try await bench.control("GET", "/transactions/\(sold)")
        let order = try #require(report.text.firstMatch(of: /"orderId"\s*:\s*"([A-Z0-9]+)"/).map { String($0.1) })
        let whole = try #require(try await Self.found(order, bench)["purchase"])
        #expect(try await Self.found(String(order.prefix(4)).lowercased(), bench)["purchase"] == whole)
        var device = try BenchDevice(bench)
        try await device.register()
        let devices = try await bench.control("GET", "/devices").json["items"] as? [[String: Any]]
        let number = try #require(devices?.first?["deviceId"]).self
        #expect(try await Self.found("\(number)", bench)["device"]?.contains("\(number)") == true)
        #expect(try await bench.control("DELETE", "/customers/\(zoe)").status < 300)
        #expect(try await Self.found("zoe", bench)["customer"] == nil)
    }

    @Test("One hit leads there at once; several are listed by kind, with what distinguishes them")
    func pages() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let ada = try await Self.customer(bench, "ada@example.com", "Ada", "Monkey")
        let only = try await owner.get("/search?q=AD")
        #expect(only.fields["Location"] == "/console/sandbox/customers/\(ada)", "\(only.text)")
        let whole = try await owner.get("/search?q=\(ListenerBench.bundle)")
        #expect(whole.fields["Location"] == "/console/sandbox/apps/\(ListenerBench.bundle)")
        let page = try await owner.get("/search?q=monkey")
        #expect(page.status == 200)
        for heading in ["Testers", "Apps", "Products"] { #expect(page.text.contains(">\(heading)</h2>"), "\(heading)") }
        #expect(page.text.contains(#"<a href="/console/sandbox/customers/\#(ada)">Ada Monkey</a>"#))
        #expect(page.text.contains("till find monkey --data ./bench") && page.text.contains("/find?q=monkey"))
        let nothing = try await owner.get("/search?q=nothing.of.this.name")
        #expect(nothing.status == 404 && nothing.text.contains("has words that begin like “nothing.of.this.name”"))
    }

    @Test("R1.9: Who may not see customers finds none, and a team nothing of others")
    func rights() async throws {
        let bench = try await ListenerBench()
        let sold = try await ConsoleVisitor.sold(bench)
        let developer = try await ConsoleVisitor.visitor(bench, .developer, member: true)
        for text in ["ada", sold] { #expect(try await developer.get("/search?q=\(text)").status == 404, "\(text)") }
        let other = try await bench.control("POST", "/teams", ["teamId": "others", "name": "Others"])
        #expect([200, 201].contains(other.status), "\(other.text)")
        let app = ["bundleId": "com.others.app", "name": "Foreign", "teamId": "others"]
        #expect(try await bench.control("POST", "/apps", app).status == 201)
        #expect(try await developer.get("/search?q=foreign").status == 404)
        #expect(try await developer.get("/search?q=others").status == 404)
        #expect(try await Self.found("foreign", bench)["app"] == ["com.others.app"])
        // The sandbox knows nothing of customers of production, nor production of testers.
        #expect(try await developer.get("/search?q=jungle").status == 303)
    }

    @Test("It makes as many statements whatever there is")
    func statements() async throws {
        let statements = Observed(0)
        let count: (any Database) -> any Database = { CountingDatabase($0, statements) }
        let bench = try await ListenerBench(wrapping: count, wrappingCatalogue: count)
        let owner = try await ConsoleVisitor.owner(bench)
        var counts: [Int] = []
        for range in [0..<2, 2..<40] {
            for number in range {
                _ = try await Self.customer(bench, "word\(number)@example.com", "Word", "Number \(number)")
                let app = ["bundleId": "com.word.app\(number)", "name": "Word \(number)"]
                #expect(try await bench.control("POST", "/apps", app).status == 201)
            }
            let before = statements.value
            #expect(try await owner.get("/search?q=word").status == 200)
            counts.append(statements.value - before)
        }
        #expect(counts[0] == counts[1], "\(counts)")
    }

    @Test("What is too long to be a name is refused by its field, and nothing is found by nothing")
    func limits() async throws {
        let bench = try await ListenerBench()
        let long = try await bench.control("GET", "/find?q=" + String(repeating: "a", count: 201))
        #expect(long.status == 400 && long.text.contains(#""q""#), "\(long.text)")
        for text in ["", "%20", "%25", "..."] {
            let answer = try await bench.control("GET", "/find?q=\(text)")
            #expect(answer.status == 200 && (answer.json["groups"] as? [Any])?.isEmpty == true, "\(answer.text)")
        }
    }

    @Test("Every line of the menu has a letter of its own, which the page of keys lists")
    func keys() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let page = try await owner.get("/keyboard").text
        let menu = try #require(page.firstMatch(of: /<nav class="side".*?<\/nav>/).map { String($0.0) })
        let letters = menu.matches(of: /data-go="(.)"/).map { String($0.1) }
        #expect(letters.count == Set(letters).count && letters.count > 15, "\(letters)")
        let links = menu.matches(of: /<a href="([^"]*)"/).map { String($0.1) }
        let apps = links.filter { $0.contains("/apps/") }
        #expect(letters.count == links.count - apps.count, "a line of the menu has no key: ConsoleKeys.letters")
        for letter in letters { #expect(page.contains("<kbd>g</kbd> <kbd>\(letter)</kbd>"), "\(letter)") }
    }
}

import Foundation
import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreWeb
import TestSupport
import Testing

@testable import StoreServer

@Suite("The audit as a page, a file and an answer, filtered", .bounded)
struct ConsoleAuditTests {
    private static let product = "/apps/\(ListenerBench.bundle)/products/\(ListenerBench.bundle).credits5"

    @Test("The page shows what differs, before and after, and filters in its address narrow page and files alike")
    func page() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        #expect(try await bench.control("PUT", Self.product + "/prices/DEU", ["amount": "1.29"]).status == 200)
        #expect(try await bench.control("POST", "/teams", ["teamId": "zoo", "name": "Zoo"]).status == 201)
        let all = try await owner.get("/audit").text
        #expect(all.contains("price in Germany") && all.contains("enrolled"))
        #expect(all.contains("<ins>1.29 EUR</ins>") && !all.contains("prices.DEU") && !all.contains("in DEU"), "\(all)")
        let filter = "app=\(ListenerBench.bundle)&kind=prices"
        let prices = try await owner.get("/audit?\(filter)").text
        #expect(prices.contains("price in Germany") && !prices.contains("enrolled"))
        let file = try await owner.get("/audit.csv?\(filter)").text
        #expect(
            file.contains("\"price in DEU, drafted\",prices.DEU,,1.29 EUR,") && !file.contains("enrolled"), "\(file)")
        let json = try await owner.get("/audit.json?\(filter)").text
        #expect(json.contains("prices.DEU") && !json.contains("enrolled"))
        let answer = try await bench.control("GET", "/audit?bundleId=\(ListenerBench.bundle)&kind=prices&format=csv")
        #expect(answer.text.contains("price in DEU") && !answer.text.contains("enrolled"), "\(answer.text)")
    }

    @Test("By whom, of which product, from and until narrow it too; what cannot be meant is told and shows nothing")
    func filters() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        #expect(try await bench.control("PUT", Self.product + "/prices/DEU", ["amount": "1.29"]).status == 200)
        let entries = try await bench.control("GET", "/audit?actor=nobody%40example.com").json["items"] as? [Any]
        #expect(entries?.isEmpty == true)
        let day = String(bench.time.current.rfc3339.prefix(10))
        let query = "app=\(ListenerBench.bundle)&product=\(ListenerBench.bundle).credits5&from=\(day)&until=\(day)"
        #expect(try await owner.get("/audit?\(query)").text.contains("price in Germany"))
        #expect(!(try await owner.get("/audit?until=2001-01-01").text.contains("price in Germany")))
        for (wrong, sentence) in [
            ("from=yesterday", "it is a day"), ("kind=nothing", "no such kind"), ("app=com.example.none", "no app"),
            ("product=\(ListenerBench.bundle).credits5", "a product is one of an app"),
        ] {
            let answer = try await owner.get("/audit?\(wrong)")
            #expect(answer.status == 200 && answer.text.lowercased().contains(sentence), "\(wrong): \(answer.text)")
            #expect(answer.text.contains(#"role="alert""#) && !answer.text.contains("price in Germany"))
        }
        #expect(try await bench.control("GET", "/audit?kind=nothing").status == 400)
        #expect(try await bench.control("GET", "/audit?bundleId=com.example.none").status == 404)
    }

    @Test("A member sees the changes of its own team only")
    func teams() async throws {
        let bench = try await ListenerBench()
        #expect(try await bench.control("POST", "/teams", ["teamId": "zoo", "name": "Zoo"]).status == 201)
        let member = try await ConsoleVisitor.visitor(bench, .owner, member: true)
        for path in ["/audit", "/audit.csv", "/audit.json"] {
            let answer = try await member.get(path)
            #expect(answer.status == 200 && !answer.text.contains("zoo"), "\(path): \(answer.text)")
        }
    }
}

import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import TestSupport
import Testing

@testable import StoreServer

@Suite("Filters and exports of lists", .bounded)
struct ConsoleExportTests {
    private static let credits = "\(ListenerBench.bundle).credits5"

    private static func items(_ text: String) throws -> [Any]? {
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return json?["items"] as? [Any]
    }

    @Test("Every list is exported as it is narrowed, as a table and as JSON, whether it has rows or not")
    func lists() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let lists = [
            "/transactions", "/purchases", "/subscriptions", "/refunds", "/customers", "/devices", "/apps", "/items",
            "/requests", "/tokens", "/partners", "/ledger", "/ledger/postings", "/finance", "/review",
            "/apps/\(ListenerBench.bundle)/notifications",
        ]
        for isEmpty in [true, false] {
            if !isEmpty { _ = try await ConsoleVisitor.sold(bench) }
            for path in lists {
                let mark = path.contains("?") ? "&" : "?"
                let page = try await owner.get(path)
                #expect(page.status == 200 && page.text.contains("format=csv"), "\(path)")
                let csv = try await owner.get(path + mark + "format=csv")
                #expect(csv.status == 200 && csv.text.hasSuffix("\r\n"), "\(path): \(csv.text)")
                #expect(csv.fields["Content-Type"]?.hasPrefix("text/csv") == true, "\(path)")
                let json = try await owner.get(path + mark + "format=json")
                let items = try Self.items(json.text)
                #expect(json.status == 200 && items != nil, "\(path): \(json.text)")
                let lines = csv.text.components(separatedBy: "\r\n").count - 2
                #expect(lines == items?.count, "\(path)")
            }
        }
        #expect(try await owner.get("/transactions?format=pdf").status == 400)
        #expect(try await owner.get("/inspect?format=csv").status == 400)
    }

    @Test("Days and amounts narrow a list, stay in its links, and are exported")
    func narrowed() async throws {
        let bench = try await ListenerBench()
        let transaction = try await ConsoleVisitor.sold(bench)
        let owner = try await ConsoleVisitor.owner(bench)
        let today = ReportDay(bench.time.current)
        let day = "from=\(today)&until=\(today)"
        let other = "from=\(today.next)&until=\(today.next)"
        let found = try await owner.get("/transactions?\(day)").text
        #expect(found.contains("/transactions/\(transaction)") && found.contains("\(today.weekday) \(today)"))
        #expect(
            found.contains(#"value="\#(today)""#) && found.contains("from=\(today)&amp;until=\(today)&amp;format=csv"))
        #expect(try await !owner.get("/transactions?\(other)").text.contains("/transactions/\(transaction)"))
        for (amounts, isThere) in [
            ("amountFrom=0.99&currency=USD", true), ("amountFrom=1&currency=USD", false),
            ("amountTo=0.98&currency=USD", false), ("currency=EUR", false), ("amountTo=5&currency=USD", true),
        ] {
            let page = try await owner.get("/transactions?\(amounts)").text
            #expect(page.contains("/transactions/\(transaction)") == isThere, "\(amounts)")
        }
        let csv = try await owner.get("/transactions?\(day)&format=csv").text
        #expect(csv.contains("0.99 USD") && csv.contains(today.description + "T"), "\(csv)")
        #expect(
            try await owner.get("/transactions?\(other)&format=csv").text.components(separatedBy: "\r\n").count == 2)
        // An order and a page keep what narrows the list.
        #expect(found.contains("from=\(today)&amp;until=\(today)&amp;sort=when&amp;order=asc"))
    }

    @Test("What cannot be read stands in its field with the reason beside it, and nothing is listed")
    func unreadable() async throws {
        let bench = try await ListenerBench()
        let transaction = try await ConsoleVisitor.sold(bench)
        let owner = try await ConsoleVisitor.owner(bench)
        for (query, field, reason) in [
            ("from=yesterday", "from", "A day is written like 2026-11-25"),
            ("from=2026-11-25&until=2026-11-24", "until", "ends before it begins"),
            ("amountFrom=1", "amountFrom", "needs its currency"),
            ("amountFrom=1&currency=XXL", "currency", "There is no currency of this code"),
        ] {
            let answer = try await owner.get("/transactions?\(query)")
            let page = answer.text
            #expect(answer.status == 400 && page.contains(reason) && page.contains("list-\(field)-wrong"), "\(query)")
            #expect(!page.contains("/transactions/\(transaction)"), "\(query)")
        }
    }

    @Test("A long list is exported a thousand rows at a time, and says where it goes on")
    func long() async throws {
        let bench = try await ListenerBench()
        let storefront = try #require(StorefrontRecord.storefront(alpha3: "USA"))
        try await bench.databases.sandbox.write { transaction in
            for number in 0..<1001 {
                _ = try Customers.create(
                    NewCustomer(
                        email: EmailAddress("c\(number)@example.com"), firstName: "=1+1", lastName: "",
                        storefront: storefront),
                    as: CustomerID(number: Int64(10_000 + number)), of: .tester, at: BenchTime.start, in: transaction)
            }
        }
        let owner = try await ConsoleVisitor.owner(bench)
        let first = try await owner.get("/customers?format=csv")
        #expect(first.text.components(separatedBy: "\r\n").count == 1002)
        // What a customer has written is no formula of a spreadsheet.
        #expect(first.text.contains("'=1+1") && !first.text.contains(",=1+1"))
        let link = try #require(first.fields["Link"]?.firstMatch(of: /<\/console\/sandbox([^>]*)>; rel="next"/)).1
        let rest = try await owner.get(String(link))
        #expect(rest.text.components(separatedBy: "\r\n").count == 3 && rest.fields["Link"] == nil, "\(rest.text)")
    }

    @Test("Every list of the control interface is a table too, with dates that people read")
    func control() async throws {
        let bench = try await ListenerBench()
        let transaction = try await ConsoleVisitor.sold(bench)
        let csv = try await bench.control("GET", "/transactions?format=csv")
        #expect(csv.fields["Content-Type"]?.hasPrefix("text/csv") == true)
        let lines = csv.text.components(separatedBy: "\r\n")
        #expect(lines[0].hasPrefix("transactionId,") && lines[0].contains("price.amount,price.currency"), "\(lines[0])")
        #expect(lines[1].hasPrefix(transaction) && lines[1].contains("0.99,USD"))
        #expect(lines[1].contains(ReportDay(bench.time.current).description + "T"))
        for path in ["/customers", "/devices", "/purchases", "/subscriptions", "/apps", "/ledger/entries", "/finance"] {
            let answer = try await bench.control("GET", path + "?format=csv")
            #expect(answer.status == 200 && answer.text.hasSuffix("\r\n"), "\(path)")
        }
        _ = try await ConsoleVisitor.sold(bench)
        let cut = try await bench.control("GET", "/transactions?limit=1&format=csv")
        let next = try #require(cut.fields["Link"]?.firstMatch(of: /<[^>]*(\/transactions[^>]*)>; rel="next"/)).1
        #expect(next.contains("limit=1") && next.contains("format=csv") && next.contains("after="))
        #expect(try await bench.control("GET", "/transactions?format=xml").status == 400)
    }
}

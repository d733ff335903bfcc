import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import TestSupport
import Testing

@testable import StoreServer

@Suite("The lists of the console", .bounded)
struct ConsoleListTests {
    private static let credits = "\(ListenerBench.bundle).credits5"

    /// The parts of a page that a pattern finds, in their order.
    private static func found(_ pattern: some RegexComponent, _ text: String) -> [String] {
        text.matches(of: pattern).map { String(text[$0.range]) }
    }

    private static func addCustomers(_ count: Int, _ bench: ListenerBench) async throws {
        let storefront = try StorefrontCode(rawValue: "USA").known()
        try await bench.databases.sandbox.write { transaction in
            for number in 0..<count {
                // In another order than that of their addresses.
                let email = "c\(String(format: "%02d", number * 37 % count))@example.com"
                _ = try Customers.create(
                    NewCustomer(email: EmailAddress(email), firstName: "Ada", lastName: "", storefront: storefront),
                    as: CustomerID(number: Int64(1000 + number)), of: .tester, at: BenchTime.start, in: transaction)
            }
        }
    }

    @Test("A heading leads to its order and then to the other way, and every page of it follows the one before")
    func pages() async throws {
        let bench = try await ListenerBench()
        try await Self.addCustomers(61, bench)
        let owner = try await ConsoleVisitor.owner(bench)
        let first = try await owner.get("/customers?q=example").text
        #expect(first.contains(#"<th scope="col" class="opt" aria-sort="descending">"#))
        let sort = try #require(first.firstMatch(of: /href="([^"]*sort=email[^"]*)"/)).1
        #expect(sort.contains("order=asc") && sort.contains("q=example"))
        for (order, isDescending) in [("asc", false), ("desc", true)] {
            var emails: [String] = []
            var next: String? = "/customers?q=example&sort=email&order=\(order)"
            while let path = next, emails.count < 100 {
                let page = try await owner.get(path).text
                emails += Self.found(/c[0-9]{2}@example\.com/, page)
                #expect(page.contains(#"aria-sort="\#(isDescending ? "descending" : "ascending")""#))
                // What is looked for next keeps the order.
                #expect(page.contains(#"<input type="hidden" name="sort" value="email">"#))
                next = page.firstMatch(of: /href="\/console\/sandbox([^"]*)" rel="next"/).map {
                    String($0.1).replacing("&amp;", with: "&")
                }
            }
            let all = (0..<61).map { "c\(String(format: "%02d", $0))@example.com" }
            #expect(emails == (isDescending ? all.reversed() : all))
        }
        // A column that there is not counts as nothing.
        #expect(try await owner.get("/customers?q=example&sort=password&order=asc").text == first)
    }

    @Test("Every list says how it is sorted, and its headings lead to pages")
    func headings() async throws {
        let bench = try await ListenerBench()
        let transaction = try await ConsoleVisitor.sold(bench)
        var device = try BenchDevice(bench)
        try await device.register()
        _ = try await device.ask("POST", "/products", ["productIds": [Self.credits]])
        let asked = try await device.ask("POST", "/purchases", ["productId": Self.credits], key: UUID().uuidString)
        #expect(asked.json["confirmation"] != nil, "\(asked.text)")
        let owner = try await ConsoleVisitor.owner(bench)
        let lists = [
            "/transactions": 1, "/purchases": 1, "/customers": 2, "/devices": 2, "/apps": 4,
            "/apps/\(ListenerBench.bundle)": 4, "/requests": 3, "/tokens": 5,
        ]
        for (path, count) in lists {
            let page = try await owner.get(path).text
            let links = page.matches(of: /<a class="sort" href="\/console\/sandbox([^"]*)"/).map {
                String($0.1).replacing("&amp;", with: "&")
            }
            #expect(links.count == count, "\(path): \(links)")
            for link in links {
                let sorted = try await owner.get(link)
                #expect(sorted.status == 200 && Self.found(/aria-sort=/, sorted.text).count == 1, "\(link)")
            }
        }
        #expect(try await owner.get("/transactions?sort=when&order=asc").text.contains("/transactions/\(transaction)"))
    }

    @Test("Products are sorted by what they cost and by whether they are sold, and looked for by a part of the name")
    func products() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let path = "/apps/\(ListenerBench.bundle)"
        func prices(_ query: String) async throws -> [Double] {
            let page = try await owner.get(path + query).text
            return page.matches(of: /<td class="num">\$([0-9.]+)<\/td>/).compactMap { Double($0.1) }
        }
        let rising = try await prices("?sort=price&order=asc")
        #expect(rising.count > 3 && rising == rising.sorted() && Set(rising).count > 2)
        #expect(try await prices("?sort=price&order=desc") == rising.reversed())
        _ = try await owner.send(path + "/products/\(ListenerBench.bundle).jungle/withdrawal")
        let first = try await owner.get(path + "?sort=state&order=asc").text.firstMatch(of: /products\/([^"]*)"/)
        #expect(first?.1 == "\(ListenerBench.bundle).jungle")
        let found = try await owner.get(path + "?q=JUNG").text
        #expect(Set(found.matches(of: /products\/([^"]*)"/).map(\.1)) == ["\(ListenerBench.bundle).jungle"])
    }

    @Test("What is not found in so many purchases is looked for in the next ones, until there are none")
    func windows() async throws {
        let bench = try await ListenerBench()
        _ = try await ConsoleVisitor.sold(bench, "\(ListenerBench.bundle).jungle")
        for _ in 0..<6 {
            let sold = try await bench.control(
                "POST", "/purchases",
                ["customer": "ada@example.com", "bundleId": ListenerBench.bundle, "productId": Self.credits])
            #expect(sold.json["transactionId"] != nil, "\(sold.text)")
        }
        for isOldestFirst in [false, true] {
            var search = SaleSearch(name: "\(ListenerBench.bundle).jungle", isOldestFirst: isOldestFirst, limit: 5)
            search.window = 3
            var (looked, found) = (0, 0)
            repeat {
                let current = search
                let page = try await bench.databases.sandbox.read { try current.run(in: $0) }
                (looked, found) = (looked + 1, found + page.found.count)
                #expect(page.isCut == (page.next != nil))
                search.after = page.next
            } while search.after != nil && looked < 10
            #expect(looked == 3 && found == 1, "\(isOldestFirst)")
        }
        // The largest number there can be is none that breaks a page.
        let owner = try await ConsoleVisitor.owner(bench)
        for order in ["asc", "desc"] {
            for after in ["0", "1", "9223372036854775807"] {
                let path = "/transactions?standing=bought&sort=when&order=\(order)&after=\(after)"
                #expect(try await owner.get(path).status == 200, "\(path)")
            }
        }
    }
}

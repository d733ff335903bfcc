import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import TestSupport
import Testing

@testable import StoreServer

@Suite("Money in the console", .bounded)
struct ConsoleMoneyTests {
    /// A store that has sold twice and given a part back; gives the first transaction.
    private static func sold(_ bench: ListenerBench) async throws -> String {
        let first = try await ConsoleVisitor.sold(bench)
        _ = try await ConsoleVisitor.sold(bench, "\(ListenerBench.bundle).jungle")
        let back = try await bench.ask(
            "POST", "/sandbox/control/v1/transactions/\(first)/refund", ["amount": "0.50"], key: UUID().uuidString)
        #expect(back.status == 200, "\(back.text)")
        return first
    }

    @Test("X10: The ledger says what each account comes to, that all sum to nothing, and checks the books")
    func ledger() async throws {
        let bench = try await ListenerBench()
        let transaction = try await Self.sold(bench)
        let owner = try await ConsoleVisitor.owner(bench)
        let page = try await owner.get("/ledger").text
        #expect(page.contains("The accounts sum to nothing, as they must.") && page.contains("sums to nothing"))
        for account in ["processor", "commission", "proceeds/"] { #expect(page.contains(account), "\(account)") }
        let lines = try await owner.get("/ledger/postings?account=processor").text
        #expect(lines.contains("-0.50") && lines.contains("/transactions/\(transaction)"))
        #expect(lines.contains("till ledger postings --account processor"))
        let refunds = try await owner.get("/ledger/postings?account=processor&kind=refund").text
        #expect(refunds.contains("-0.50") && !refunds.contains(">0.99<"))
        let checked = try await owner.send("/ledger/check")
        #expect(checked.status == 200 && checked.text.contains("The books are in order"), "\(checked.text)")
        // Somebody has touched the books.
        try await bench.databases.sandbox.write {
            _ = try $0.execute("UPDATE ledger_posting SET amount = amount + 1 WHERE account = 'commission'")
        }
        #expect(try await owner.get("/ledger").text.contains("do not sum to nothing"))
        #expect(try await owner.send("/ledger/check").text.contains("The books are not in order"))
    }

    @Test("X10: Finance shows what was taken and given back, by what one chooses, with the table behind the picture")
    func finance() async throws {
        let bench = try await ListenerBench()
        _ = try await Self.sold(bench)
        let owner = try await ConsoleVisitor.owner(bench)
        let page = try await owner.get("/finance").text
        #expect(page.contains("3.98 USD") && page.contains("0.50 USD"), "\(page)")
        #expect(page.contains("paid-fill") && page.contains("back-fill") && page.contains("The table behind it"))
        #expect(page.contains("till finance report --by app"))
        let products = try await owner.get("/finance?by=product").text
        #expect(products.contains("credits5") && products.contains("jungle"))
        for by in ["storefront", "day", "month"] {
            #expect(try await owner.get("/finance?by=\(by)").status == 200, "\(by)")
        }
        // A day long ago has nothing.
        #expect(try await owner.get("/finance?from=2001-01-01&until=2001-01-02").text.contains("Nothing was taken"))
        // The first page draws the same, in the days that the address names.
        let overview = try await owner.get("").text
        #expect(overview.contains("Money over time") && overview.contains("paid-fill"))
        #expect(try await !owner.get("?from=2001-01-01&until=2001-01-02").text.contains("paid-fill"))
    }

    @Test("X14: A team sees its own proceeds and statements and no other's")
    func teams() async throws {
        let bench = try await ListenerBench()
        _ = try await Self.sold(bench)
        let now = bench.time.current
        try await bench.databases.catalogue.write {
            _ = try Teams.add(
                TeamID(parsing: "others"), name: "Others", CatalogueChange(.owner, at: now, in: $0))
        }
        let member = try await ConsoleVisitor.visitor(bench, .finance, member: true)
        let month = ReportDay(bench.time.current).month
        let statement = try await member.get("/finance/statements/\(Teams.first)/\(month)").text
        #expect(statement.contains("equals what was booked on") && statement.contains("Nothing could be paid out"))
        #expect(!statement.contains("/ledger/postings"))
        let owner = try await ConsoleVisitor.owner(bench)
        let theirs = try await owner.get("/finance/statements/others/\(month)")
        #expect(theirs.status == 200 && theirs.text.contains("sold nothing"))
        #expect(try await member.get("/finance/statements/others/\(month)").status == 404)
        #expect(try await member.get("/finance?team=others").status == 404)
        #expect(try await member.get("/finance").text.contains("3.98 USD"))
        #expect(try await member.get("/ledger").status == 403)
        #expect(try await ConsoleVisitor.visitor(bench, .developer, member: true).get("/finance").status == 403)
        let control = try await bench.control("GET", "/teams/others/statements/\(month)")
        #expect(control.status == 200 && (control.json["items"] as? [Any])?.isEmpty == true)
    }

    @Test("The control interface answers the same reports, and refuses what it cannot read by its name")
    func control() async throws {
        let bench = try await ListenerBench()
        let transaction = try await Self.sold(bench)
        let report = try await bench.control("GET", "/finance?by=product")
        let totals = try #require(report.json["totals"] as? [[String: Any]]).first
        #expect(totals?["taken"] as? String == "3.98" && totals?["givenBack"] as? String == "0.50", "\(report.text)")
        #expect((report.json["items"] as? [Any])?.count == 2)
        let balances = try await bench.control("GET", "/ledger/balances")
        #expect(balances.json["isSettled"] as? Bool == true)
        let postings = try await bench.control("GET", "/ledger/postings?transaction=\(transaction)&kind=refund&limit=2")
        #expect((postings.json["items"] as? [Any])?.count == 2 && postings.json["next"] != nil, "\(postings.text)")
        for (path, parameter) in [
            ("/finance?by=planet", "by"), ("/finance?from=2026-02-30", "from"), ("/finance?team=A_B", "team"),
            ("/ledger/balances?until=tomorrow", "until"), ("/ledger/postings?amountFrom=1", "amountFrom"),
            ("/ledger/postings?kind=gift", "kind"), ("/ledger/postings?format=pdf", "format"),
            ("/ledger/postings?after=1", "after"),
        ] {
            let refused = try await bench.control("GET", path)
            let error = refused.json["error"] as? [String: Any]
            #expect(refused.status == 400 && error?["parameter"] as? String == parameter, "\(path): \(refused.text)")
        }
    }
}

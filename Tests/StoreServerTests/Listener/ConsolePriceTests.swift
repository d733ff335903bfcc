import Foundation
import StoreHTTP
import StoreModel
import StoreWeb
import TestSupport
import Testing

@testable import StoreServer

@Suite("R1.8: The page of all prices of a product", .bounded)
struct ConsolePriceTests {
    private static let product = "/apps/\(ListenerBench.bundle)/products/\(ListenerBench.bundle).credits5"
    private static let page = "\(product)/prices"

    /// What the control interface says of some storefronts.
    private static func rows(_ bench: ListenerBench) async throws -> [String: [String: Any]] {
        let answer = try await bench.control("GET", page)
        #expect(answer.status == 200, "\(answer.text)")
        let rows = try #require(answer.json["storefronts"] as? [[String: Any]])
        return try Dictionary(uniqueKeysWithValues: rows.map { (try #require($0["storefront"] as? String), $0) })
    }

    @Test("All storefronts are one form: an own price, one that is given back, and one that is not sold are one change")
    func bulk() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let form = try #require(
            ShownForm.all(in: try await owner.get(Self.page).text).first { $0.action.hasSuffix("/prices") })
        // Every storefront has its field: more of them than a usual form may send.
        #expect(form.fields.count > 350)
        #expect(
            try await owner.send(Self.page, ["DEU": "1.29", "JPN": "200", "AFG": "", "off-AFG": "1"]).status == 303)
        var rows = try await Self.rows(bench)
        #expect(rows["DEU"]?["own"] as? String == "1.29" && rows["JPN"]?["price"] as? String == "200")
        #expect(rows["AFG"]?["isWithdrawn"] as? Bool == true && rows["FRA"]?["own"] == nil)
        // The whole form as it stands, with one field emptied.
        let again = try #require(
            ShownForm.all(in: try await owner.get(Self.page).text).first { $0.action.hasSuffix("/prices") })
        var sent: [String: String] = [:]
        for field in again.fields where !field.isTick || field.isTicked { sent[field.name] = field.value }
        sent["JPN"] = ""
        #expect(try await owner.send(Self.page, sent).status == 303)
        rows = try await Self.rows(bench)
        #expect(rows["JPN"]?["own"] == nil && rows["DEU"]?["own"] as? String == "1.29")
        #expect(rows["AFG"]?["isWithdrawn"] as? Bool == true)
        let audit = try await bench.control("GET", "/audit?bundleId=\(ListenerBench.bundle)&kind=prices")
        let changes = try #require(audit.json["items"] as? [[String: Any]])
        #expect(
            changes.map { $0["action"] as? String } == [
                "prices in 1 storefront, drafted", "prices in 3 storefronts, drafted",
            ])
    }

    /// Fails if what a narrowed table does not show is taken for empty: it once withdrew 174 storefronts.
    @Test("A table that is narrowed changes what it shows only")
    func narrowed() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        #expect(try await owner.send(Self.page, ["FRA": "1.49", "AFG": "", "off-AFG": "1"]).status == 303)
        let before = try await Self.rows(bench)
        let shown = try await owner.get(Self.page + "?q=germ")
        let form = try #require(ShownForm.all(in: shown.text).first { $0.action.hasSuffix("/prices") })
        #expect(Set(form.fields.map(\.name)).isSuperset(of: ["DEU"]) && !form.fields.contains { $0.name == "FRA" })
        #expect(shown.text.contains("Only what is shown here is changed"))
        #expect(try await owner.send(Self.page, ["DEU": "1.19", "q": "germ"]).status == 303)
        let after = try await Self.rows(bench)
        #expect(after["DEU"]?["own"] as? String == "1.19")
        for (code, row) in after where code != "DEU" {
            #expect(NSDictionary(dictionary: row) == before[code].map(NSDictionary.init(dictionary:)))
        }
    }

    @Test("A price that cannot be read is told beside its field with what to write, and nothing is set")
    func refused() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let answer = try await owner.send(Self.page, ["DEU": "1.29", "TUR": "49,9x", "FRA": "1.999"])
        #expect(answer.status == 200 && answer.text.contains("write 49.9"), "\(answer.text)")
        #expect(answer.text.contains("href=\"#price-TUR\"") && answer.text.contains("href=\"#price-FRA\""))
        #expect(answer.text.contains(#"value="49,9x""#))
        #expect(try await Self.rows(bench)["DEU"]?["own"] == nil)
    }

    @Test("What a form would do is shown before, and is not done")
    func preview() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let answer = try await owner.send(Self.page, ["DEU": "1.29", "do": "preview"])
        #expect(answer.status == 200 && answer.text.contains("Keep 1 price as draft"), "\(answer.text)")
        #expect(answer.text.contains("Changes 1 storefront: Germany. Nothing is set yet."))
        #expect(answer.text.contains(#"value="1.29""#))
        #expect(try await Self.rows(bench)["DEU"]?["own"] == nil)
    }

    @Test("A price beforehand is set and taken back, and the page says who will pay it")
    func beforehand() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let club = "/apps/\(ListenerBench.bundle)/products/\(ListenerBench.bundle).club"
        _ = try await ConsoleVisitor.sold(bench, "\(ListenerBench.bundle).club")
        let form = ["amount": "99.99", "startsAt": "2099-12-01", "storefront": "", "laterCurrency": "USD"]
        #expect(try await owner.send(club + "/prices/schedule", form).status == 303)
        let page = try await owner.get(club + "/prices").text
        #expect(page.contains("From 2099-12-01") && page.contains("$99.99"))
        #expect(page.contains("who subscribe already") || page.contains("in a free trial"), "\(page)")
        let cancelled = try await owner.send(club + "/prices/cancellation", ["change": "2099-12-01T00:00:00Z "])
        #expect(cancelled.status == 303, "\(cancelled.text)")
        #expect(try await owner.get(club + "/prices").text.contains("Nothing is set beforehand."))
        let past = try await owner.send(club + "/prices/schedule", form.merging(["startsAt": "2001-01-01"]) { $1 })
        #expect(past.status == 200 && past.text.contains("in the past"))
    }

    @Test("The table is a file, and the control interface sets many prices at once, or says what it would do")
    func control() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let file = try await owner.get(Self.page + "/file.csv")
        #expect(file.fields["Content-Type"]?.hasPrefix("text/csv") == true)
        #expect(file.text == (try await bench.control("GET", Self.page + ".csv").text))
        let wanted: [String: Any] = ["storefronts": ["DEU": "1.29", "AFG": "none", "JPN": "derived"], "isTrial": true]
        let told = try await bench.control("PUT", Self.page, wanted)
        #expect(told.status == 200 && (told.json["changed"] as? [Any])?.count == 2, "\(told.text)")
        #expect(try await Self.rows(bench)["DEU"]?["own"] == nil)
        for (name, amount, parameter) in [("DEU", "1,29", "storefronts.DEU"), ("XXX", "1", "storefronts.XXX")] {
            let refused = try await bench.control("PUT", Self.page, ["storefronts": [name: amount]])
            #expect(refused.status == 400 && refused.text.contains(parameter), "\(refused.text)")
        }
        let unknown = try await bench.control("PUT", Self.page, ["prices": [:] as [String: String]])
        #expect(unknown.status == 400)
    }
}

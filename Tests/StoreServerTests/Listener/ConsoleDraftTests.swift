import Foundation
import StoreCatalogue
import StoreModel
import TestSupport
import Testing

@testable import StoreServer

@Suite("Drafts in the console", .bounded)
struct ConsoleDraftTests {
    private static let credits = "\(ListenerBench.bundle).credits5"
    private static let products = "/apps/\(ListenerBench.bundle)/products/"

    /// The number that the page says was looked at.
    private static func seen(on page: String) throws -> String {
        let start = try #require(page.range(of: "name=\"seen\" value=\"")).upperBound
        return String(page[start...].prefix { $0 != "\"" })
    }

    @Test("The page shows what production sells beside what the sandbox does, and its button publishes it")
    func publication() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let empty = try await owner.get("/catalogue/drafts")
        #expect(empty.status == 200 && empty.text.contains("Production sells what the sandbox does."))
        let path = "/control/v1" + Self.products + "\(Self.credits)/prices/USA"
        _ = try await bench.ask("PUT", path, ["amount": "4.99"], token: ListenerBench.token)
        let page = try await owner.get("/catalogue/drafts")
        for words in [
            "$0.99", "$4.99", "Price in the United States", "Publish 1 change of 1 product", "operator bench",
        ] {
            #expect(page.text.contains(words), "\(words)")
        }
        let seen = try Self.seen(on: page.text)
        _ = try await bench.control("PUT", Self.products + "\(Self.credits)/prices/USA", ["amount": "5.99"])
        let stale = try await owner.send("/catalogue/drafts/publication", ["seen": seen])
        #expect(stale.text.contains("was changed after these drafts were looked at"))
        let newer = try Self.seen(on: try await owner.get("/catalogue/drafts").text)
        let made = try await owner.send("/catalogue/drafts/publication", ["seen": newer])
        #expect(made.status == 303)
        #expect(try await owner.get("/catalogue/drafts").text.contains("Production sells what the sandbox does."))
    }

    @Test("What takes something from customers is asked once, and nothing is published before")
    func question() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        _ = try await bench.control("PUT", Self.products + "\(Self.credits)/prices/USA", ["amount": "4.99"])
        _ = try await bench.control("DELETE", Self.products + "\(Self.credits)/prices/AFG")
        let withdrawn = try await owner.send("/catalogue/drafts/publication").text
        #expect(withdrawn.contains("is no longer sold in Afghanistan."), "\(withdrawn)")
        #expect(try await bench.control("DELETE", Self.products + Self.credits).status == 204)
        let asked = try await owner.send("/catalogue/drafts/publication")
        #expect(asked.status == 200 && asked.text.contains("is removed for good"), "\(asked.text)")
        // What is published besides is on the page that asks.
        #expect(asked.text.contains("All that is published") && asked.text.contains("$4.99"), "\(asked.text)")
        #expect(try await owner.get("/catalogue/drafts").text.contains("Removal"))
        let made = try await owner.send("/catalogue/drafts/publication", ["confirmed": "yes"])
        #expect(made.status == 303)
        #expect(try await owner.get("/catalogue/drafts").text.contains("Production sells what the sandbox does."))
    }

    @Test("Each change is discarded by itself, by a session of the sandbox too, which does not publish")
    func discard() async throws {
        let bench = try await ListenerBench()
        let sandbox = try await ConsoleVisitor.visitor(bench, .operator)
        for storefront in ["USA", "CAN"] {
            let path = Self.products + "\(Self.credits)/prices/\(storefront)"
            _ = try await bench.control("PUT", path, ["amount": "4.99"])
        }
        let page = try await sandbox.get("/catalogue/drafts")
        #expect(!page.text.contains("Publish 2 changes") && page.text.contains("wants somebody of production"))
        let form = ["product": "\(ListenerBench.bundle)/\(Self.credits)", "field": "prices.USA"]
        #expect(try await sandbox.send("/catalogue/drafts/removal", form).status == 303)
        let left = try await sandbox.get("/catalogue/drafts").text
        #expect(!left.contains("rice in the United States") && left.contains("Price in Canada"))
        #expect(try await sandbox.send("/catalogue/drafts/publication").status == 403)
        let wrong = try await sandbox.send("/catalogue/drafts/removal", ["product": "x"])
        #expect(
            wrong.text.contains("it is the product of a draft") || wrong.text.contains("It is the product of a draft"))
    }
}

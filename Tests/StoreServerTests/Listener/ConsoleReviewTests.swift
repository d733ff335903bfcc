import Foundation
import StoreHTTP
import StoreModel
import StoreWeb
import TestSupport
import Testing

@testable import StoreServer

@Suite("R1.10: A reviewer decides on the page, and sees what changed", .bounded)
struct ConsoleReviewTests {
    private static let app = "/apps/\(ListenerBench.bundle)"
    private static let jungle = "\(app)/products/\(ListenerBench.bundle).jungle"
    private static let review = "/review/\(ListenerBench.bundle)/products/\(ListenerBench.bundle).jungle"

    /// A live product whose text was changed and submitted.
    private static func edited(_ bench: ListenerBench, _ name: String = "jungle", title: String = "Deep Jungle")
        async throws
    {
        let path = "\(app)/products/\(ListenerBench.bundle).\(name)"
        let put = try await bench.control("PUT", path, ["texts": ["en-US": ["title": title, "description": "Green."]]])
        if put.status >= 300 {
            // Some forms of the draft want the kind too.
            let whole: [String: Any] = [
                "type": "Non-Consumable", "referenceName": name,
                "texts": ["en-US": ["title": title, "description": "Green."]],
            ]
            let again = try await bench.control("PUT", path, whole)
            #expect(again.status < 300, "\(put.text) \(again.text)")
        }
        let submission = ["category": "content", "delivers": "A world."]
        let sent = try await bench.control("POST", path + "/submission", submission)
        #expect(sent.status < 300, "\(sent.text)")
    }

    @Test("The page marks the words that changed, and one press approves them without taking it up first")
    func approve() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        try await Self.edited(bench)
        let queue = try await owner.get("/review").text
        #expect(queue.contains("1 thing waits") || queue.contains("One thing waits"), "\(queue)")
        let page = try await owner.get(Self.review).text
        #expect(page.contains("<ins>Deep ") || page.contains("<ins>Deep</ins>"), "\(page)")
        #expect(page.contains("review changes \(ListenerBench.bundle) \(ListenerBench.bundle).jungle"))
        let seen = try #require(
            ShownForm.all(in: page).first { $0.action.hasSuffix("/decision") }?.fields.first { $0.name == "seenAt" })
        let done = try await owner.send(Self.review + "/decision", ["do": "approve", "seenAt": seen.value])
        #expect(done.status == 303 && done.fields["Location"]?.contains("/review") == true, "\(done.text)")
        let state = try await bench.control("GET", Self.jungle).json["product"] as? [String: Any]
        #expect(state?["state"] as? String == "approved")
        #expect(try await owner.get(Self.review).text.contains("It does not wait for a decision."))
    }

    @Test("A rejection needs a reason and a sentence; without them the form comes back and nothing is decided")
    func reject() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        try await Self.edited(bench)
        let path = Self.review + "/decision"
        let seenAt = try await Self.seen(owner)
        let unreasoned = try await owner.send(path, ["do": "reject", "message": "The title.", "seenAt": seenAt])
        #expect(unreasoned.status == 200 && unreasoned.text.contains("Choose what it is rejected for"))
        #expect(unreasoned.text.contains("The title."))
        for message in ["", "   "] {
            let silent = try await owner.send(
                path, ["do": "reject", "reason": "metadata", "message": message, "seenAt": seenAt])
            #expect(silent.status == 200 && silent.text.contains("says what has to change"), "\(silent.text)")
        }
        let waiting = try await bench.control("GET", Self.jungle + "/review").json["product"] as? [String: Any]
        #expect(waiting?["state"] as? String == "waiting_for_review")
        let rejected = try await owner.send(
            path, ["do": "reject", "reason": "metadata", "message": "The title names a price.", "seenAt": seenAt])
        #expect(rejected.status == 303, "\(rejected.text)")
        #expect(try await owner.get(Self.review).text.contains("The title names a price."))
    }

    /// What the page says that it shows.
    private static func seen(_ owner: ConsoleVisitor) async throws -> String {
        let forms = ShownForm.all(in: try await owner.get(review).text)
        return try #require(
            forms.first { $0.action.hasSuffix("/decision") }?.fields.first { $0.name == "seenAt" }?.value)
    }

    @Test("A form that does not say what was shown decides nothing, on either page")
    func unseen() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        try await Self.edited(bench)
        for (path, form) in [
            (Self.review + "/decision", ["do": "approve"]),
            (Self.review + "/decision", ["do": "approve", "seenAt": "soon"]), (Self.jungle + "/review/approval", [:]),
        ] {
            let answer = try await owner.send(path, form)
            #expect(answer.status == 200 && answer.text.contains("does not say what was shown"), "\(path)")
        }
        let state = try await bench.control("GET", Self.jungle).json["product"] as? [String: Any]
        #expect(state?["state"] as? String == "waiting_for_review")
    }

    /// Fails if an approval is of whatever stands there by now.
    @Test("What was changed after the page was made is not approved by it")
    func stale() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        try await Self.edited(bench)
        let page = try await owner.get(Self.review).text
        let seen = try #require(
            ShownForm.all(in: page).first { $0.action.hasSuffix("/decision") }?.fields.first { $0.name == "seenAt" })
        bench.time.pass(.seconds(60))
        #expect(try await bench.control("DELETE", Self.jungle + "/submission").status < 300)
        try await Self.edited(bench, title: "Another Jungle")
        let answer = try await owner.send(Self.review + "/decision", ["do": "approve", "seenAt": seen.value])
        #expect(answer.status == 200 && answer.text.contains("was changed since it was shown"), "\(answer.text)")
        #expect(answer.text.contains("Another"))
    }

    @Test("Several are approved at once, or none of them")
    func several() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        try await Self.edited(bench)
        let answer = try await bench.control("GET", "/review")
        let items = try #require(answer.json["items"] as? [[String: Any]])
        #expect(items.count == 1 && items[0]["isNew"] as? Bool == false, "\(answer.text)")
        let changes = try #require(items[0]["changes"] as? [[String: Any]])
        #expect(changes.contains { $0["field"] as? String == "title.en-US" && $0["after"] as? String == "Deep Jungle" })
        let one: [String: Any] = [
            "bundleId": ListenerBench.bundle, "productId": "\(ListenerBench.bundle).jungle", "isApproved": true,
        ]
        let other = one.merging(["productId": "\(ListenerBench.bundle).credits5"]) { $1 }
        let both = try await bench.control("POST", "/review/decisions", ["decisions": [one, other]])
        #expect(both.status >= 400, "\(both.text)")
        let token = try #require(
            ShownForm.all(in: try await owner.get("/review").text).first { $0.action.hasSuffix("/approvals") }?.fields
                .first { $0.name == "case" })
        #expect(try await owner.send("/review/approvals").text.contains("Tick what is to be approved"))
        #expect(try await owner.send("/review/approvals", ["case": token.value]).status == 303)
        #expect(try await owner.get("/review").text.contains("Nothing waits for a reviewer."))
    }
}

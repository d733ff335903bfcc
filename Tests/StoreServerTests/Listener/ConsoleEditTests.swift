import Foundation
import StoreCatalogue
import StoreModel
import StoreService
import TestSupport
import Testing

@testable import StoreServer

/// R1.12: two people edit the same thing in the console.
@Suite("Concurrent edits in the console", .bounded)
struct ConsoleEditTests {
    private static let grace = "/apps/\(ListenerBench.bundle)/grace-period"
    private static let page = "/apps/\(ListenerBench.bundle)"

    /// What a form of a page shows, as a browser sends it.
    private static func opened(_ page: String, _ action: String, by visitor: ConsoleVisitor) async throws -> [String:
        String]
    {
        let shown = try await visitor.get(page)
        let form = try #require(
            ShownForm.all(in: shown.text).first { $0.action.hasSuffix(action) }, "\(action): \(shown.text)")
        var sent: [String: String] = [:]
        for field in form.fields where field.name != "proof" && (!field.isTick || field.isTicked) {
            sent[field.name] = field.value
        }
        return sent
    }

    @Test("The second save is told what changed, keeps what was typed, and works when it is pressed again")
    func second() async throws {
        let bench = try await ListenerBench()
        let (first, second) = (try await ConsoleVisitor.owner(bench), try await ConsoleVisitor.owner(bench))
        let settings = "\(Self.page)/notification-settings"
        var (one, other) = (["url": "https://one.example/till"], ["url": "https://other.example/till"])
        for (key, value) in try await Self.opened(settings, "notification-settings", by: first) where one[key] == nil {
            one[key] = value
        }
        for (key, value) in try await Self.opened(settings, "notification-settings", by: second) where other[key] == nil
        {
            other[key] = value
        }
        #expect(one["shown"]?.isEmpty == false)
        #expect(try await first.send(settings, one).status == 303)
        let refused = try await second.send(settings, other)
        #expect(refused.status == 409, "\(refused.text)")
        #expect(refused.text.contains("somebody has changed this since you opened it"))
        #expect(refused.text.contains("Somebody has set this to “https://one.example/till” meanwhile"))
        #expect(refused.text.contains(#"value="https://other.example/till""#))
        let kept = try await bench.control("GET", settings)
        #expect(kept.json["url"] as? String == "https://one.example/till", "\(kept.text)")
        let form = try #require(ShownForm.all(in: refused.text).first { $0.action.hasSuffix("notification-settings") })
        other["shown"] = form.fields.first { $0.name == "shown" }?.value
        #expect(try await second.send(settings, other).status == 303)
        #expect(try await bench.control("GET", settings).json["url"] as? String == "https://other.example/till")
    }

    @Test("A form that came back after an error is no conflict with itself, and is still one with others")
    func refused() async throws {
        let bench = try await ListenerBench()
        let (owner, other) = (try await ConsoleVisitor.owner(bench), try await ConsoleVisitor.owner(bench))
        let settings = "\(Self.page)/settings"
        var sent = try await Self.opened(settings, "/settings", by: owner)
        let theirs = sent.merging(["name": "Theirs"]) { $1 }
        sent["name"] = String(repeating: "x", count: 500)
        let refused = try await owner.send(settings, sent)
        #expect(refused.status == 200 && refused.text.contains(#"aria-invalid="true""#), "\(refused.text)")
        let back = try #require(ShownForm.all(in: refused.text).first { $0.action.hasSuffix("/settings") })
        sent["shown"] = back.fields.first { $0.name == "shown" }?.value
        sent["name"] = "Mine"
        #expect(try await other.send(settings, theirs).status == 303)
        #expect(try await owner.send(settings, sent).status == 409)
        let again = try await Self.opened(settings, "/settings", by: owner)
        sent["shown"] = again["shown"]
        #expect(try await owner.send(settings, sent).status == 303)
        #expect(try await owner.get(settings).text.contains(#"value="Mine""#))
    }

    @Test("Whoever may not see a thing is told nothing of it, whatever the form claims to have shown")
    func scope() async throws {
        let bench = try await ListenerBench()
        _ = try await bench.control("POST", "/teams", ["teamId": "others", "name": "Others"])
        let app = ["bundleId": "com.others.app", "name": "Foreign", "teamId": "others"]
        #expect(try await bench.control("POST", "/apps", app).status == 201)
        let set = try await bench.control(
            "PUT", "/apps/com.others.app/notification-settings", ["url": "https://secret.example/till"])
        #expect(set.status == 200, "\(set.text)")
        let developer = try await ConsoleVisitor.visitor(bench, .developer, member: true)
        let shown = String(repeating: "0000000", count: 20)
        let answer = try await developer.send(
            "/apps/com.others.app/notification-settings", ["url": "https://mine.example/", "shown": shown])
        #expect(answer.status == 404 && !answer.text.contains("secret.example"), "\(answer.status)")
    }
}

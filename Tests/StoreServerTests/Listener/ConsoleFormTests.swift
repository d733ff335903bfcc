import Foundation
import StoreHTTP
import StoreModel
import StoreService
import StoreWeb
import TestSupport
import Testing

@testable import StoreServer

/// Every form of the console that somebody fills in: refused, it comes back with every field as it was left.
@Suite("The forms of the console", .bounded)
struct ConsoleFormTests {
    private static let app = "/apps/\(ListenerBench.bundle)"
    private static let club = "\(app)/products/\(ListenerBench.bundle).club"
    private static let secret: Set = ["password", "secretAnswer"]

    /// The forms that somebody fills in, by their paths below the environment.
    private static let forms = Set([
        "/apps/{bundleId}/products/{productId}/prices", "/apps/{bundleId}/products/{productId}/prices/schedule",
        "/apps/{bundleId}/products/{productId}/prices/tax", "/review/approvals",
        "/review/{bundleId}/products/{productId}/decision",
        "/customers", "/customers/{customer}/redemption", "/customers/{customer}/renewal-rate",
        "/customers/{customer}/family-member", "/transactions/{transactionId}/refund",
        "/transactions/{transactionId}/revocation", "/transactions/{transactionId}/refund-request",
        "/refunds/{id}/approval", "/refunds/{id}/refusal", "/refunds/{id}/reversal", "/refunds/{id}/consumption",
        "/subscriptions/{subscriptionId}/failure", "/subscriptions/{subscriptionId}/resolution",
        "/subscriptions/{subscriptionId}/extension",
        "/apps/{bundleId}/grace-period", "/apps/{bundleId}/products/{productId}/price-increase",
        "/new-app", "/import", "/apps/{bundleId}/new-product", "/apps/{bundleId}/settings",
        "/apps/{bundleId}/capabilities", "/apps/{bundleId}/versions", "/apps/{bundleId}/groups",
        "/apps/{bundleId}/groups/{groupId}", "/apps/{bundleId}/groups/{groupId}/levels",
        "/apps/{bundleId}/products/{productId}/edit", "/apps/{bundleId}/products/{productId}/purchase",
        "/apps/{bundleId}/products/{productId}/new-offer", "/apps/{bundleId}/products/{productId}/offers/{offerId}",
        "/apps/{bundleId}/products/{productId}/submission/sending",
        "/apps/{bundleId}/products/{productId}/review/rejection", "/apps/{bundleId}/codes", "/tokens",
        "/clock/advance", "/clock/set", "/clock/rate", "/inspect", "/faults",
        "/customers/{customer}/consent-withdrawal", "/apps/{bundleId}/notification-settings", "/api-keys",
        "/partners", "/partner-feeds", "/partners/{partner}/share", "/items", "/items/{storeId}/facts",
        "/items/{storeId}/price", "/features", "/system/keys/rotation",
    ]).union(formsOfPeople)

    /// What is on no page here, or has nothing but its button.
    private static let unseen = Set([
        "/apps/{bundleId}/products/{productId}/prices/cancellation", "/review/{bundleId}/versions/{version}/decision",
        "/purchases/{purchase}/{act}", "/apps/{bundleId}/products/{productId}/content/{number}/withdrawal",
        "/apps/{bundleId}/notifications/{notificationUUID}/resend", "/apps/{bundleId}/notification-settings/removal",
        "/api-keys/revocation", "/ratings/{reviewId}/{act}", "/items/{storeId}/reviews/{reviewId}/answer",
        "/items/{storeId}/versions/{version}/package/{position}", "/import/{file}",
        "/apps/{bundleId}/products/{productId}/image-removal", "/ledger/check",
        "/system/backups/{backup}/verification", "/system/snapshots", "/catalogue/drafts/publication",
        "/catalogue/drafts/removal",
    ]).union(unseenOfPeople)

    @Test("A form that was refused keeps every field; one that is not looked at here fails")
    func kept() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        var found: [String: ShownForm] = [:]
        var seen: Set<String> = []
        let patterns = Self.patterns(of: bench)
        for page in try await Self.pages(bench, owner) {
            let answer = try await owner.get(page)
            #expect(answer.status == 200, "\(page): \(answer.text)")
            for form in ShownForm.all(in: answer.text) {
                guard let pattern = Self.pattern(of: form.action, among: patterns) else { continue }
                seen.insert(pattern.pattern)
                guard !form.visible.isEmpty else { continue }
                found[pattern.name] = found[pattern.name] ?? form
            }
        }
        #expect(Set(found.keys) == Self.forms)
        #expect(Set(patterns).subtracting(seen) == Self.unseen)
        // Inspecting refuses nothing, what comes with a file is looked at elsewhere, and what was decided waits no more.
        for (name, form) in found.sorted(by: { $0.key < $1.key })
        where !Set(["/inspect", "/import", "/review/approvals"]).union(Self.decidedOnce).contains(name) {
            try await Self.refuse(form, by: owner, name)
        }
    }

    @Test("X4: The form of a clock asks before it goes more than two years ahead", arguments: ["set", "advance"])
    func farClock(_ act: String) async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let value = act == "set" ? "2098-01-01T00:00:00Z" : "3y"
        let asked = try await owner.send("/clock/\(act)", ["value": value])
        #expect(asked.status == 200 && asked.text.contains("more than 2 years ahead"), "\(asked.text)")
        #expect(asked.text.contains("If it is meant, tick “Also more than 2 years ahead”."))
        let before = try await bench.control("GET", "/clock").json["isSet"] as? Bool
        #expect(before == false)
        #expect(try await owner.send("/clock/\(act)", ["value": value, "\(act)Confirmed": "yes"]).status == 303)
        let after = try await bench.control("GET", "/clock").json["isSet"] as? Bool
        #expect(after == true)
    }

    @Test("R1.12: What was wrong with a form stands beside its field, with a link to it above")
    func besideField() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let refused = try await owner.send("/customers", ["email": "nobody", "password": "long enough"])
        let field = try #require(refused.text.firstMatch(of: /<input id="([^"]+)" name="email"[^>]*>/))
        #expect(field.0.contains(#"aria-invalid="true""#) && field.0.contains(#"value="nobody""#))
        #expect(field.0.contains(#"aria-describedby="\#(field.1)-wrong""#))
        #expect(refused.text.contains(##"<a href="#\##(field.1)">"##), "\(refused.text)")
    }

    /// Sends a form until it is refused, and looks at what its page has then.
    private static func refuse(_ form: ShownForm, by owner: ConsoleVisitor, _ name: String) async throws {
        let path = String(form.action.dropFirst("/console/sandbox".count))
        let usual = usual(form)
        // Any reason is one, and a decision stands: there what is missing is tried first.
        let attempts =
            (name.hasSuffix("/end") ? ["", "✗✗"] : ["✗✗", ""]).flatMap { wrong in
                form.visible.filter { !$0.isTick }.map { field in usual.merging([field.name: wrong]) { $1 } }
            } + [usual, usual]
        for sent in attempts {
            let answer = try await owner.send(path, sent)
            // What was saved by an earlier attempt is another by then, which is a refusal too.
            guard [200, 409].contains(answer.status), answer.text.contains(#"role="alert""#) else { continue }
            let again = try #require(
                ShownForm.all(in: answer.text).first { $0.action == form.action && form.names.isSubset(of: $0.names) },
                "\(name) is not on the page that refuses it")
            // A field that an earlier attempt has added to the page was not sent.
            for field in again.visible where form.names.contains(field.name) {
                let value = sent[field.name] ?? ""
                let shown = field.isTick ? (field.isTicked ? field.value : "") : field.value
                let isOther =
                    secret.contains(field.name) || ["radio", "checkbox"].contains(field.kind) && field.value != value
                let wanted = isOther ? "" : value
                guard field.kind != "select" || field.options.contains(value) else { continue }
                #expect(shown == wanted, "\(field.name) of \(name) after \(sent)")
            }
            return
        }
        // Whatever can be chosen may be right.
        #expect(form.visible.allSatisfy { $0.kind == "select" || $0.isTick }, "\(name) was never refused")
    }

    /// What somebody fills in: something else than what stands there.
    private static func usual(_ form: ShownForm) -> [String: String] {
        var sent: [String: String] = [:]
        for field in form.fields {
            switch field.kind {
            case "hidden", "checkbox", "radio": sent[field.name] = field.value
            case "select": sent[field.name] = field.options.last
            case "date": sent[field.name] = "2031-02-03"
            case "number": sent[field.name] = "7"
            default: sent[field.name] = "\"typed\" & kept"
            }
        }
        sent["proof"] = nil
        return sent
    }

    /// Pages with a form of each kind, and with what they are about.
    private static func pages(_ bench: ListenerBench, _ owner: ConsoleVisitor) async throws -> [String] {
        let sold = try await ConsoleVisitor.sold(bench, "\(ListenerBench.bundle).jungle")
        let other = try await ConsoleVisitor.sold(bench)
        let subscribed = try await ConsoleVisitor.sold(bench, "\(ListenerBench.bundle).club")
        let device = try await bench.device()
        #expect(!device.token.isEmpty)
        let devices = try await bench.control("GET", "/devices").json["items"] as? [[String: Any]]
        let number = try #require(devices?.first?["deviceId"])
        let person = try await bench.control("GET", "/customers/ada@example.com").json["customerId"]
        let ada = "/customers/\(try #require(person))"
        #expect(try await owner.send(ada + "/family").status == 303)
        let tim = try await bench.control("POST", "/customers", ["email": "tim@example.com"])
        let child = try #require(tim.json["customerId"], "\(tim.text)")
        let joining = ["customer": "tim@example.com", "role": "child"]
        #expect(try await bench.control("POST", "/families/ada@example.com/members", joining).status == 200)
        #expect(try await bench.control("POST", "/faults", ["path": "/nothing", "status": 500]).status == 201)
        let asked = try await bench.control(
            "POST", "/refund-requests",
            ["transactionId": sold, "customer": "ada@example.com", "reason": "UNINTENDED_PURCHASE"])
        let request = try #require(asked.json["refundRequestId"], "\(asked.text)")
        let life = try #require(
            try await bench.control("GET", "/subscriptions").json["items"] as? [[String: Any]])
        let subscription = try #require(life.first?["subscriptionId"], "\(subscribed)")
        for id in ["gift", "more"] {
            let offer: [String: Any] = [
                "kind": "code", "paymentMode": "pay_up_front", "period": "P1M",
                "price": ["amount": "0.99", "currency": "USD"],
            ]
            let put = try await bench.control("PUT", club + "/offers/\(id)", offer)
            #expect([200, 201].contains(put.status), "\(put.text)")
        }
        let group = try await bench.control("PUT", app + "/groups/empty", ["referenceName": "Empty"])
        #expect(group.status == 200, "\(group.text)")
        #expect(try await bench.control("POST", app + "/versions", ["version": "99.0"]).status == 201)
        let made = try await bench.control(
            "POST", app + "/codes", ["productId": "\(ListenerBench.bundle).club", "offerId": "gift", "count": 1])
        let batch = try #require(made.json["batchId"], "\(made.text)")
        #expect(try await owner.send(app + "/offer-keys").status == 200)
        let products = try await Self.products(bench, owner)
        return [
            "/customers", ada, "/customers/\(child)", "/clock", "/faults", "/tokens", "/inspect", "/devices/\(number)",
            app, app + "/codes", "/new-app", "/import", app + "/new-product", app + "/settings", app + "/groups",
            club + "/prices", "/review", club + "/edit", club + "/offers", club + "/new-offer", club + "/offers/gift",
            app + "/codes/\(batch)", club, "/transactions/\(sold)", "/transactions/\(sold)/refund",
            "/transactions/\(other)/revocation", "/api-keys", app + "/notifications",
            app + "/notification-settings", "/system", "/system/self-test", "/system/backups",
        ] + products + (try await Self.people(bench, owner)) + (try await Self.partners(bench))
            + (try await Self.items(bench))
            + ["approval", "refusal", "reversal", "consumption", "withdrawal"].map { "/refunds/\(request)/\($0)" }
            + ["failure", "resolution", "cancellation", "extension"].map { "/subscriptions/\(subscription)/\($0)" }
    }

    /// The pages of the storefront's items, of one that lacks everything.
    private static func items(_ bench: ListenerBench) async throws -> [String] {
        let facts: [String: Any] = ["name": "The Harbour", "artist": "Ada Film", "genreId": 4406]
        let made = try await bench.control("POST", "/items", ["kind": "film", "facts": facts])
        let item = try #require(made.json["item"] as? [String: Any], "\(made.text)")
        let path = "/items/\(try #require(item["storeId"]))"
        return ["/items/new?kind=song", path, path + "/facts", path + "/files/artwork/1", "/features"]
    }

    /// The pages of all partners, of one who waits and of one who is approved.
    private static func partners(_ bench: ListenerBench) async throws -> [String] {
        var paths = ["/partners"]
        for name in ["Waits", "Approved"] {
            let made = try await bench.control(
                "POST", "/partners", ["name": name, "email": "partner@example.com", "commission": 7000])
            paths.append("/partners/\(try #require(made.json["token"] as? String, "\(made.text)"))")
        }
        #expect(try await bench.control("POST", paths[2] + "/approval").status == 200)
        return paths
    }

    /// The pages of a product that can be submitted, of one that is in review, and of the content of a third.
    private static func products(_ bench: ListenerBench, _ owner: ConsoleVisitor) async throws -> [String] {
        var paths: [String] = []
        for name in ["draft", "reviewed", "hosted"] {
            let path = "\(app)/products/\(ListenerBench.bundle).\(name)"
            let put = try await bench.control(
                "PUT", path,
                [
                    "type": "Non-Consumable", "referenceName": name, "price": ["amount": "1.00", "currency": "USD"],
                    "texts": ["en-US": ["title": name, "description": name]],
                ])
            #expect([200, 201].contains(put.status), "\(put.text)")
            paths.append(path)
        }
        let submission = ["category": "content", "delivers": "A world."]
        let submitted = try await bench.control("POST", paths[1] + "/submission", submission)
        #expect(submitted.status < 300, "\(submitted.text)")
        #expect(try await owner.send(paths[1] + "/review/beginning").status == 303)
        #expect(try await owner.send(paths[2] + "/hosting/on").status == 303)
        return paths + [paths[2] + "/content", "/review" + paths[1].dropFirst("/apps".count)]
    }

    // MARK: Paths

    private static func patterns(of bench: ListenerBench) -> [String] {
        bench.console.routes.filter { $0.method == .post && $0.pattern.text.hasPrefix("/console/{environment}") }.map {
            String($0.pattern.text.dropFirst("/console/{environment}".count))
        }
    }

    /// The route that a form is sent to, and its name: with what it does in place of the parameter for that.
    private static func pattern(
        of action: String, among patterns: [String]
    ) -> (pattern: String, name: String)? {
        let parts = action.dropFirst("/console/sandbox".count).split(separator: "/")
        let fitting = patterns.filter { pattern in
            let wanted = pattern.split(separator: "/")
            return wanted.count == parts.count
                && zip(wanted, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        let best = fitting.min { $0.count(where: { $0 == "{" }) < $1.count(where: { $0 == "{" }) }
        return best.map { ($0, $0.replacing("{act}", with: parts.last ?? "")) }
    }
}

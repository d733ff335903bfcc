import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import TestSupport
import Testing

@testable import StoreServer

/// What is changed of apps and products in the console.
@Suite("The catalogue in the console", .bounded)
struct ConsoleCatalogueTests {
    private static let app = "/apps/\(ListenerBench.bundle)"
    private static let club = "\(app)/products/\(ListenerBench.bundle).club"
    private static let path = "\(app)/products/\(ListenerBench.bundle).lamp"

    /// A product that nobody has reviewed.
    private static func bench() async throws -> (ListenerBench, ConsoleVisitor) {
        let bench = try await ListenerBench()
        let lamp: [String: Any] = [
            "type": "Consumable", "referenceName": "Lamp", "price": ["amount": "1.00", "currency": "USD"],
            "texts": ["en-US": ["title": "Lamp", "description": "It shines."]],
        ]
        #expect(try await bench.control("PUT", path, lamp).status == 200)
        return (bench, try await ConsoleVisitor.owner(bench))
    }

    private static func texts(_ bench: ListenerBench) async throws -> [String: [String: String]] {
        try #require(try await bench.control("GET", path).json["texts"] as? [String: [String: String]])
    }

    /// What the form has sent, as a browser would send it.
    private static func form(_ more: [String: String]) -> [String: String] {
        [
            "referenceName": "Lamp", "taxCategory": "standard", "texts.en-US.title": "Lamp",
            "texts.en-US.description": "It shines.",
        ].merging(more) { $1 }
    }

    // MARK: A product

    @Test("Texts stand side by side in every language, and a language that is added keeps what was typed")
    func languages() async throws {
        let (bench, owner) = try await Self.bench()
        let added = try await owner.send(
            Self.path + "/edit",
            Self.form(["do": "language", "newLanguage": "de-DE", "texts.en-US.title": "Typed", "delivers": "Light"]))
        #expect(added.status == 200, "\(added.text)")
        let form = try #require(ShownForm.all(in: added.text).first { $0.names.contains("texts.de-DE.title") })
        #expect(form.fields.first { $0.name == "texts.en-US.title" }?.value == "Typed")
        #expect(form.fields.first { $0.name == "delivers" }?.value == "Light")
        #expect(try await Self.texts(bench).keys.sorted() == ["en-US"], "nothing is kept before it is sent")
        let kept = try await owner.send(
            Self.path + "/edit",
            Self.form([
                "texts.de-DE.title": "Lampe", "texts.de-DE.description": "Sie\r\nleuchtet.", "delivers": "Light",
            ]))
        #expect(kept.status == 303, "\(kept.text)")
        let texts = try await Self.texts(bench)
        #expect(texts["de-DE"] == ["title": "Lampe", "description": "Sie\nleuchtet."])
        let gone = try await owner.send(
            Self.path + "/edit", Self.form(["texts.de-DE.title": "Other", "do": "remove:de-DE"]))
        #expect(gone.status == 303, "\(gone.text)")
        #expect(try await Self.texts(bench).keys.sorted() == ["en-US"])
    }

    @Test("X14: A session of the sandbox takes no text away that production shows, nor renames an app that sells there")
    func sandboxOnly() async throws {
        let bench = try await ListenerBench()
        let developer = try await ConsoleVisitor.visitor(bench, .developer, member: true)
        let jungle = "\(Self.app)/products/\(ListenerBench.bundle).jungle"
        func texts() async throws -> [String] {
            let json = try await bench.control("GET", jungle).json["texts"] as? [String: Any]
            return (json ?? [:]).keys.sorted()
        }
        let before = try await texts()
        let language = try #require(before.last)
        #expect(before.count > 1)
        let product = try await bench.control("GET", jungle).json["product"] as? [String: Any]
        var form = [
            "referenceName": "Jungle", "taxCategory": try #require(product?["taxCategory"] as? String),
            "do": "remove:\(language)",
        ]
        if product?["isFamilyShareable"] as? Bool == true { form["isFamilyShareable"] = "on" }
        let taken = try await developer.send(jungle + "/edit", form)
        #expect(taken.status == 403, "\(taken.text)")
        #expect(try await texts() == before)
        let named = ["name": "Apes", "primaryLanguage": "en-US"]
        #expect(try await developer.send(Self.app + "/settings", named).status == 403)
        // Another version that waits opens no way to the one that production has.
        let steps: [(String, [String: Any]?)] = [
            ("", ["version": "98.0"]), ("/98.0/submission", nil), ("/98.0/review", nil),
            ("/98.0/decision", ["isApproved": true]),
        ]
        for (step, body) in steps {
            let answer = try await bench.control("POST", Self.app + "/versions" + step, body)
            #expect(answer.status < 300, "\(step): \(answer.text)")
        }
        #expect(try await developer.send(Self.app + "/versions", ["version": "99.1"]).status == 303)
        #expect(try await developer.send(Self.app + "/versions/99.1/submission").status == 303)
        let approved = Self.app + "/versions/98.0/withdrawal"
        #expect(try await developer.send(approved).status == 403)
        // The owner, who has production too, may.
        let owner = try await ConsoleVisitor.owner(bench)
        let done = try await owner.send(jungle + "/edit", form)
        #expect(done.status == 303, "\(done.text)")
        #expect(try await texts() == before.filter { $0 != language })
    }

    @Test("A text that is too long is told beside its field, counted as the store counts, and nothing is kept")
    func tooLong() async throws {
        let (bench, owner) = try await Self.bench()
        // Characters of two code points each: the store counts code points.
        let title = String(repeating: "e\u{301}", count: 51)
        let answer = try await owner.send(
            Self.path + "/edit", Self.form(["texts.en-US.title": title, "referenceName": "Other"]))
        #expect(answer.status == 200 && answer.text.contains("has more than 100 characters"), "\(answer.text)")
        let place = try #require(answer.text.firstRange(of: #"name="texts.en-US.title""#))
        let field = answer.text[place.lowerBound...].prefix(700)
        #expect(field.contains(#"aria-invalid="true""#), "\(field)")
        #expect(answer.text.contains("102 of 100"), "what was typed is counted, not what is kept")
        #expect(try await Self.texts(bench)["en-US"]?["title"] == "Lamp")
        let name = try await bench.control("GET", Self.path).json["product"] as? [String: Any]
        #expect(name?["referenceName"] as? String == "Lamp")
    }

    @Test("R1.10: A product is submitted from its page with what it is, and reviewers’ facts stay put meanwhile")
    func submission() async throws {
        let (bench, owner) = try await Self.bench()
        let bare = try await owner.send(Self.path + "/edit", Self.form(["do": "submit"]))
        #expect(bare.status == 200 && bare.text.contains("It is one of content"), "\(bare.text)")
        let whole = ["category": "function", "delivers": "A light", "note": "By the door"]
        let sent = try await owner.send(Self.path + "/edit", Self.form(whole.merging(["do": "submit"]) { $1 }))
        #expect(sent.fields["Location"]?.hasSuffix("done=submitted") == true, "\(sent.text)")
        let review = try await bench.control("GET", Self.path + "/review").json
        #expect((review["product"] as? [String: Any])?["state"] as? String == "waiting_for_review")
        #expect(review["category"] as? String == "function" && review["note"] as? String == "By the door")
        let late = try await owner.send(
            Self.path + "/edit", Self.form(whole.merging(["note": "By the window"]) { $1 }))
        #expect(late.status == 200 && late.text.contains("ake the submission back"), "\(late.text)")
        let words = try await bench.control("PUT", Self.path + "/submission", ["delivers": "Dark"])
        #expect(words.status == 409, "\(words.text)")
    }

    /// Fails if a page calls ready what the submission refuses.
    @Test("R1.10: The first of a kind says where a version is entered, beside the field, and is submitted with it")
    func firstOfKind() async throws {
        let (bench, owner) = try await Self.bench()
        let app = "/apps/com.example.fresh"
        let path = app + "/products/com.example.fresh.season"
        let new = ["bundleId": "com.example.fresh", "name": "Fresh"]
        #expect(try await bench.control("POST", "/apps", new).status == 201)
        let product: [String: Any] = [
            "type": "Non-Renewing Subscription", "referenceName": "Season",
            "texts": ["en-US": ["title": "Season", "description": ""]],
            "price": ["amount": "0.99", "currency": "USD"],
        ]
        #expect(try await bench.control("PUT", path, product).status == 200)
        for page in [path, path + "/edit"] {
            let text = try await owner.get(page).text
            #expect(text.contains(app + "/settings") && !text.contains("ready to submit"), "\(page)")
        }
        var form = ["referenceName": "Season", "delivers": "A season", "taxCategory": "standard", "do": "submit"]
        let early = try await owner.send(path + "/edit", form)
        #expect(early.text.contains(#"id="version-wrong""#) && !early.text.contains("till versions"), "\(early.text)")
        #expect(try await bench.control("POST", app + "/versions", ["version": "7.0"]).status == 201)
        form["version"] = "7.0"
        #expect(try await owner.send(path + "/edit", form).status == 303)
        let versions = try await bench.control("GET", app + "/versions").json["items"] as? [[String: Any]]
        #expect(versions?.last?["state"] as? String == "waiting_for_review")
    }

    @Test("R1.12: Store id and link are on the pages of app and product, ready to be copied")
    func links() async throws {
        let (bench, owner) = try await Self.bench()
        let json = try await bench.control("GET", Self.path).json["product"] as? [String: Any]
        let (id, link) = (try #require(json?["itemId"]), try #require(json?["link"] as? String))
        for page in [Self.path, Self.path + "/edit"] {
            let text = try await owner.get(page).text
            #expect(text.contains(#"data-copies="\#(id)""#), "\(page)")
            #expect(text.contains(#"data-copies="\#(link)""#), "\(page): \(link)")
        }
        let app = try await bench.control("GET", Self.app).json
        let (number, text) = (try #require(app["appId"]), try await owner.get(Self.app).text)
        #expect(text.contains(#"data-copies="\#(number)""#))
    }

    @Test("A tester buys it by a press, in the sandbox alone")
    func bought() async throws {
        let (bench, owner) = try await Self.bench()
        _ = try await bench.control(
            "POST", "/customers",
            ["email": "ada@example.com", "password": ListenerBench.password, "paymentMethod": "test_approved"])
        let sold = try await owner.send(Self.path + "/purchase", ["customer": "ada@example.com"])
        #expect(sold.fields["Location"]?.contains("/transactions/") == true, "\(sold.text)")
        let nobody = try await owner.send(Self.path + "/purchase", ["customer": "eve@example.com"])
        #expect(nobody.status == 200 && nobody.text.contains(#"role="alert""#))
        #expect(nobody.text.contains("make one under Testers"), "\(nobody.text)")
        #expect(nobody.text.contains(#"<option value="ada@example.com">"#), "\(nobody.text)")
    }

    // MARK: Offers

    @Test("An offer is shown as its sentence on the sheet before it is given")
    func offers() async throws {
        let (bench, owner) = try await Self.bench()
        let form = [
            "kind": "code", "paymentMode": "free", "period": "P2W", "offerId": "spring", "eligibility": "new",
            // What other kinds and modes have is left out.
            "price": "9.99", "paidMonths": "3", "periodCount": "5",
        ]
        let shown = try await owner.send(Self.club + "/new-offer", form.merging(["do": "show"]) { $1 })
        #expect(shown.status == 200 && shown.text.contains("2 weeks free"), "\(shown.text)")
        #expect(try await bench.control("GET", Self.club + "/offers").text.contains("spring") == false)
        #expect(try await owner.send(Self.club + "/new-offer", form).status == 303)
        let offers = try await bench.control("GET", Self.club + "/offers").json["items"] as? [[String: Any]]
        let spring = try #require(offers?.first { $0["offerId"] as? String == "spring" })
        #expect(spring["paymentMode"] as? String == "free" && spring["periodCount"] as? Int == 1)
        let taken = try await owner.send(Self.club + "/new-offer", form)
        #expect(taken.status == 200 && taken.text.contains("spring-2 is free"), "\(taken.text)")
        let changed = try await owner.send(
            Self.club + "/offers/spring",
            ["paymentMode": "pay_as_you_go", "price": "0.49", "periodCount": "3", "eligibility": "new"])
        #expect(changed.status == 303, "\(changed.text)")
        let dear = try await owner.send(
            Self.club + "/offers/spring", ["paymentMode": "pay_up_front", "period": "P1M", "eligibility": "new"])
        #expect(dear.status == 200 && dear.text.contains("An offer that is paid has a price"), "\(dear.text)")
        #expect(try await owner.send(Self.club + "/offers", ["offer": "spring"]).status == 303)
        #expect(try await owner.get(Self.club + "/offers/spring").status == 404)
    }

    // MARK: An app

    @Test("An app is renamed, and its versions are entered, submitted and taken back")
    func settings() async throws {
        let (bench, owner) = try await Self.bench()
        let named = try await owner.send(Self.app + "/settings", ["name": "Apes", "primaryLanguage": "en-US"])
        #expect(named.status == 303, "\(named.text)")
        #expect(try await bench.control("GET", Self.app).json["name"] as? String == "Apes")
        #expect(try await owner.send(Self.app + "/versions", ["version": "9.0"]).status == 303)
        #expect(try await owner.send(Self.app + "/versions/9.0/removal").status == 303)
        #expect(try await !bench.control("GET", Self.app + "/versions").text.contains(#""9.0""#))
        #expect(try await owner.send(Self.app + "/versions", ["version": "9.1"]).status == 303)
        #expect(try await owner.send(Self.app + "/versions/9.1/submission").status == 303)
        let late = try await owner.send(Self.app + "/versions/9.1/removal")
        #expect(late.status == 200 && late.text.contains("never submitted"), "\(late.text)")
        let profile = try await owner.get(Self.app + "/profile")
        #expect(profile.status == 200 && profile.text.split(separator: ".").count == 3)
        #expect(profile.fields["Content-Disposition"]?.contains(".tillprofile") == true)
        let off = try await owner.send(Self.app + "/capabilities")
        #expect(off.status == 303)
        #expect(try await bench.control("GET", Self.app).json["capabilities"] as? [String] == [])
    }

    @Test("Subscriptions move in their group by buttons, and levels are typed as well")
    func groups() async throws {
        let (bench, owner) = try await Self.bench()
        let group = Self.app + "/groups/tiers"
        for name in ["gold", "silver", "iron"] {
            let product: [String: Any] = [
                "type": "Auto-Renewable Subscription", "referenceName": name, "period": "P1M", "groupId": "tiers",
            ]
            let id = "\(ListenerBench.bundle).\(name)"
            #expect(try await bench.control("PUT", Self.app + "/products/\(id)", product).status == 200)
        }
        let typed = try await owner.send(
            group + "/levels",
            ["gold", "silver", "iron"].enumerated().reduce(into: [:]) {
                $0["levels.\(ListenerBench.bundle).\($1.element)"] = "\($1.offset + 1)"
            })
        #expect(typed.status == 303, "\(typed.text)")
        func order() async throws -> [String] {
            let json = try await bench.control("GET", Self.app + "/groups").json["items"] as? [[String: Any]]
            let tiers = json?.first { $0["groupId"] as? String == "tiers" }
            return (tiers?["subscriptions"] as? [[String: Any]] ?? []).compactMap {
                ($0["productId"] as? String)?.split(separator: ".").last.map(String.init)
            }
        }
        #expect(try await order() == ["gold", "silver", "iron"])
        let up = try await owner.send(group + "/levels", ["move": "up:\(ListenerBench.bundle).iron"])
        #expect(up.status == 303 && up.fields["Location"]?.contains("moved=") == true)
        #expect(try await order() == ["gold", "iron", "silver"])
        // Who moved it presses on without looking for the button again.
        let page = try await owner.get(String(try #require(up.fields["Location"]).dropFirst("/console/sandbox".count)))
        #expect(page.text.contains("autofocus"))
        #expect(page.text.contains("Level of gold") && page.text.contains("Give it a name that customers read"))
        let named = try await owner.send(
            group, ["referenceName": "Tiers", "newLanguage": "en-US", "newName": "Tiers!"])
        #expect(named.status == 303, "\(named.text)")
        #expect(try await bench.control("GET", Self.app + "/groups").text.contains("Tiers!"))
        let full = try await owner.send(group + "/removal")
        #expect(full.status == 200 && full.text.lowercased().contains("the group has subscriptions"), "\(full.text)")
    }

    // MARK: Files

    @Test("A file is looked at before it is applied, and once more where the catalogue has changed meanwhile")
    func files() async throws {
        let folder = NSTemporaryDirectory() + "till-import-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bench = try await ListenerBench(blobs: FolderBlobStore(folder: folder))
        let owner = try await ConsoleVisitor.owner(bench)
        let proof = try OperatorSessions.proof(of: String(owner.cookie.dropFirst("till_console=".count)))
        let file = """
            {"format": "till-catalogue", "version": 1, "apps": [{"bundleId": "com.acme.lumen", "name": "Lumen", "products": [
            {"productId": "com.acme.lumen.a", "type": "Consumable", "referenceName": "A"}]}]}
            """
        func send(_ text: String) async throws -> ListenerBench.Answer {
            try await bench.upload(
                "/console/sandbox/import", ["proof": proof], file: Array(text.utf8), called: "c.json",
                cookie: owner.cookie)
        }
        let bad = try await send(#"{"format": "till-catalogue", "version": 1, "apps": [{"bundleId": 7}]}"#)
        #expect(bad.status == 200 && bad.text.contains(#"role="alert""#), "\(bad.text)")
        let sent = try await send(file)
        #expect(sent.status == 303, "\(sent.text)")
        let place = String(try #require(sent.fields["Location"]).dropFirst("/console/sandbox".count))
        let page = try await owner.get(place)
        #expect(page.text.contains("1 app made, 1 product entered"), "\(page.text)")
        #expect(try await bench.control("GET", "/apps/com.acme.lumen").status == 404)
        func fields(_ page: String) throws -> [String: String] {
            let form = try #require(ShownForm.all(in: page).first { $0.action.contains("/import/") })
            return Dictionary(form.fields.map { ($0.name, $0.value) }) { $1 }
        }
        let before = try fields(page.text)
        // Somebody else is faster.
        #expect(
            try await bench.control("POST", "/apps", ["bundleId": "com.acme.lumen", "name": "Lumen"]).status == 201)
        let path = String(place.prefix { $0 != "?" })
        let outdated = try await owner.send(path, before)
        #expect(outdated.status == 200 && outdated.text.contains("has changed since"), "\(outdated.text)")
        #expect(try await bench.control("GET", "/apps/com.acme.lumen/products/com.acme.lumen.a").status == 404)
        let applied = try await owner.send(path, try fields(outdated.text))
        #expect(applied.fields["Location"] == "/console/sandbox/apps/com.acme.lumen?done=imported", "\(applied.text)")
        #expect(try await bench.control("GET", "/apps/com.acme.lumen/products/com.acme.lumen.a").status == 200)
        let out = try await owner.get("/apps/com.acme.lumen/export/catalogue")
        #expect(out.text.contains("com.acme.lumen.a") && out.fields["Content-Disposition"]?.contains("json") == true)
        #expect(try await owner.get("/apps/com.acme.lumen/export/storekit").text.contains("com.acme.lumen.a"))
        #expect(try await owner.get("/import/" + String(repeating: "0", count: 64)).status == 404)
    }
}

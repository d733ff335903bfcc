import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import Synchronization
import TestSupport
import Testing

@Suite("Customers on the pages of the store", .bounded)
struct StorefrontJourneyTests {
    @Test(
        "R7.7: A customer signs in, buys on the sheet, comes back to the item, and fetches its file by range",
        arguments: StoreEnvironment.allCases)
    func journey(_ environment: StoreEnvironment) async throws {
        try await StorefrontBench.with(environment) { shop in
            let ada = try await shop.customer("ada@example.com")
            let opened = try await shop.send("/us/buy", ["item": "\(shop.book)"], as: ada)
            #expect(opened.status == 303)
            // Whoever has just signed in types no password again, where it is asked for.
            let sheet = try #require(opened.fields["Location"])
            let proof = try #require(StorefrontBench.cookie(in: opened))
            let page = try await shop.get(sheet, as: "\(ada); \(proof)").text
            #expect(page.contains(StorefrontBench.title) && page.contains("$4.99"))
            #expect(!page.contains(#"type="password""#))
            try await shop.buy(shop.book, as: ada)
            let done = try await shop.get(sheet, as: ada).text
            #expect(done.contains("Walden is in your library"))
            #expect(done.contains(#"href="/us/book/walden/id\#(shop.book)""#))

            let whole = try await shop.get(shop.download(shop.book), as: ada)
            #expect(whole.status == 200)
            #expect(whole.text == String(decoding: shop.file, as: UTF8.self))
            #expect(whole.fields["Content-Type"] == "application/epub+zip")
            #expect(whole.fields["Content-Disposition"]?.hasPrefix("attachment; filename=\"W_l_den.epub\"") == true)
            #expect(whole.fields["Content-Security-Policy"] == "sandbox; default-src 'none'")
            let tag = try #require(whole.fields["ETag"])
            let part = try await shop.get(shop.download(shop.book), as: ada, ["Range": "bytes=4-7", "If-Range": tag])
            #expect(part.status == 206)
            #expect(part.text == "mass")
            // It is had where nothing can be noted of it, as on a full disk.
            _ = try await shop.bench.store.database.write { try $0.execute("DROP TABLE item_download") }
            #expect(try await shop.get(shop.download(shop.book), as: ada).status == 200)
        }
    }

    @Test("Production asks for the password on the sheet once the sign-in is a while ago")
    func stale() async throws {
        try await StorefrontBench.with(.production) { shop in
            let ada = try await shop.customer("ada@example.com")
            shop.bench.time.pass(PaymentSheet.proofTime)
            let opened = try await shop.send("/us/buy", ["item": "\(shop.book)"], as: ada)
            #expect(StorefrontBench.cookie(in: opened) == nil)
            let sheet = try #require(opened.fields["Location"])
            #expect(try await shop.get(sheet, as: ada).text.contains(#"type="password""#))
        }
    }

    @Test("The button of what is owned leads to a page that says so, and charges nothing")
    func owned() async throws {
        try await StorefrontBench.with { shop in
            let ada = try await shop.customer("ada@example.com")
            try await shop.buy(shop.album, as: ada)
            for item in [shop.album, shop.song] {
                let again = try await shop.send("/us/buy", ["item": "\(item)"], as: ada)
                #expect(again.status == 400)
                #expect(again.fields["Location"] == nil)
            }
            #expect(try await shop.get(shop.download(shop.song), as: ada).status == 200)
        }
    }

    @Test("X1: A customer turns the renewal of a subscription off on the page of the library, and on again")
    func subscription() async throws {
        try await StorefrontBench.with { shop in
            let ada = try await shop.customer("ada@example.com")
            #expect(try await !shop.get("/us/library", as: ada).text.contains("id=\"subscriptions\""))
            let bought = try await shop.bench.device().buy("\(ListenerBench.bundle).club")
            #expect(bought.json["state"] as? String == "purchased")
            for (shown, then) in [("Renews on", "no"), ("Ends on", "yes"), ("Renews on", "no")] {
                let page = try await shop.get("/us/library", as: ada)
                #expect(page.text.contains(shown), "\(page.text)")
                let form = try #require(
                    ShownForm.all(in: page.text).first { $0.action == "/us/subscriptions/renewal" })
                let fields = Dictionary(form.fields.map { ($0.name, $0.value) }) { first, _ in first }
                #expect(fields["renews"] == then)
                // None of these changes anything.
                let nobody = try await shop.send(form.action, fields, as: nil)
                #expect(nobody.status == 303 && nobody.fields["Location"] == "/us/sign-in?to=%2Flibrary")
                #expect(try await shop.send("/zz/subscriptions/renewal", fields, as: ada).status == 404)
                let wrong = try await shop.send(form.action, fields.merging(["renews": ""]) { $1 }, as: ada)
                #expect(wrong.status == 400, "\(wrong.text)")
                #expect(try await shop.get("/us/library", as: ada).text.contains(shown))
                let answer = try await shop.send(form.action, fields, as: ada)
                #expect(answer.status == 303 && answer.fields["Location"] == "/us/library#subscriptions")
            }
            // What has ended is told for a while, without a button.
            var page = try await shop.get("/us/library", as: ada).text
            let form = try #require(ShownForm.all(in: page).first { $0.action == "/us/subscriptions/renewal" })
            let ended = try #require(form.fields.first { $0.name == "subscription" }?.value)
            _ = try await shop.bench.control("POST", "/subscriptions/\(ended)/expiry")
            let late = try await shop.send(
                form.action, ["subscription": ended, "renews": "no"], as: ada)
            #expect(late.fields["Location"] == "/us/library#subscriptions")
            page = try await shop.get("/us/library", as: ada).text
            #expect(page.contains("Ended on") && !page.contains("action=\"/us/subscriptions/renewal\""))
            let unknown = ["subscription": "77", "renews": "no"]
            #expect(try await shop.send("/us/subscriptions/renewal", unknown, as: ada).status == 404)
        }
    }

    @Test("Whoever is not signed in is led to sign in, and from there back")
    func nobody() async throws {
        try await StorefrontBench.with { shop in
            let place = "/book/walden/id\(shop.book)"
            let encoded = place.replacing("/", with: "%2F")
            for (path, form) in [
                ("/us/buy?to=\(encoded)", ["item": "\(shop.book)"]),
                ("/us/review?to=\(encoded)", ["item": "\(shop.book)", "stars": "5"]),
                ("/us/report?to=\(encoded)", ["review": "1", "reason": "spam"]),
            ] {
                let answer = try await shop.send(path, form, as: nil)
                #expect(answer.status == 303, "\(path)")
                #expect(answer.fields["Location"] == "/us/sign-in?to=\(encoded)", "\(path)")
            }
            let file = try await shop.get(shop.download(shop.book), as: nil)
            #expect(file.fields["Location"] == "/us/sign-in?to=%2Flibrary")
        }
    }

    @Test(
        "A form leads to a page of this store only",
        arguments: [
            ("/library", "/us/library"), ("", "/us"), ("//evil.example", "/us//evil.example"),
            ("https://evil.example", "/us"), ("\\evil.example", "/us"), ("/a b", "/us"), ("/a\r\nX-Y: z", "/us"),
            ("@evil.example", "/us"), (".evil.example", "/us"), ("/\u{E9}", "/us"),
        ])
    func places(_ place: String, _ leads: String) async throws {
        try await StorefrontBench.with { shop in
            _ = try await shop.customer("ada@example.com")
            var query = URLComponents()
            query.queryItems = [URLQueryItem(name: "to", value: place)]
            let answer = try await shop.send(
                "/us/sign-in?\(query.percentEncodedQuery ?? "")",
                ["email": "ada@example.com", "password": ListenerBench.password], as: nil)
            #expect(answer.fields["Location"] == leads)
        }
    }

    @Test("A cookie of a session is for this store, unread by scripts, and gone once it is signed out")
    func cookie() async throws {
        try await StorefrontBench.with { shop in
            let ada = try await shop.customer("ada@example.com")
            let answer = try await shop.bench.browse(
                "/us/sign-in", ["email": "ada@example.com", "password": ListenerBench.password])
            let cookie = try #require(answer.fields["Set-Cookie"])
            #expect(cookie.hasPrefix("till_sandbox_customer="))
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && cookie.contains("Path=/"))
            let out = try await shop.send("/us/sign-out", [:], as: ada)
            #expect(out.fields["Set-Cookie"]?.contains("Max-Age=0") == true)
            #expect(try await shop.get("/us/library", as: ada).fields["Location"]?.hasPrefix("/us/sign-in") == true)
            // Another site cannot send the form.
            let foreign = try await shop.bench.browse(
                "/us/sign-out", [:], ["Cookie": ada, "Origin": "https://evil.example"])
            #expect(foreign.status == 403)
            #expect(try await shop.signIn("ada@example.com", "wrong") == nil)
            // What is typed into a form is in no log.
            let logged = shop.bench.log.entries.withLock { "\($0)" }
            #expect(!logged.contains(ListenerBench.password) && !logged.contains(ada.suffix(20)))
        }
    }

    @Test("A review that cannot be taken comes back as it was left; one that can is on the page")
    func review() async throws {
        try await StorefrontBench.with { shop in
            let ada = try await shop.customer("ada@example.com")
            try await shop.buy(shop.book, as: ada)
            var form = [
                "item": "\(shop.book)", "stars": "4", "title": "Deliberate", "body": "I went to the <woods>.",
                "nickname": "",
            ]
            let refused = try await shop.send("/us/review", form, as: ada)
            #expect(refused.status == 400)
            #expect(refused.text.contains("Deliberate") && refused.text.contains(#"role="alert""#))
            form["nickname"] = "henry"
            let taken = try await shop.send("/us/review?to=/library", form, as: ada)
            #expect(taken.fields["Location"] == "/us/library")
            let page = try await shop.get("/us/book/walden/id\(shop.book)", as: nil).text
            #expect(page.contains("I went to the &lt;woods&gt;.") && page.contains("henry"))
            #expect(!page.contains("ada@example.com"))
            _ = try await shop.send("/us/review/removal", ["item": "\(shop.book)"], as: ada)
            let after = try await Ratings(shop.bench.store).list(of: shop.book)
            #expect(after.reviews.isEmpty)
        }
    }
}

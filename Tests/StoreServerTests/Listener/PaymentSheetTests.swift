import Foundation
import StoreFoundation
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import Synchronization
import TestSupport
import Testing

@Suite("The page of a purchase", .bounded)
struct PaymentSheetTests {
    private static let credits = "\(ListenerBench.bundle).credits5"
    private static let jungle = "\(ListenerBench.bundle).jungle"

    /// A device where nobody is signed in, and what it opened.
    private struct Opened {
        let bench: ListenerBench
        let device: BenchDevice
        let key: String
        let page: String

        func state() async throws -> String? {
            try await device.ask("GET", "/purchases/\(key)").json["state"] as? String
        }

        func code() async throws -> String {
            let text = try await bench.browse(page).text
            return try #require(text.firstMatch(of: /name="code" value="([^"]*)"/)).1.description
        }
    }

    private static func opened(
        _ bench: ListenerBench, _ product: String = credits, quantity: Int = 1, by device: BenchDevice? = nil
    ) async throws -> Opened {
        var known = try device ?? BenchDevice(bench)
        if device == nil {
            let registration = try await known.registration(in: bench.store.environment)
            #expect(try await known.register(registration).status == 201)
        }
        let key = UUID().uuidString
        let answer = try await known.ask(
            "POST", "/purchases", ["productId": product, "quantity": quantity], key: key)
        let confirmation = try #require(answer.json["confirmation"] as? [String: Any], "\(answer.text)")
        return Opened(bench: bench, device: known, key: key, page: try #require(confirmation["page"] as? String))
    }

    private static func account(_ bench: ListenerBench, method: String? = "test_approved") async throws {
        var account: [String: Any] = ["email": "ada@example.com", "password": ListenerBench.password]
        account["paymentMethod"] = method
        #expect(try await bench.control("POST", "/customers", account).status == 201)
    }

    private static let ada = ["email": "ada@example.com", "password": ListenerBench.password]

    @Test("R2.3: A person signs in, sees product, quantity, unit price and total, buys, and sees that it is done")
    func sale() async throws {
        let bench = try await ListenerBench()
        try await Self.account(bench)
        let sheet = try await Self.opened(bench, quantity: 3)
        let first = try await bench.browse(sheet.page)
        #expect(first.status == 200 && first.text.contains("3 × $0.99") && first.text.contains("$2.97"))
        #expect(first.text.contains("5 Credits") && first.text.contains("Sold by My team"))
        #expect(first.fields["Referrer-Policy"] == "same-origin" && first.fields["Cache-Control"] == "no-store")
        #expect(first.fields["Content-Security-Policy"]?.contains("frame-ancestors 'none'") == true)

        let wrong = try await bench.browse(
            sheet.page + "/sign-in", ["email": "ada@example.com", "password": "guess"])
        #expect(wrong.status == 400 && wrong.text.contains(#"role="alert""#))
        #expect(wrong.text.contains(#"value="ada@example.com""#) && !wrong.text.contains("guess"))
        let right = try await bench.browse(sheet.page + "/sign-in", Self.ada)
        #expect(right.status == 303 && right.fields["Location"] == sheet.page)

        let code = try await sheet.code()
        let bought = try await bench.browse(sheet.page + "/confirmation", ["code": code])
        #expect(bought.status == 303)
        let done = try await bench.browse(sheet.page)
        #expect(done.text.contains("Thank you. 5 Credits is on its way to MonkeyCredits."))
        #expect(try await sheet.state() == "purchased")
        // The address is a secret.
        let logged = bench.log.entries.withLock { "\($0)" }
        #expect(!logged.contains(sheet.page.dropFirst("/pay/".count)) && logged.contains("/pay/"))
        // Sent again it is the same purchase.
        #expect(try await bench.browse(sheet.page + "/confirmation", ["code": code]).status == 303)
        #expect(try await bench.browse(sheet.page + "/cancellation", [:]).status == 303)
        #expect(try await sheet.state() == "purchased")
    }

    @Test("Production wants the password, or that the account has signed in on this page a moment ago")
    func production() async throws {
        let bench = try await ListenerBench(.production)
        try await Self.account(bench)
        let path = "/apps/\(ListenerBench.bundle)/products/\(Self.credits)/approval"
        #expect(try await bench.control("POST", path).status == 200)
        let sheet = try await Self.opened(bench)
        let proof = try await bench.browse(sheet.page + "/sign-in", Self.ada)
        let cookie = try #require(proof.fields["Set-Cookie"]).prefix { $0 != ";" }.description
        #expect(proof.fields["Set-Cookie"]?.contains("HttpOnly; SameSite=Strict") == true)
        let code = try await sheet.code()
        let other = try await Self.opened(bench, by: sheet.device)
        let (foreign, forged) = (["Cookie": cookie], ["Cookie": cookie + "x"])

        let nothing = try await bench.browse(sheet.page + "/confirmation", ["code": code])
        #expect(nothing.status == 400 && nothing.text.contains("The password of the account is needed."))
        #expect(try await bench.browse(sheet.page + "/confirmation", ["code": code], forged).status == 400)
        let otherCode = try await other.code()
        #expect(try await bench.browse(other.page + "/confirmation", ["code": otherCode], foreign).status == 400)
        #expect(
            try await bench.browse(
                other.page + "/confirmation", ["code": otherCode, "password": "guess"]
            ).status == 400)
        #expect(try await sheet.state() == "confirmation")
        #expect(try await other.state() == "confirmation")

        #expect(try await bench.browse(sheet.page, nil, foreign).text.contains(#"name="password""#) == false)
        bench.time.pass(.seconds(11 * 60))
        #expect(try await bench.browse(sheet.page + "/confirmation", ["code": code], foreign).status == 400)
        let typed = ["code": otherCode, "password": ListenerBench.password]
        #expect(try await bench.browse(other.page + "/confirmation", typed).status == 303)
        #expect(try await other.state() == "purchased")
        #expect(try await sheet.state() == "confirmation")
    }

    @Test("Cancelling gives the app code 2; a window that is closed is a no, and one that is loaded again is none")
    func cancelled() async throws {
        let waits = Mutex<[CheckedContinuation<Void, Never>]>([])
        let (begun, hasBegun) = AsyncStream<Void>.makeStream()
        let bench = try await ListenerBench(wait: { _ in
            await withCheckedContinuation { continuation in
                waits.withLock { $0.append(continuation) }
                hasBegun.yield()
            }
        })
        let device = try await bench.device()
        let sheet = try await Self.opened(bench, by: device)
        #expect(try await bench.browse(sheet.page + "/cancellation", [:]).status == 303)
        #expect(try await bench.browse(sheet.page).text.contains("Nothing was bought"))
        let failure = try await device.ask("GET", "/purchases/\(sheet.key)").json["failure"] as? [String: Any]
        #expect(failure?["storeKitCode"] as? Int == 2)

        var next = try await Self.opened(bench, by: device)
        var beginnings = begun.makeAsyncIterator()
        func patienceIsOver() async {
            for wait in waits.withLock({ waits in
                defer { waits = [] }
                return waits
            }) { wait.resume() }
        }
        func view() async throws -> [String: String] {
            let text = try await bench.browse(next.page).text
            return ["view": try #require(text.firstMatch(of: /data-view="(\d+)"/)).1.description]
        }
        // Loaded again: the new window is there before the former one is closed.
        let (first, second) = (try await view(), try await view())
        #expect(try await bench.browse(next.page + "/closing", first).status == 204)
        await beginnings.next()
        await patienceIsOver()
        #expect(try await bench.browse(next.page + "/closing", second).status == 204)
        await beginnings.next()
        #expect(try await next.state() == "confirmation")
        await patienceIsOver()
        let ended = try await device.ask("GET", "/purchases/\(next.key)?wait=20&state=confirmation")
        #expect(ended.json["state"] as? String == "cancelled")

        // The page of a purchase that was confirmed asks nothing, and is no window: its sending closes the last one.
        next = try await Self.opened(bench, by: device)
        #expect(
            try await bench.control("PATCH", "/customers/ada@example.com", ["interruptsPurchases": true]).status == 200)
        let last = try await view()
        #expect(try await bench.browse(next.page + "/confirmation", ["code": next.code()]).status == 303)
        #expect(try await bench.browse(next.page + "/closing", last).status == 204)
        await beginnings.next()
        await patienceIsOver()
        let after = try await device.ask("GET", "/purchases/\(next.key)?wait=1&state=interrupted")
        #expect(after.json["state"] as? String == "interrupted")
    }

    @Test("Each end has its sentence: declined, restricted, owned, late, no processor")
    func ends() async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        var sheet = try await Self.opened(bench, Self.jungle, by: device)
        _ = try await bench.browse(sheet.page + "/confirmation", ["code": sheet.code()])
        #expect(try await sheet.state() == "purchased")
        let last = try await bench.control("GET", "/transactions?limit=1").json["items"] as? [[String: Any]]
        let number = try #require(last?.first?["transactionId"] as? String)
        #expect(try await device.ask("POST", "/transactions/\(number)/finish").status == 204)
        sheet = try await Self.opened(bench, Self.jungle, by: device)
        let owned = try await bench.browse(sheet.page).text
        #expect(owned.contains("You already own this; get it again for free.") && !owned.contains("Buy for"))

        sheet = try await Self.opened(bench, by: device)
        #expect(
            try await bench.control("PATCH", "/customers/ada@example.com", ["purchasesAllowed": false]).status == 200)
        let restricted = try await bench.browse(sheet.page).text
        #expect(restricted.contains("In-app purchases are not allowed") && !restricted.contains("Buy for"))
        _ = try await bench.control("PATCH", "/customers/ada@example.com", ["purchasesAllowed": true])
        bench.time.pass(.seconds(31 * 60))
        _ = try await bench.browse(sheet.page + "/confirmation", ["code": sheet.code()])
        #expect(try await bench.browse(sheet.page).text.contains("not confirmed in time"))

        let poor = try await ListenerBench(processor: NoProcessor())
        let buyer = try await poor.device()
        let missing = try await Self.opened(poor, by: buyer)
        #expect(try await poor.browse(missing.page).text.contains("This store cannot take payments yet."))
    }

    @Test("Without a processor production says so before anything is asked, on its sheet and in the console")
    func noProcessor() async throws {
        let bench = try await ListenerBench(.production, processor: NoProcessor())
        let owner = try await ConsoleVisitor.owner(bench)
        for page in ["", "/transactions", "/purchases"] {
            let text = try await bench.browse("/console/production" + page, nil, ["Cookie": owner.cookie]).text
            #expect(text.contains("Production has no payment processor"), "\(page)")
            #expect(!text.contains("Test cards: nothing is charged"))
        }
        let path = "/apps/\(ListenerBench.bundle)/products/\(Self.credits)/approval"
        #expect(try await bench.control("POST", path).status == 200)
        let sheet = try await Self.opened(bench)
        for page in [sheet.page, sheet.page + "/sign-up"] {
            let text = try await bench.browse(page).text
            #expect(text.contains("This store cannot take payments yet.") && text.contains("Cancel"))
            #expect(!text.contains("<input"), "nothing is asked")
        }
        #expect(try await bench.browse(sheet.page + "/cancellation", [:]).status == 303)
        #expect(try await sheet.state() == "cancelled")
    }

    @Test("A form pays with what the page had to choose from, and with nothing that somebody else has")
    func methods() async throws {
        for (form, isTaken) in [(PaymentForm.choices([("test_other", "another")]), true), (.own, false)] {
            let bench = try await ListenerBench(processor: ApprovingProcessor(form: form))
            let device = try await bench.device()
            let sheet = try await Self.opened(bench, by: device)
            let form = ["code": try await sheet.code(), "method": "test_other", "remember": "yes"]
            let answer = try await bench.browse(sheet.page + "/confirmation", form)
            #expect((answer.status == 303) == isTaken)
            let account = try await bench.control("GET", "/customers/ada@example.com").text
            #expect(account.contains("test_other") == isTaken)
            #expect(try await sheet.state() == (isTaken ? "purchased" : "confirmation"))
        }
    }

    @Test("Production that plays with test cards looks like the sandbox, on its sheet and in the console")
    func testCards() async throws {
        let band = "Test cards: nothing is charged"
        for (form, isPlayed) in [(PaymentForm.choices([("test_approved", "approved")]), true), (.own, false)] {
            let bench = try await ListenerBench(.production, processor: ApprovingProcessor(form: form))
            let path = "/apps/\(ListenerBench.bundle)/products/\(Self.credits)/approval"
            #expect(try await bench.control("POST", path).status == 200)
            let owner = try await ConsoleVisitor.owner(bench)
            let overview = try await bench.browse("/console/production", nil, ["Cookie": owner.cookie]).text
            #expect(overview.contains("frame production tested") == isPlayed && overview.contains(band) == isPlayed)
            #expect(try await bench.browse(Self.opened(bench).page).text.contains(band) == isPlayed)
        }
    }

    @Test("What was not shown is not bought: after a change of the price the page asks again")
    func price() async throws {
        let bench = try await ListenerBench()
        try await Self.account(bench)
        _ = try await bench.control(
            "POST", "/customers", ["email": "jun@example.com", "password": ListenerBench.password, "storefront": "JPN"])
        let sheet = try await Self.opened(bench)
        let former = "BCDF-GHJK"
        let jun = ["email": "jun@example.com", "password": ListenerBench.password]
        #expect(try await bench.browse(sheet.page + "/sign-in", jun).status == 303)
        #expect(try await bench.browse(sheet.page).text.contains("¥160"))
        let refused = try await bench.browse(sheet.page + "/confirmation", ["code": former])
        #expect(refused.status == 400 && refused.text.contains("The price has changed."))
        #expect(try await sheet.state() == "confirmation")
    }

    @Test("Addresses that nobody was given show nothing, and forms of other pages do nothing")
    func strangers() async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        let sheet = try await Self.opened(bench, by: device)
        let last = sheet.page.last == "A" ? "B" : "A"
        for page in [String(sheet.page.dropLast()) + last, "/pay/1", "/pay/1-", "/pay/-", "/pay/9-x", "/pay/x-\(last)"]
        {
            let answer = try await bench.browse(page)
            #expect(answer.status == 404 && !answer.text.contains("5 Credits"), "\(page)")
            #expect(try await bench.browse(page + "/cancellation", [:]).status == 404)
        }
        for fields in [["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"]] {
            #expect(try await bench.browse(sheet.page + "/cancellation", [:], fields).status == 403)
            let code = try await sheet.code()
            #expect(try await bench.browse(sheet.page + "/confirmation", ["code": code], fields).status == 403)
        }
        // What went wrong is said in the language of the browser, and nothing of it in that of developers.
        for language in Texts.languages {
            let fields = ["Accept-Language": language, "Sec-Fetch-Site": "cross-site"]
            let answer = try await bench.browse(sheet.page + "/cancellation", [:], fields).text
            #expect(answer.contains(Texts.best(for: [language])("sheet.error_foreign")), "\(language)")
            #expect(!answer.contains("somebody else"), "\(language)")
        }
        #expect(try await sheet.state() == "confirmation")
    }

    @Test("No text of a developer or a customer becomes markup")
    func markup() async throws {
        let bench = try await ListenerBench()
        let evil = #"<img src=x onerror="alert(1)">'"#
        let product: [String: Any] = [
            "type": "Consumable", "referenceName": "Evil", "price": ["amount": "0.99", "currency": "USD"],
            "texts": ["en-US": ["title": evil, "description": evil]],
        ]
        let id = "\(ListenerBench.bundle).evil"
        #expect(try await bench.control("PUT", "/apps/\(ListenerBench.bundle)/products/\(id)", product).status == 200)
        let sheet = try await Self.opened(bench, id)
        let signIn = try await bench.browse(sheet.page + "/sign-in", ["email": evil, "password": evil])
        for page in [try await bench.browse(sheet.page), signIn] {
            #expect(!page.text.contains("<img src=x") && page.text.contains("&lt;img src=x onerror=&quot;"))
        }
    }

    @Test("The page speaks the language of the device", arguments: Texts.languages)
    func languages(language: String) async throws {
        let bench = try await ListenerBench()
        var device = try BenchDevice(bench)
        var order = try await device.registration()
        order["language"] = language
        #expect(try await device.register(device.signed(order)).status == 201)
        let page = try await bench.browse(Self.opened(bench, by: device).page)
        let texts = Texts.best(for: [language])
        #expect(page.text.contains(#"<html lang="\#(language)">"#))
        for name in ["sheet.cancel", "sheet.sign_in", "sheet.total", "sheet.email"] {
            #expect(page.text.contains(texts(name)), "\(name)")
        }
    }

    @Test("X15: Production lets somebody make an account on the page; the sandbox does not")
    func signUp() async throws {
        let bench = try await ListenerBench(.production)
        let sheet = try await Self.opened(bench)
        let form = [
            "email": "new@example.com", "password": ListenerBench.password, "firstName": "Ada", "lastName": "L",
        ]
        #expect(try await bench.browse(sheet.page).text.contains("/sign-up"))
        #expect(try await bench.browse(sheet.page + "/sign-up").text.contains("given-name"))
        let short = try await bench.browse(
            sheet.page + "/sign-up", form.merging(["password": "x"]) { $1 })
        #expect(short.status == 400 && short.text.contains("at least 8") && short.text.contains("new@example.com"))
        let wrong = try await bench.browse(sheet.page + "/sign-up", form.merging(["email": "nobody"]) { $1 })
        #expect(wrong.status == 400 && wrong.text.contains("This is no e-mail address"))
        let made = try await bench.browse(sheet.page + "/sign-up", form)
        #expect(made.status == 303 && made.fields["Set-Cookie"] != nil)
        #expect(try await bench.browse(sheet.page).text.contains("new@example.com"))
        let again = try await Self.opened(bench)
        let taken = try await bench.browse(again.page + "/sign-up", form)
        #expect(taken.status == 400 && taken.text.contains("There is an account with this e-mail already"))

        let sandbox = try await ListenerBench()
        let test = try await Self.opened(sandbox)
        #expect(try await !sandbox.browse(test.page).text.contains("/sign-up"))
        #expect(try await sandbox.browse(test.page + "/sign-up", form).status == 403)
    }

    @Test("Only a password that was looked at stands for itself: a sign-in that comes too late proves nothing")
    func lateSignIn() async throws {
        let bench = try await ListenerBench(.production)
        try await Self.account(bench)
        let sheet = try await Self.opened(bench)
        let first = try await bench.browse(sheet.page + "/sign-in", Self.ada)
        #expect(first.fields["Set-Cookie"] != nil)
        // The purchase waits for a yes now, and whoever knows its address sends nonsense.
        let late = try await bench.browse(sheet.page + "/sign-in", ["email": "ada@example.com", "password": "guess"])
        #expect(late.status == 303 && late.fields["Set-Cookie"] == nil)
        let code = try await sheet.code()
        let unproven = try await bench.browse(sheet.page + "/confirmation", ["code": code])
        #expect(unproven.status == 400)
        #expect(try await sheet.state() == "confirmation")
    }

    @Test("R2.5, X15: A forgotten password ends the purchase with its own error, and a link sets another, once")
    func recovery() async throws {
        let bench = try await ListenerBench()
        try await Self.account(bench)
        let sheet = try await Self.opened(bench)
        #expect(try await bench.browse(sheet.page + "/recovery", ["email": "ada@example.com"]).status == 303)
        #expect(try await bench.browse(sheet.page).text.contains("Whoever looks after this store"))
        let ended = try await sheet.device.ask("GET", "/purchases/\(sheet.key)")
        #expect((ended.json["failure"] as? [String: Any])?["storeKitCode"] as? Int == 5020, "\(ended.text)")

        let begun = try await bench.control("POST", "/customers/ada@example.com/recovery")
        let path = "/recovery/\(try #require(begun.json["token"] as? String))"
        #expect(try await bench.browse(path).text.contains("new-password"))
        #expect(try await bench.browse(path, ["password": "x"]).status == 400)
        #expect(try await bench.browse(path, ["password": "another horse"]).status == 200)
        #expect(try await bench.browse(path).status == 404)
        #expect(try await bench.browse(path, ["password": "a third horse"]).status == 404)
        let next = try await Self.opened(bench)
        #expect(try await bench.browse(next.page + "/sign-in", Self.ada).status == 400)
        let right = ["email": "ada@example.com", "password": "another horse"]
        #expect(try await bench.browse(next.page + "/sign-in", right).status == 303)
        #expect(!bench.log.entries.withLock { "\($0)" }.contains(path))
    }
}

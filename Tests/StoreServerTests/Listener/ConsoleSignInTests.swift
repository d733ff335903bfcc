import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning
import Synchronization
import TestSupport
import Testing

@testable import StoreServer

/// People who come to the console by a password, as they go through its pages.
@Suite("Coming to the console by a password", .bounded)
struct ConsoleSignInTests {
    static let password = "a long enough one"

    /// The link of an invitation that somebody makes on a page.
    static func invite(
        _ email: String, as role: String, by visitor: ConsoleVisitor, at path: String = "/people"
    ) async throws -> String {
        let made = try await visitor.send(
            "\(path)/invitations", ["email": email, "name": "Ada", "role": role])
        #expect(made.status == 200, "\(made.text)")
        let start = try #require(made.text.range(of: "/console/invitation/"))
        return "/console/invitation/" + made.text[start.upperBound...].prefix { $0 != "<" && $0 != "\"" }
    }

    /// Somebody who was invited and has set a password.
    static func person(
        _ email: String, as role: String, _ bench: ListenerBench, at path: String = "/people"
    ) async throws -> ConsoleVisitor {
        let link = try await invite(email, as: role, by: ConsoleVisitor.owner(bench), at: path)
        let joined = try await bench.browse(link, ["password": password, "repeated": password])
        #expect(joined.status == 303, "\(joined.text)")
        return ConsoleVisitor(bench: bench, cookie: try ConsoleVisitor.cookie(of: joined))
    }

    static func signIn(
        _ bench: ListenerBench, _ email: String, _ password: String = password
    ) async throws -> ListenerBench.Answer {
        try await bench.browse("/console/sign-in", ["email": email, "password": password])
    }

    @Test("X14: An invited reviewer sets a password by the link, which opens once, and comes in by it from then on")
    func invitation() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let link = try await Self.invite("ada@example.com", as: "reviewer", by: owner)
        #expect(try await bench.browse(link).text.contains("you are invited as reviewer"))
        for (form, sentence) in [
            (["password": "short", "repeated": "short"], "A password has 10"),
            (["password": Self.password, "repeated": "another one, long"], "differ"),
        ] {
            let refused = try await bench.browse(link, form)
            #expect(refused.status == 400 && refused.text.contains(sentence), "\(refused.text)")
        }
        let joined = try await bench.browse(link, ["password": Self.password, "repeated": Self.password])
        #expect(joined.status == 303 && joined.fields["Location"] == "/console")
        let ada = ConsoleVisitor(bench: bench, cookie: try ConsoleVisitor.cookie(of: joined))
        #expect(try await ada.get("/review").status == 200)
        #expect(try await ada.get("/people").status == 403, "a reviewer looks after nobody")
        for path in [link, "/console/invitation/guess"] { #expect(try await bench.browse(path).status == 404) }

        let again = try await Self.signIn(bench, "Ada@Example.com")
        #expect(again.status == 303, "capitals do not count")
        for (email, password) in [("ada@example.com", "wrong password"), ("eve@example.com", Self.password)] {
            let refused = try await Self.signIn(bench, email, password)
            #expect(refused.status == 403 && refused.fields["Set-Cookie"] == nil)
            #expect(refused.text.contains("The e-mail address or the password is wrong."), "one sentence for both")
        }
        // Neither the link nor the password is in the log or in the database.
        let logged = bench.log.entries.withLock { "\($0)" }
        #expect(!logged.contains(String(link.suffix(30))) && !logged.contains(Self.password))
        let kept = try await bench.databases.catalogue.read { transaction in
            try transaction.query("SELECT password_hash FROM person") { try $0.value(0, as: String.self) }
        }
        #expect(kept.count == 1 && kept.allSatisfy { $0.hasPrefix("$scrypt$") })
    }

    @Test("Who is removed, or has another role, has it at once; sessions can be ended by others and by oneself")
    func sessions() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let ada = try await Self.person("ada@example.com", as: "operator", bench)
        let second = try await ConsoleVisitor(
            bench: bench, cookie: ConsoleVisitor.cookie(of: Self.signIn(bench, "ada@example.com")))
        let page = try await ada.get("/account").text
        #expect(page.contains("this one") && page.contains("signed in at 2 places"))
        let other = try #require(page.firstMatch(of: /name="session" value="([0-9a-f]+)"/)?.1)
        #expect(try await ada.send("/account/session", ["session": String(other)]).status == 303)
        #expect(try await second.get("/account").status == 303, "the other one is over")
        #expect(try await ada.get("/account").status == 200)
        #expect(try await ada.send("/account/session", ["session": "0000000000000000"]).text.contains("no session"))

        let role = ["email": "ada@example.com", "name": "Ada", "role": "support"]
        #expect(try await owner.send("/people/role", role).status == 303)
        #expect(try await ada.get("/people").status == 403)
        #expect(try await owner.send("/people/removal", ["email": "ada@example.com"]).status == 303)
        #expect(try await ada.get("/account").status == 303, "nobody of this address is here any more")
        #expect(try await Self.signIn(bench, "ada@example.com").status == 403)
        // Who belongs nowhere is forgotten, so that an invitation begins anew.
        let link = try await Self.invite("ada@example.com", as: "support", by: owner)
        let new = "another long one"
        #expect(try await bench.browse(link, ["password": new, "repeated": new]).status == 303)
    }

    @Test("Another password wants the present one, and ends every session but this")
    func change() async throws {
        let bench = try await ListenerBench()
        let ada = try await Self.person("ada@example.com", as: "operator", bench)
        let second = try await ConsoleVisitor(
            bench: bench, cookie: ConsoleVisitor.cookie(of: Self.signIn(bench, "ada@example.com")))
        let new = "another long one"
        let wrong = try await ada.send("/account/password", ["current": "guess guess", "password": new])
        #expect(wrong.status == 200 && wrong.text.contains("present password is another one"))
        #expect(
            try await ada.send("/account/password", ["current": Self.password, "password": new]).status == 303)
        #expect(try await ada.get("/account").status == 200)
        #expect(try await second.get("/account").status == 303)
        #expect(try await Self.signIn(bench, "ada@example.com").status == 403)
        #expect(try await Self.signIn(bench, "ada@example.com", new).status == 303)
    }

    @Test("X14: A second factor is set up by a code, asked for at every sign-in, and each code counts once")
    func secondFactor() async throws {
        let bench = try await ListenerBench()
        let ada = try await Self.person("ada@example.com", as: "operator", bench)
        let path = "/account/second-factor"
        #expect(try await ada.send(path).status == 303)
        let setup = try await ada.get(path).text
        #expect(setup.contains("<svg class=\"qr\""))
        let code = try Self.code(setup)
        let wrong = try await ada.send("\(path)/confirmation", ["code": "000000"])
        #expect(wrong.status == 200 && wrong.text.contains("The app shows another code"))
        let confirmed = try await ada.send("\(path)/confirmation", ["code": try code.typed(bench)])
        let shown = try #require(confirmed.text.firstMatch(of: /aria-label="Secret">([^<]*)</)?.1)
        let recovery = shown.split(separator: "\n").map(String.init)
        #expect(Set(recovery).count == 10, "\(confirmed.text)")
        #expect(try await !ada.get(path).text.contains(recovery[0]), "they are shown once")

        // The code that set it up has counted.
        func waiting() async throws -> String {
            let asked = try await Self.signIn(bench, "ada@example.com")
            #expect(asked.fields["Location"] == "/console/code")
            let cookie = try ConsoleVisitor.cookie(of: asked)
            #expect(try await bench.browse("/console/sandbox/account", nil, ["Cookie": cookie]).status == 303)
            return cookie
        }
        func enter(_ typed: String, _ cookie: String) async throws -> ListenerBench.Answer {
            try await bench.browse("/console/code", ["code": typed], ["Cookie": cookie])
        }
        let first = try await waiting()
        #expect(try await enter(code.typed(bench), first).status == 403)
        bench.time.pass(.seconds(30))
        let typed = try code.typed(bench)
        let entered = try await enter(typed, first)
        #expect(entered.status == 303)
        let back = ConsoleVisitor(bench: bench, cookie: try ConsoleVisitor.cookie(of: entered))
        #expect(try await back.get("/account").status == 200)
        #expect(try await enter(typed, try await waiting()).status == 403, "twice")

        // A recovery code opens once; capitals and what is between its halves do not count.
        #expect(try await enter(recovery[0].uppercased().replacing("-", with: " "), try await waiting()).status == 303)
        #expect(try await enter(recovery[0], try await waiting()).status == 403)
        #expect(try await back.get(path).text.contains("9 of 10"))
        let audit = try await bench.databases.catalogue.read {
            try CatalogueAudit.list(of: nil, team: nil, before: nil, limit: 20, in: $0)
        }
        #expect(audit.contains { $0.action == "recovery code of ada@example.com used" })
        #expect(!"\(audit)".contains(recovery[0]))
    }

    @Test("Five wrong codes begin the sign-in anew, and its time is ten minutes")
    func wrongCodes() async throws {
        let bench = try await ListenerBench()
        let (ada, code) = try await Self.withFactor("ada@example.com", bench)
        _ = ada
        let cookie = try ConsoleVisitor.cookie(of: await Self.signIn(bench, "ada@example.com"))
        for _ in 0..<5 {
            #expect(
                try await bench.browse("/console/code", ["code": "12345"], ["Cookie": cookie]).status == 403)
        }
        bench.time.pass(.seconds(60))
        let late = try await bench.browse("/console/code", ["code": code.typed(bench)], ["Cookie": cookie])
        #expect(late.status == 403 && late.text.contains("too many codes were wrong"), "\(late.text)")

        let slow = try ConsoleVisitor.cookie(of: await Self.signIn(bench, "ada@example.com"))
        bench.time.pass(PendingSignIns.life)
        #expect(
            try await bench.browse("/console/code", ["code": code.typed(bench)], ["Cookie": slow]).status == 403)
    }

    @Test("A role that needs a second factor sees nothing before it is set up; a reset lets who has lost it come in")
    func required() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let ada = try await Self.person("ada@example.com", as: "operator", bench)
        #expect(try await owner.send("/people/rule", ["roles": "operator"]).status == 303)
        let apps = try await ada.get("/apps")
        #expect(apps.status == 303 && apps.fields["Location"] == "/console/sandbox/account/second-factor")
        #expect(try await ada.send("/teams", ["teamId": "zoo", "name": "Zoo"]).status == 303)
        #expect(try await bench.control("GET", "/teams/zoo").status == 404, "nor changes anything")
        #expect(try await !ada.get("/account").text.contains("/console/sandbox/apps"))

        let path = "/account/second-factor"
        #expect(try await ada.send(path).status == 303)
        let code = try Self.code(await ada.get(path).text)
        #expect(try await ada.send("\(path)/confirmation", ["code": code.typed(bench)]).status == 200)
        #expect(try await ada.get("/apps").status == 200)

        #expect(try await owner.send("/people/second-factor", ["email": "ada@example.com"]).status == 303)
        #expect(try await ada.get("/account").status == 303, "every session is over")
        #expect(try await Self.signIn(bench, "ada@example.com").fields["Location"] == "/console")
        // A token of the sandbox resets nobody.
        let token = try await ConsoleVisitor.visitor(bench, .operator)
        #expect(try await token.send("/people/second-factor", ["email": "ada@example.com"]).status == 403)
    }

    @Test("Whoever has the machine of the store may need a code too")
    func owner() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        #expect(try await owner.send("/account/second-factor").status == 303)
        let code = try Self.code(await owner.get("/account/second-factor").text)
        #expect(try await owner.send("/account/second-factor/confirmation", ["code": code.typed(bench)]).status == 200)
        let opened = try await bench.browse(ConsoleVisitor.link(bench, "again"))
        #expect(opened.fields["Location"] == "/console/code")
        bench.time.pass(.seconds(30))
        let entered = try await bench.browse(
            "/console/code", ["code": code.typed(bench)], ["Cookie": ConsoleVisitor.cookie(of: opened)])
        #expect(entered.status == 303 && entered.fields["Location"] == "/console")
    }

    @Test("Wrong passwords are counted, alike for somebody who is not there, and no longer once time has passed")
    func limits() async throws {
        let bench = try await ListenerBench(.production)
        _ = try await Self.person("ada@example.com", as: "operator", bench)
        for email in ["ada@example.com", "nobody@example.com"] {
            var statuses: [Int] = []
            for _ in 0...GuessLimit.accountAtPlace.atOnce {
                statuses.append(try await Self.signIn(bench, email, "wrong password").status)
            }
            #expect(statuses.dropLast().allSatisfy { $0 == 403 } && statuses.last == 429, "\(email)")
        }
        #expect(try await Self.signIn(bench, "ada@example.com").status == 429)
        // In a browser in which she has signed in before, others' guesses do not count.
        let form = ["email": "ada@example.com", "password": Self.password]
        let cookie = try await ConsoleSignIn(bench.store).knownBrowser(of: "ada@example.com")
        for (value, status) in [(cookie, 303), (cookie + "x", 429), ("", 429)] {
            let known = try await bench.browse("/console/sign-in", form, ["Cookie": "till_console_known=\(value)"])
            #expect(known.status == status, "\(value)")
        }
        bench.time.pass(GuessLimit.accountAtPlace.interval)
        #expect(try await Self.signIn(bench, "ada@example.com").status == 303)
    }

    // MARK: Codes

    /// The app of somebody.
    struct App {
        let secret: [UInt8]

        func typed(_ bench: ListenerBench) throws -> String {
            try OneTimeCode(secret: secret).code(
                of: OneTimeCode.step(at: bench.time.current.millisecondsSinceEpoch / 1000))
        }
    }

    /// The app that has read what a page shows.
    private static func code(_ page: String) throws -> App {
        let text = try #require(page.firstMatch(of: /[A-Z2-7]{32}/)?.0)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var (bits, count, bytes) = (0, 0, [UInt8]())
        for letter in text {
            bits = bits << 5 | (alphabet.firstIndex(of: letter) ?? 0)
            count += 5
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(bits >> count & 0xFF))
            bits &= (1 << count) - 1
        }
        return App(secret: bytes)
    }

    private static func withFactor(
        _ email: String, _ bench: ListenerBench
    ) async throws -> (ConsoleVisitor, App) {
        let visitor = try await person(email, as: "operator", bench)
        #expect(try await visitor.send("/account/second-factor").status == 303)
        let app = try code(await visitor.get("/account/second-factor").text)
        #expect(try await visitor.send("/account/second-factor/confirmation", ["code": app.typed(bench)]).status == 200)
        return (visitor, app)
    }
}

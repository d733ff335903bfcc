import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import TestSupport
import Testing

@testable import StoreServer

/// Teams, their people and families, as they are looked after on the pages of the console.
@Suite("People in the console", .bounded)
struct ConsolePeopleTests {
    private static let application = [
        "teamName": "Zoo", "teamId": "zoo", "name": "Ada Ape", "email": "ada@zoo.example", "plans": "Animals",
        "version": "0", "agreed": "yes",
    ]

    @Test("X14: A team applies, reads and accepts the agreement, and sells once the store has said yes")
    func application() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        #expect(try await bench.browse("/console/apply").text.contains("keeps its commission"))
        for (name, value, sentence) in [
            ("agreed", "", "only after it has agreed"), ("teamId", "Zoo!", "lowercase letters"),
            ("teamId", "my-team", "another team has this id"), ("email", "ada", "name@host"),
            ("version", "7", "another text"),
        ] {
            let refused = try await bench.browse("/console/apply", Self.application.merging([name: value]) { $1 })
            #expect(refused.status == 400 && refused.text.contains(sentence), "\(name): \(refused.text)")
            #expect(refused.text.contains("Ada Ape"), "what was typed stays")
        }
        let sent = try await bench.browse("/console/apply", Self.application)
        let link = try #require(sent.fields["Location"])
        #expect(try await bench.browse(link).text.contains("It waits for the store"))
        #expect(
            try await bench.browse("/console/apply", Self.application).text.contains("another team has this id"),
            "nobody asks for the same twice")

        let page = try await owner.get("/teams/applications").text
        let id = try #require(page.firstMatch(of: /applications\/([0-9a-f]+)\/approval/)?.1)
        #expect(page.contains("Ada Ape") && page.contains("Animals"))
        #expect(try await owner.send("/teams/applications/\(id)/approval").status == 303)
        #expect(try await owner.send("/teams/applications/\(id)/approval").text.contains("decided about already"))
        let team = try await bench.control("GET", "/teams/zoo").json
        let agreements = try #require(team["agreements"] as? [[String: Any]])
        #expect(agreements.map { $0["acceptedBy"] as? String } == ["Ada Ape", "Ada Ape"])

        let password = ConsoleSignInTests.password
        let entered = try await bench.browse(link, ["password": password, "repeated": password])
        #expect(entered.status == 303, "\(entered.text)")
        let ada = ConsoleVisitor(bench: bench, cookie: try ConsoleVisitor.cookie(of: entered))
        #expect(try await ada.get("/team").fields["Location"] == "/console/sandbox/teams/zoo")
        #expect(try await ada.get("/teams/zoo").status == 200)
        #expect(try await ada.get("/teams/my-team").status == 404, "another team's")
        #expect(try await ada.get("/teams").status == 403)
        #expect(try await !bench.browse(link).text.contains("repeated"), "the link opens nothing any more")
    }

    @Test("A refusal has a reason, which the page of the application says")
    func refusal() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let link = try #require(try await bench.browse("/console/apply", Self.application).fields["Location"])
        let page = try await owner.get("/teams/applications").text
        let id = try #require(page.firstMatch(of: /applications\/([0-9a-f]+)\/refusal/)?.1)
        #expect(try await owner.send("/teams/applications/\(id)/refusal", ["reason": ""]).status == 200)
        #expect(try await owner.send("/teams/applications/\(id)/refusal", ["reason": "No animals"]).status == 303)
        #expect(try await bench.browse(link).text.contains("The store has refused: No animals"))
        #expect(try await bench.control("GET", "/teams/zoo").status == 404)
    }

    @Test("X14: The owner of a team invites, changes and removes; nobody else of it, and nobody of another team")
    func members() async throws {
        let bench = try await ListenerBench()
        let team = "/teams/my-team"
        let eve = try await ConsoleSignInTests.person("eve@example.com", as: "owner", bench, at: team)
        let tim = try await ConsoleSignInTests.person("tim@example.com", as: "developer", bench, at: team)
        #expect(try await tim.get(team).text.contains("eve@example.com"))
        #expect(try await !tim.get(team).text.contains("Invite somebody"))
        let invitation = ["email": "mia@example.com", "name": "Mia", "role": "support"]
        #expect(try await tim.send("\(team)/invitations", invitation).status == 403)
        let wrong = try await eve.send("\(team)/invitations", ["email": "mia", "name": "Mia", "role": "operator"])
        #expect(wrong.status == 200 && wrong.text.contains("name@host"))
        let wide = try await eve.send("\(team)/invitations", invitation.merging(["role": "operator"]) { $1 })
        #expect(wide.text.contains("It is one of owner"), "a team gives nobody the store")

        let link = try await ConsoleSignInTests.invite("mia@example.com", as: "support", by: eve, at: team)
        let page = try await eve.get(team).text
        let id = try #require(page.firstMatch(of: /name="invitation" value="([0-9a-f]+)"/)?.1)
        #expect(try await eve.send("\(team)/invitations/withdrawal", ["invitation": String(id)]).status == 303)
        #expect(try await bench.browse(link).status == 404, "it was taken back")

        let last = try await eve.send("\(team)/removal", ["email": "eve@example.com"])
        #expect(last.status == 200 && last.text.contains("only owner of the team"))
        #expect(try await eve.send("\(team)/removal", ["email": "tim@example.com"]).status == 303)
        #expect(try await tim.get(team).status == 303)

        // Another team.
        _ = try await bench.control("POST", "/teams", ["teamId": "zoo", "name": "Zoo"])
        #expect(try await eve.get("/teams/zoo").status == 404)
        for act in ["invitations", "removal", "second-factor", "session", "recovery", "role", "finance"] {
            let refused = try await eve.send("/teams/zoo/\(act)", invitation)
            #expect([403, 404].contains(refused.status), "\(act): \(refused.status)")
        }
    }

    @Test("A member of two teams acts for one at a time, and only the store resets what opens both")
    func memberships() async throws {
        let bench = try await ListenerBench()
        _ = try await bench.control("POST", "/teams", ["teamId": "zoo", "name": "Zoo"])
        let ada = try await ConsoleSignInTests.person("ada@example.com", as: "owner", bench, at: "/teams/zoo")
        let owner = try await ConsoleVisitor.owner(bench)
        let link = try await ConsoleSignInTests.invite(
            "ada@example.com", as: "developer", by: owner, at: "/teams/my-team")
        // Whoever has a password shows it: the link alone is nobody's.
        #expect(try await bench.browse(link, ["password": "another long one"]).status == 403)
        let joined = try await bench.browse(link, ["password": ConsoleSignInTests.password])
        #expect(joined.status == 303)
        #expect(try await ada.get("/account").text.contains("Look after My team"))
        #expect(try await ada.send("/account/membership", ["team": "my-team"]).status == 303)
        #expect(try await ada.get("/teams/my-team").status == 200)
        #expect(try await ada.get("/teams/zoo").status == 404)
        #expect(try await ada.send("/account/membership", ["team": "other"]).text.contains("not a member"))

        let eve = try await ConsoleSignInTests.person("eve@example.com", as: "owner", bench, at: "/teams/my-team")
        let reset = try await eve.send("/teams/my-team/recovery", ["email": "ada@example.com"])
        #expect(reset.status == 403 && reset.text.contains("only the store does this"))
        #expect(try await owner.send("/teams/my-team/recovery", ["email": "ada@example.com"]).status == 200)
    }

    @Test(
        "X14: Nobody gets a role by a password that was set elsewhere, and a link of the store's gives an address back")
    func claimedAddress() async throws {
        let bench = try await ListenerBench()
        _ = try await bench.control("POST", "/teams", ["teamId": "zoo", "name": "Zoo"])
        let (owner, ops) = (try await ConsoleVisitor.owner(bench), "ops@example.com")
        let mallory = try await ConsoleSignInTests.person("mallory@example.com", as: "owner", bench, at: "/teams/zoo")
        // Whom a team has entered itself gets no first password by it.
        let entered = ["email": ops, "name": "Ops", "role": "developer"]
        #expect(try await mallory.send("/teams/zoo/role", entered).status == 303)
        let recovery = try await mallory.send("/teams/zoo/recovery", ["email": ops])
        #expect(recovery.text.contains("has come in here by an invitation") && !recovery.text.contains("/invitation/"))
        // An invitation that mallory opens makes a password, for the zoo alone.
        let link = try await ConsoleSignInTests.invite(ops, as: "developer", by: mallory, at: "/teams/zoo")
        let (stolen, own) = (ConsoleSignInTests.password, "one of my own, long")
        #expect(try await bench.browse(link, ["password": stolen, "repeated": stolen]).status == 303)
        #expect(try await owner.send("/people/role", entered.merging(["role": "operator"]) { $1 }).status == 303)
        let thief = try await ConsoleVisitor(
            bench: bench, cookie: ConsoleVisitor.cookie(of: ConsoleSignInTests.signIn(bench, ops, stolen)))
        #expect(try await thief.get("/people").status == 403)
        #expect(try await !thief.get("/account").text.contains("Look after the store"))
        #expect(try await thief.send("/account/membership", ["team": ""]).text.contains("not a member"))

        let given = try await ConsoleSignInTests.invite(ops, as: "operator", by: owner)
        #expect(try await bench.browse(given).text.contains("You have set no password here"))
        let claim = ["password": own, "repeated": own, "claims": "yes"]
        let back = try await bench.browse(given, claim)
        #expect(back.status == 303, "\(back.text)")
        let real = ConsoleVisitor(bench: bench, cookie: try ConsoleVisitor.cookie(of: back))
        #expect(try await real.get("/people").status == 200)
        #expect(try await thief.get("/account").status == 303)
        #expect(try await ConsoleSignInTests.signIn(bench, ops, stolen).status == 403)
        // A team's own link takes nothing over.
        let again = try await ConsoleSignInTests.invite(ops, as: "developer", by: mallory, at: "/teams/zoo")
        #expect(
            try await bench.browse(again, claim.merging(["password": stolen, "repeated": stolen]) { $1 }).status == 403)
    }

    @Test("Bank data are masked on the team's page, and a form that was made from former ones changes nothing")
    func finance() async throws {
        let bench = try await ListenerBench(.production)
        let owner = try await ConsoleVisitor.owner(bench)
        let (path, iban) = ("/teams/my-team/finance", "DE89370400440532013000")
        let form = ["iban": iban, "accountHolder": "Ada", "revision": "0"]
        #expect(try await owner.send(path, form).status == 303)
        #expect(try await owner.get("/teams/my-team").text.contains("3000") == true)
        #expect(try await !owner.get("/teams/my-team").text.contains(iban))
        let late = try await owner.send(path, form.merging(["accountHolder": "Eve"]) { $1 })
        #expect(late.status == 200 && late.text.contains("somebody else has changed it"), "\(late.text)")
        #expect(late.text.contains(#"value="Eve""#) && late.text.contains("As it is now"))
        let known = try await bench.control("GET", "/teams/my-team/finance").json
        #expect(known["accountHolder"] as? String == "Ada" && known["revision"] as? Int == 1)
        // Nor does the audit, which more people read, have the number.
        #expect(try await !bench.control("GET", "/audit").text.contains(iban))
        let finance = try await ConsoleSignInTests.person("fin@example.com", as: "finance", bench, at: "/teams/my-team")
        #expect(try await finance.get(path).text.contains(iban))
        let tim = try await ConsoleSignInTests.person("tim@example.com", as: "developer", bench, at: "/teams/my-team")
        #expect(try await tim.get(path).status == 403)
        #expect(try await !tim.get("/teams/my-team").text.contains("Bank and tax"))
    }

    @Test("A suspension has a reason, says before in numbers what it does, and can be lifted")
    func suspension() async throws {
        let bench = try await ListenerBench(.production)
        let owner = try await ConsoleVisitor.owner(bench)
        let page = try await owner.get("/teams/my-team").text
        #expect(page.contains("1 apps with") && page.contains("are sold no more"))
        let without = try await owner.send("/teams/my-team/suspension", ["reason": ""])
        #expect(without.status == 200 && without.text.contains("A suspension has a reason"))
        #expect(try await owner.send("/teams/my-team/suspension", ["reason": "complaints"]).status == 303)
        #expect(try await owner.get("/teams/my-team").text.contains("Suspended: complaints."))
        #expect(try await owner.send("/teams/my-team/reinstatement").status == 303)
        #expect(try await !owner.get("/teams/my-team").text.contains("Suspended"))
    }

    @Test("R8.1: A tester needs an address and nothing else; what is drawn is shown once, and fixed")
    func testers() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let made = try await owner.send("/customers", ["email": "tim@example.com", "storefront": "USA"])
        #expect(made.status == 200 && made.text.contains("shown this once"), "\(made.text)")
        let secret = try #require(made.text.firstMatch(of: /tim@example\.com\n([a-z2-9]{16})/)?.1)
        #expect(made.text.contains("What was your first computer called?"))
        let page = try await owner.get("/customers/tim@example.com").text
        #expect(!page.contains(secret) && !page.contains("not given"), "a birth date was drawn")
        let device = try await bench.device()
        let signedIn = try await bench.ask(
            "POST", "/device/v1/sign-in", ["email": "tim@example.com", "password": String(secret)], token: device.token)
        #expect(signedIn.status == 200, "\(signedIn.text)")
        #expect(
            try await bench.control("PATCH", "/customers/tim@example.com", ["birthDate": "1990-01-01"]).status == 400)
        // What one comes to do is above everything else of the page.
        let first = try #require(page.range(of: "The next payment"))
        let purchases = try #require(page.range(of: "<h2>Purchases</h2>"))
        #expect(first.lowerBound < purchases.lowerBound)

        let drawn = try await bench.control("POST", "/customers", ["email": "mia@example.com", "drawsRest": true])
        #expect(drawn.status == 201 && (drawn.json["password"] as? String)?.count == 16)
        #expect(try await bench.control("GET", "/customers/mia@example.com").json["password"] == nil)
    }

    @Test("Families have a page: who is in them, who asks whom, and what waits for a yes")
    func families() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        for name in ["ada", "tim"] {
            _ = try await bench.control(
                "POST", "/customers", ["email": "\(name)@example.com", "password": ListenerBench.password])
        }
        let made = try await owner.send("/families", ["organiser": "ada@example.com"])
        let path = try #require(
            made.fields["Location"].map { String($0.prefix { $0 != "?" }.dropFirst("/console/sandbox".count)) })
        let wrong = try await owner.send("\(path)/members", ["member": "nobody@example.com", "role": "child"])
        #expect(wrong.status == 200 && wrong.text.contains("nobody@example.com"))
        #expect(try await owner.send("\(path)/members", ["member": "tim@example.com", "role": "child"]).status == 303)
        #expect(try await owner.send("\(path)/asking", ["member": "tim@example.com", "value": "on"]).status == 303)
        let page = try await owner.get(path).text
        #expect(page.contains("tim@example.com asks ada@example.com, who pays."), "\(page)")
        #expect(try await owner.get("/families").text.contains("ada@example.com"))
        #expect(try await owner.send("\(path)/removal", ["member": "tim@example.com"]).status == 303)
        #expect(try await owner.get(path).text.contains("1 of at most 6"))
        #expect(try await owner.send("\(path)/removal", ["member": "ada@example.com"]).status == 303)
        #expect(try await owner.get("/families").text.contains("There is no family yet."))
    }
}

import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning
import StoreTestSupport
import StoreWeb
import Synchronization
import TestSupport
import Testing

@testable import StoreServer

@Suite("The way into the console", .bounded)
struct ConsoleTests {
    private static let jungle = "\(ListenerBench.bundle).jungle"

    // MARK: The way in

    @Test("X9: A link opens one session, once and within the hour")
    func links() async throws {
        let bench = try await ListenerBench()
        let path = try await ConsoleVisitor.link(bench)
        let first = try await bench.browse(path)
        let set = try #require(first.fields["Set-Cookie"])
        #expect(set.contains("HttpOnly") && set.contains("SameSite=Lax") && set.contains("Path=/console"))
        #expect(first.fields["Cache-Control"] == "no-store")
        let visitor = ConsoleVisitor(bench: bench, cookie: try ConsoleVisitor.cookie(of: first))
        #expect(try await visitor.get("").status == 200)
        // Neither the link nor the session is in the log.
        let logged = bench.log.entries.withLock { "\($0)" }
        #expect(!logged.contains("enter/link") && !logged.contains(visitor.cookie.dropFirst(20)))

        // A look whether it is there leaves another one as it is.
        let looked = try await ConsoleVisitor.link(bench, "looked")
        let head = try await bench.ask("HEAD", looked)
        #expect(head.fields["Set-Cookie"] == nil && head.status == 200)
        #expect(try await bench.browse(looked).status == 303)

        let again = try await bench.browse(path)
        #expect(again.status == 403 && again.fields["Set-Cookie"] == nil && again.text.contains("till console"))
        let back = try await bench.browse(path, nil, ["Cookie": visitor.cookie])
        #expect(back.status == 303 && back.fields["Location"] == "/console", "whoever is in is led on")
        let late = try await ConsoleVisitor.link(bench, "late")
        bench.time.pass(.seconds(3601))
        #expect(try await bench.browse(late).status == 403)
        #expect(try await bench.browse("/console/enter/guess").status == 403)

        bench.time.pass(OperatorSessions.life)
        #expect(try await visitor.get("").status == 303, "a session ends")
    }

    @Test("A cookie from before the link opens nothing, and signing out ends a session")
    func fixation() async throws {
        let bench = try await ListenerBench()
        let planted = "till_console=planted"
        let answer = try await bench.browse(ConsoleVisitor.link(bench), nil, ["Cookie": planted])
        #expect(try ConsoleVisitor.cookie(of: answer) != planted)
        #expect(try await ConsoleVisitor(bench: bench, cookie: planted).get("").status == 303)

        let visitor = try await ConsoleVisitor.owner(bench)
        let proof = try OperatorSessions.proof(of: String(visitor.cookie.dropFirst("till_console=".count)))
        _ = try await bench.browse("/console/sign-out", ["proof": "wrong"], ["Cookie": visitor.cookie])
        #expect(try await visitor.get("").status == 200)
        _ = try await bench.browse("/console/sign-out", ["proof": proof], ["Cookie": visitor.cookie])
        #expect(try await visitor.get("").status == 303)
    }

    /// Every page and every form, as a path with something in it.
    private static func paths(_ bench: ListenerBench, _ method: HTTPMethod) -> [String] {
        bench.console.routes.filter { $0.method == method && $0.pattern.text.hasPrefix("/console/{environment}") }.map {
            route in
            var path = String(route.pattern.text.dropFirst("/console/{environment}".count))
            for (name, value) in [
                "transactionId": "2000000000000000", "act": "refund", "purchase": "1", "customer": "ada@example.com",
                "device": "1", "subscriptionId": "2000000000000000", "bundleId": ListenerBench.bundle,
                "productId": jungle, "request": "r", "notificationUUID": "u", "batchId": "1", "id": "1", "number": "1",
                "storeId": "1", "offerId": "o", "groupId": "g", "file": "f", "format": "catalogue", "role": "artwork",
                "position": "1", "version": "1.0", "reviewId": "1", "partner": "p", "backup": "b",
                "teamId": "my-team", "applicationId": "1", "kind": "paid", "month": "2026-11",
            ] { path = path.replacing("{\(name)}", with: value) }
            return path
        }
    }

    @Test("Nobody sees a page or sends a form without a session; a form without its page changes nothing")
    func strangers() async throws {
        let bench = try await ListenerBench()
        let transaction = try await ConsoleVisitor.sold(bench)
        let (pages, forms) = (Self.paths(bench, .get), Self.paths(bench, .post))
        #expect(pages.count >= 20 && forms.count >= 10)
        for path in pages {
            let answer = try await bench.browse("/console/sandbox" + path)
            #expect(answer.status == 303 && answer.fields["Location"] == "/console/sign-in", "\(path)")
            let stolen = try await bench.browse("/console/sandbox" + path, nil, ["Cookie": "till_console=guess"])
            #expect(stolen.status == 303, "\(path)")
        }
        let owner = try await ConsoleVisitor.owner(bench)
        for path in forms {
            #expect(try await bench.browse("/console/sandbox" + path, ["proof": ""]).status == 303, "\(path)")
            // A look at a pasted text changes nothing, and may come from anywhere of this host.
            if path != "/inspect" {
                // A file comes in another form, or is not taken.
                let isFile = [
                    "/image", "/prices/file", "/screenshot", "/import", "/content", "/artwork/1", "/package/1",
                ].contains(
                    where: path.hasSuffix)
                let expected = isFile ? 415 : 403
                #expect(try await owner.send(path, proof: "guess").status == expected, "\(path)")
            }
            let foreign = try await owner.send(path, proof: nil, ["Sec-Fetch-Site": "cross-site"])
            #expect(foreign.status == 403, "\(path)")
        }
        let found = try await bench.control("GET", "/transactions/\(transaction)")
        #expect((found.json["refunds"] as? [Any])?.isEmpty == true)
    }

    @Test("A customer's proofs open no page, and a token of one environment none of what the other has for itself")
    func customersAndElsewhere() async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        let token = device.token
        let elsewhere = try await ConsoleVisitor.visitor(bench, .operator)
        let (pages, forms) = (Self.paths(bench, .get), Self.paths(bench, .post))
        #expect((pages + forms).allSatisfy { !$0.contains("{") }, "a parameter has no value here")
        for path in pages {
            for fields in [
                ["Authorization": "Bearer \(token)"], ["Cookie": "till_console=\(token)"],
                ["Cookie": "till_sandbox_sheet=\(token)"],
            ] {
                let answer = try await bench.browse("/console/sandbox" + path, nil, fields)
                #expect(answer.status == 303 && answer.fields["Location"] == "/console/sign-in", "\(path)")
            }
        }
        // Of the catalogue there is one for both. Codes are redeemed in one environment, and prices brought to its people.
        let isShared = { (path: String) in
            (["/apps", "/items", "/new-app", "/import", "/catalogue/drafts", "/account"].contains(where: path.hasPrefix)
                || [
                    "/review", "/team", "/teams", "/teams/my-team", "/teams/applications", "/people",
                    "/agreements/paid", "/audit", "/audit.csv", "/audit.json",
                    "/review/\(ListenerBench.bundle)/products/\(Self.jungle)",
                    "/review/\(ListenerBench.bundle)/versions/1.0",
                ].contains(path))
                && ![
                    "/profile", "/purchase", "/codes", "/offer-keys", "/price-increase", "/pulse", "/notification",
                    "/reviews", "/publication",
                ].contains(
                    where: path.contains)
        }
        let proof = try OperatorSessions.proof(of: String(elsewhere.cookie.dropFirst("till_console=".count)))
        for path in pages {
            let answer = try await bench.browse("/console/production" + path, nil, ["Cookie": elsewhere.cookie])
            #expect(
                isShared(path) ? [200, 303, 404, 503].contains(answer.status) : answer.status == 403,
                "\(path): \(answer.status)")
        }
        let app = try await bench.browse(
            "/console/production/apps/\(ListenerBench.bundle)", nil, ["Cookie": elsewhere.cookie])
        #expect(!app.text.contains("How far its integration is"))
        for path in forms where !isShared(path) {
            let answer = try await bench.browse(
                "/console/production" + path, ["proof": proof], ["Cookie": elsewhere.cookie])
            #expect(answer.status == 403, "\(path): \(answer.status)")
        }
    }

    @Test("X14: A session of a token sees what its role includes, and ends with the token")
    func roles() async throws {
        let bench = try await ListenerBench()
        let transaction = try await ConsoleVisitor.sold(bench)
        let customers = [
            "", "/transactions", "/transactions/\(transaction)", "/subscriptions", "/customers", "/devices",
            "/requests", "/inspect",
        ]
        let catalogue = [
            "/apps", "/apps/\(ListenerBench.bundle)", "/apps/\(ListenerBench.bundle)/products/\(Self.jungle)",
        ]
        let table: [(visitor: ConsoleVisitor, customers: Int, catalogue: Int, tokens: Int)] = [
            (try await ConsoleVisitor.owner(bench), 200, 200, 200),
            (try await ConsoleVisitor.visitor(bench, .operator), 200, 200, 200),
            (try await ConsoleVisitor.visitor(bench, .support), 200, 200, 403),
            (try await ConsoleVisitor.visitor(bench, .reviewer), 403, 200, 403),
            (try await ConsoleVisitor.visitor(bench, .developer, member: true), 403, 200, 403),
            (try await ConsoleVisitor.visitor(bench, .support, member: true), 403, 200, 403),
        ]
        for (visitor, people, shelves, tokens) in table {
            for path in customers { #expect(try await visitor.get(path).status == people, "\(path)") }
            for path in catalogue { #expect(try await visitor.get(path).status == shelves, "\(path)") }
            #expect(try await visitor.get("/tokens").status == tokens)
        }
        // Whoever may look may not change.
        let reviewer = table[3].visitor
        let path = "/apps/\(ListenerBench.bundle)/grace-period"
        #expect(try await reviewer.send(path, ["days": "16"]).status == 403)
        #expect(try await table[4].visitor.send(path, ["days": "16"]).status == 303)
        // A token of the sandbox drafts what production sells, and does not publish it.
        let live = "/apps/\(ListenerBench.bundle)/products/\(Self.jungle)/withdrawal"
        #expect(try await table[4].visitor.send(live).status == 303)
        #expect(try await table[4].visitor.send("/catalogue/drafts/publication").status == 403)

        let (name, now) = ("gone", bench.time.current)
        let token = OperatorTokens.token(of: try RandomBytes()(32))
        try await bench.databases.catalogue.write {
            _ = try OperatorTokens.add(token, name: name, for: .sandbox, CatalogueChange(.owner, at: now, in: $0))
        }
        let answer = try await bench.browse("/console/sign-in", ["token": token])
        let visitor = ConsoleVisitor(bench: bench, cookie: try ConsoleVisitor.cookie(of: answer))
        #expect(try await visitor.get("/apps").status == 200)
        try await bench.databases.catalogue.write {
            try OperatorTokens.revoke(name: name, CatalogueChange(.owner, at: now, in: $0))
        }
        #expect(try await visitor.get("/apps").status == 303)
        #expect(try await bench.browse("/console/sign-in", ["token": token]).status == 403)
    }

    @Test("Whoever came with a token of one environment sees and ends none of the other")
    func foreignTokens() async throws {
        let bench = try await ListenerBench()
        let (token, now) = (OperatorTokens.token(of: try RandomBytes()(32)), bench.time.current)
        try await bench.databases.catalogue.write {
            _ = try OperatorTokens.add(
                token, name: "of-production", for: .production, CatalogueChange(.owner, at: now, in: $0))
        }
        let limited = try await ConsoleVisitor.visitor(bench, .operator)
        #expect(try await !limited.get("/tokens").text.contains("of-production"))
        // No token makes or ends another one, in whatever environment.
        for name in ["of-production", "bench"] {
            #expect(try await limited.send("/tokens/revocation", ["name": name]).status != 303)
        }
        let minted = try await limited.send("/tokens", ["name": "minted"])
        #expect(minted.status == 403 && !minted.text.contains("It is shown this once"))
        #expect(try await !limited.get("/tokens").text.contains("Make a token"))
        let owner = try await ConsoleVisitor.owner(bench)
        #expect(try await owner.get("/tokens").text.contains(#"value="of-production""#), "it can still be revoked")
        #expect(try await owner.send("/tokens/revocation", ["name": "of-production"]).status == 303)
        #expect(try await owner.send("/tokens", ["name": "minted"]).text.contains("It is shown this once"))
    }

    @Test(
        "What is decided about a product is sold in production, so that no operator's token of the sandbox decides it")
    func decisions() async throws {
        let bench = try await ListenerBench()
        let product = "/apps/\(ListenerBench.bundle)/products/\(Self.jungle)"
        let visitor = try await ConsoleVisitor.visitor(bench, .operator)
        for act in ["approval", "rejection"] {
            #expect(try await visitor.send("\(product)/review/\(act)", ["message": "No."]).status == 403)
        }
        let decided = try await bench.ask(
            "POST", "/control/v1" + product + "/decision", ["isApproved": true], token: ListenerBench.token)
        #expect(decided.status == 403, "\(decided.text)")
        // Nor a reviewer's of the sandbox, nor of the team; one of production may, and there is nothing to decide.
        for (role, isMember) in [(OperatorTokens.Role.reviewer, false), (.reviewer, true)] {
            let reviewer = try await ConsoleVisitor.visitor(bench, role, member: isMember)
            #expect(try await reviewer.send("\(product)/review/approval").status == 403)
        }
        let reviewer = try await ConsoleVisitor.visitor(bench, .reviewer, for: .production)
        #expect(try await reviewer.send("\(product)/review/approval").status == 200)
        let finance = try await ConsoleVisitor.visitor(bench, .finance, member: true)
        #expect(try await finance.get("/review").status == 403)
        #expect(try await !finance.get("/apps").text.contains("/review\""))
    }
}

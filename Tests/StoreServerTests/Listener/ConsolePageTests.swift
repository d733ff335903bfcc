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

@Suite("The pages of the console", .bounded)
struct ConsolePageTests {
    private static let credits = "\(ListenerBench.bundle).credits5"
    private static let jungle = "\(ListenerBench.bundle).jungle"

    @Test("No text of anybody is markup on any page")
    func texts() async throws {
        let bench = try await ListenerBench()
        let evil = #"<script>alert(1)</script>"'&"#
        let put = try await bench.control(
            "PUT", "/apps/\(ListenerBench.bundle)/products/\(ListenerBench.bundle).evil",
            [
                "type": "Consumable", "referenceName": evil, "price": ["amount": "1.00", "currency": "USD"],
                "texts": ["en-US": ["title": evil, "description": evil]],
            ])
        #expect([200, 201].contains(put.status), "\(put.text)")
        let made = try await bench.control(
            "POST", "/customers",
            [
                "email": #""<script>alert(1)</script>"@example.com"#, "password": ListenerBench.password,
                "firstName": evil, "lastName": evil, "paymentMethod": "test_approved",
            ])
        #expect(made.status == 201, "\(made.text)")
        let customer = try #require(made.json["customerId"] as? String)
        let sold = try await bench.control(
            "POST", "/purchases",
            ["customer": customer, "bundleId": ListenerBench.bundle, "productId": "\(ListenerBench.bundle).evil"])
        let transaction = try #require(sold.json["transactionId"] as? String, "\(sold.text)")
        // An app may ask for anything, and send any path.
        var device = try BenchDevice(bench)
        try await device.register()
        _ = try await device.ask("POST", "/products", ["productIds": [evil]])
        _ = try await bench.browse("/device/v1/%3Cscript%3Ealert(1)%3C%2Fscript%3E")
        let owner = try await ConsoleVisitor.owner(bench)
        let query = "q=%3Cscript%3Ealert(1)%3C/script%3E"
        let pages = [
            "", "/transactions", "/transactions/\(transaction)", "/transactions/\(transaction)/refund", "/purchases",
            "/customers", "/customers/\(customer)", "/apps", "/apps/\(ListenerBench.bundle)", "/devices", "/requests",
            "/apps/\(ListenerBench.bundle)/products/\(ListenerBench.bundle).evil",
            "/apps/\(ListenerBench.bundle)/products/\(ListenerBench.bundle).evil/sheet", "/tokens",
            "/transactions?\(query)", "/customers?\(query)", "/requests?\(query)", "/search?\(query)",
            "/inspect?transaction=\(transaction)",
        ]
        var mentions = 0
        for path in pages {
            let page = try await owner.get(path)
            #expect([200, 404].contains(page.status), "\(path) \(page.status)")
            #expect(!page.text.contains("<script>alert"), "\(path)")
            mentions += page.text.contains("&lt;script&gt;alert") ? 1 : 0
            #expect(page.fields["Content-Security-Policy"]?.hasPrefix("default-src 'self'") == true, "\(path)")
            #expect(page.fields["Content-Security-Policy"]?.contains("frame-ancestors 'none'") == true, "\(path)")
            #expect(!page.text.contains(" style=") && !page.text.contains(" onclick="), "\(path)")
        }
        #expect(mentions >= 10, "the texts are there, as texts: \(mentions)")
        let pasted = try await owner.send("/inspect", ["text": #"eyJ9.<script>alert(1)</script>.x"#])
        #expect(pasted.status == 200 && !pasted.text.contains("<script>alert"))
    }

    @Test("A path leads to pages of this store alone")
    func redirects() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        for path in ["/search?q=//evil.example", "/search?q=https://evil.example/", "/customers/%2F%2Fevil.example"] {
            let answer = try await owner.get(path)
            let place = answer.fields["Location"] ?? "/console"
            #expect(place.hasPrefix("/console"), "\(path): \(place)")
        }
    }

    @Test("X13: The page of a transaction tells its life and gives money back, in part and whole, once")
    func refunds() async throws {
        let bench = try await ListenerBench()
        let transaction = try await ConsoleVisitor.sold(bench, Self.jungle)
        let owner = try await ConsoleVisitor.owner(bench)
        let page = try await owner.get("/transactions/\(transaction)").text
        #expect(page.contains("Ordered by the owner") && page.contains("The money was taken"))
        #expect(page.contains("signature good") && page.contains("proceeds/"))
        #expect(page.contains("every device") && page.contains("transaction, event 1"))
        #expect(try await owner.send("/transactions/\(transaction)/redelivery").status == 303)
        #expect(try await owner.get("/transactions/\(transaction)").text.contains("transaction, event 2"))
        let told = try await bench.control("GET", "/transactions/\(transaction)").json["events"] as? [[String: Any]]
        #expect(told?.map { $0["number"] as? Int } == [1, 2] && told?.first?["kind"] as? String == "transaction")
        let buyer = try await owner.get("/customers/ada@example.com").text
        #expect(buyer.contains("/transactions/\(transaction)/refund") && buyer.contains("Preview the sheet"))
        let preview = try await owner.get(
            "/customers/ada@example.com/sheet?bundle=\(ListenerBench.bundle)&product=\(Self.jungle)")
        #expect(preview.fields["Location"]?.hasSuffix("/products/\(Self.jungle)/sheet?storefront=USA") == true)
        #expect(try await owner.get("/customers/ada@example.com/sheet?bundle=&product=x").status == 400)
        #expect(page.contains("till transactions show \(transaction) --data ./bench"))

        // By its app, of which no device has ever been heard, and by its product.
        for name in [ListenerBench.bundle, Self.jungle] {
            #expect(try await owner.get("/transactions?q=\(name)").text.contains("/transactions/\(transaction)"))
        }
        #expect(try await !owner.get("/transactions?q=com.example").text.contains("/transactions/\(transaction)"))

        let ask = "/transactions/\(transaction)/refund"
        #expect(try await owner.get(ask).text.contains("$2.09 leaves the proceeds"))
        let key = UUID().uuidString
        let part = ["amount": "1.00", "key": key, "reason": "issue"]
        #expect(try await owner.send(ask, part).status == 303)
        #expect(try await owner.send(ask, part).status == 303, "sent twice, given back once")
        let wrong = try await owner.send(ask, ["amount": "2.00", "key": UUID().uuidString])
        #expect(
            wrong.status == 200 && wrong.text.contains("1.99 USD can be given back")
                && wrong.text.contains(#"role="alert""#))
        #expect(wrong.text.contains(#"value="2.00""#) && wrong.text.contains(">$2.00</span>"), "its button says it")
        let doubtful = try await owner.send(ask, ["amount": " ", "revokes": "yes", "key": UUID().uuidString])
        #expect(doubtful.text.contains("Only with an amount") && doubtful.text.contains("Refund $1.99, take it back"))
        let nonsense = try await owner.send(ask, ["amount": "much", "key": UUID().uuidString])
        #expect(nonsense.text.contains("The amount is a plain decimal number"))
        #expect(try await owner.send(ask, ["amount": ""]).status == 303)
        let found = try await bench.control("GET", "/transactions/\(transaction)")
        let amounts = ((found.json["refunds"] as? [[String: Any]]) ?? []).compactMap { refund in
            (refund["amount"] as? [String: Any])?["amount"] as? String
        }
        #expect(amounts == ["1.00", "1.99"])
        #expect(try await owner.get("/transactions/\(transaction)").text.contains("got the money back"))
        let check = try await bench.control("POST", "/ledger/check")
        #expect(check.json["isInOrder"] as? Bool == true, "\(check.text)")
    }

    @Test("What is paid is told apart from what its app has delivered, and is late after a day")
    func delivery() async throws {
        let bench = try await ListenerBench()
        let transaction = try await ConsoleVisitor.sold(bench)
        let pages = ["", "/transactions", "/transactions/\(transaction)", "/customers/ada@example.com"]
        func expect(_ delivery: String, _ word: String) async throws {
            let owner = try await ConsoleVisitor.owner(bench)
            for path in pages {
                let page = try await owner.get(path).text
                #expect(page.contains(#"<span class="tag good">paid</span>"#), "\(path)")
                #expect(page.contains(#"<span class="\#(delivery)""#) && page.contains(">\(word)</span>"), "\(path)")
            }
        }
        try await expect("delivery", "waits for its app")
        bench.time.pass(.seconds(25 * 60 * 60))
        try await expect("delivery late", "waits for its app")
        let owner = try await ConsoleVisitor.owner(bench)
        #expect(try await owner.send("/transactions/\(transaction)/finish").status == 303)
        try await expect("delivery done", "delivered")
    }

    @Test("X6: Requests are kept with what they were told, and without their secrets")
    func requests() async throws {
        let bench = try await ListenerBench()
        let transaction = try await ConsoleVisitor.sold(bench)
        let receipt = try await bench.control("GET", "/transactions/\(transaction)/receipt")
        let text = try #require(receipt.json["receipt"] as? String)
        _ = try await bench.ask("POST", "/verifyReceipt", ["receipt-data": text, "password": "verysecretindeed"])
        _ = try await bench.ask("POST", "/verifyReceipt", ["receipt-data": "bm9wZQ=="])
        var device = try BenchDevice(bench)
        try await device.register()
        _ = try await device.ask("POST", "/products", ["productIds": [Self.jungle]])
        let refused = try await device.ask("POST", "/purchases", ["productId": "nothing"], key: UUID().uuidString)
        let id = try #require((refused.json["error"] as? [String: Any])?["request_id"] as? String)
        let owner = try await ConsoleVisitor.owner(bench)
        let list = try await owner.get("/requests").text
        #expect(list.contains("A server has a receipt verified") && list.contains("An app asks for products"))
        #expect(!list.contains(device.token) && !list.contains(ListenerBench.token))
        let one = try await owner.get("/requests/\(id)")
        #expect(one.text.contains("This product cannot be bought here") && one.text.contains("/devices/"))
        #expect(try await owner.get("/search?q=\(id)").fields["Location"]?.hasSuffix("/requests/\(id)") == true)
        let faced = try await bench.control("GET", "/requests?refused=true")
        let codes = ((faced.json["items"] as? [[String: Any]]) ?? []).compactMap { $0["code"] as? String }
        #expect(codes == ["product_unknown", "21002"], "\(faced.text)")
        let reasons = ((faced.json["items"] as? [[String: Any]]) ?? []).compactMap { $0["message"] as? String }
        #expect(reasons.count == 2, "why is beside the number: \(faced.text)")

        let verification = try #require(
            ((try await bench.control("GET", "/requests").json["items"] as? [[String: Any]]) ?? [])
                .last { $0["path"] as? String == "/verifyReceipt" }?["requestId"] as? String)
        let decoded = try await owner.get("/requests/\(verification)").text
        #expect(decoded.contains("genuine") && decoded.contains(transaction) && !decoded.contains("verysecretindeed"))
    }

    @Test("Of receipts that were to be verified the newest are kept, and the oldest give way")
    func keptReceipts() async throws {
        let bench = try await ListenerBench()
        let large = String(repeating: "A", count: 1_500_000)
        for _ in 0..<4 { _ = try await bench.ask("POST", "/verifyReceipt", ["receipt-data": large]) }
        let owner = try await ConsoleVisitor.owner(bench)
        let items = try #require(
            try await bench.control("GET", "/requests?refused=true").json["items"] as? [[String: Any]])
        var kept: [Bool] = []
        for item in items {
            let id = try #require(item["requestId"] as? String)
            kept.append(try await owner.get("/requests/\(id)").text.contains("The receipt that was sent"))
        }
        #expect(kept == [true, true, false, false])
    }

    @Test("The list of an app ticks itself as the app and its server do something")
    func steps() async throws {
        let bench = try await ListenerBench()
        func done() async throws -> [String] {
            let found = try await bench.control("GET", "/apps/\(ListenerBench.bundle)/steps")
            return ((found.json["items"] as? [[String: Any]]) ?? []).filter { $0["date"] != nil }.compactMap {
                $0["step"] as? String
            }
        }
        #expect(try await done() == [])
        var device = try BenchDevice(bench)
        try await device.register()
        _ = try await device.ask("POST", "/products", ["productIds": [Self.jungle, "com.example.wrong"]])
        #expect(try await done() == ["profile", "products"])
        let owner = try await ConsoleVisitor.owner(bench)
        let page = try await owner.get("/apps/\(ListenerBench.bundle)").text
        #expect(page.contains("com.example.wrong: the app has no product of this id"))
        #expect(page.contains(#"data-pulse="steps 2""#))
        #expect(try await owner.get("/apps/\(ListenerBench.bundle)/pulse?after=steps+1").text == "steps 2")
        bench.time.pass(.seconds(60))
        _ = try await device.ask("POST", "/products", ["productIds": [Self.jungle]])
        #expect(try await done() == ["profile", "products", "valid_products"])
        let transaction = try await ConsoleVisitor.sold(bench)
        let receipt = try await bench.control("GET", "/transactions/\(transaction)/receipt")
        _ = try await bench.ask("POST", "/verifyReceipt", ["receipt-data": try #require(receipt.json["receipt"])])
        // What the operator has sold says nothing of the app.
        #expect(try await done() == ["profile", "products", "valid_products", "receipt"])
        _ = try await bench.device().buy(Self.jungle)
        #expect(try await done() == ["profile", "products", "valid_products", "purchase", "receipt"])
    }

    @Test("Any text can be inspected: what is genuine is told from what is not, and nothing of it does harm")
    func inspection() async throws {
        let bench = try await ListenerBench()
        let transaction = try await ConsoleVisitor.sold(bench)
        let receipt = try #require(
            try await bench.control("GET", "/transactions/\(transaction)/receipt").json["receipt"] as? String)
        let issued = try await bench.control("POST", "/profiles", ["bundleId": ListenerBench.bundle])
        let profile = try #require(issued.json["profile"] as? String)
        func look(_ text: String) async throws -> [String: Any] {
            let answer = try await bench.control("POST", "/inspection", ["text": text])
            #expect(answer.status == 200, "\(answer.text)")
            return answer.json
        }
        let genuine = try await look(receipt)
        #expect(genuine["isGenuine"] as? Bool == true && genuine["kind"] as? String == "app_receipt")
        #expect(genuine["transactionIds"] as? [String] == [transaction])
        #expect(try await look("{\"receipt-data\": \"\(receipt)\"}")["isGenuine"] as? Bool == true)
        #expect(try await look(profile)["kind"] as? String == "provisioning_profile")
        let forged = profile.dropLast(4) + "AAAA"
        #expect(try await look(String(forged))["isGenuine"] as? Bool == false)
        // Whatever is called genuine says what was signed.
        let signed = [genuine["contents"] as? [String], try await look(profile)["contents"] as? [String]]
        for mutant in Mutants("inspection", of: [receipt, profile, "{\"receipt-data\": \"\(receipt)\"}"], rounds: 300) {
            let found = try await look(mutant.text)
            guard found["isGenuine"] as? Bool == true else { continue }
            #expect(signed.contains(found["contents"] as? [String]), "\(mutant)")
        }
    }

    @Test("R8.1: Testers are made in the console, keep what was typed, and choose what happens next")
    func testers() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let wrong = try await owner.send(
            "/customers", ["email": "eve@example.com", "password": "x", "storefront": "DEU"])
        #expect(wrong.status == 200 && wrong.text.contains("A password has") && wrong.text.contains("eve@example.com"))
        #expect(!wrong.text.contains(#"value="x""#))
        #expect(wrong.text.contains(#"value="DEU" selected"#))
        let eve = ["email": "eve@example.com", "password": "correct horse", "storefront": "DEU"]
        let unborn = try await owner.send("/customers", eve.merging(["birthDate": "1990-02-30"]) { $1 })
        #expect(unborn.status == 200 && unborn.text.contains("is a date such as"))
        let person = ["birthDate": "1990-12-31", "secretQuestion": "Which street?", "secretAnswer": "Elm Street"]
        let made = try await owner.send("/customers", eve.merging(person) { $1 })
        let place = try #require(made.fields["Location"]?.prefix { $0 != "?" }.dropFirst("/console/sandbox".count))
        let path = String(place)
        #expect(try await owner.send(path + "/payment", ["value": "test_declined"]).status == 303)
        let declined = try await bench.control(
            "POST", "/purchases",
            ["customer": "eve@example.com", "bundleId": ListenerBench.bundle, "productId": Self.credits])
        #expect(declined.json["transactionId"] == nil, "\(declined.text)")
        #expect(try await owner.get("").text.contains("100.0 %"), "what an operator ordered counts too")
        let page = try await owner.get(path).text
        #expect(page.contains("<dd>Germany</dd>"))
        let choice = #"name="storefront"><option value="USA">United States</option><option value="AFG">Afghanistan"#
        #expect(try await owner.get("/customers").text.contains(choice))
        #expect(page.contains("1990-12-31") && page.contains("Which street?") && !page.contains("Elm Street"))
        #expect(page.contains("pays with test_declined") && page.contains(#"aria-pressed="true">is declined"#))
        #expect(try await owner.send(path + "/purchases", ["value": "off"]).status == 303)
        #expect(try await owner.get(path).text.contains("may not buy"))

        // Whoever leaves a family loses something, which is said before.
        #expect(try await owner.send(path + "/family", ["value": "eve@example.com"]).status == 303)
        #expect(try await owner.get(path).text.contains("0 members lose what is shared with them"))
        #expect(try await owner.send(path + "/family-leaving").status == 303)
        #expect(try await owner.get(path).text.contains("In no family."))
    }

    @Test(
        "What waits for a reviewer needs somebody, in the overview of both environments",
        arguments: StoreEnvironment.allCases)
    func reviews(_ environment: StoreEnvironment) async throws {
        let bench = try await ListenerBench(environment)
        let owner = try await ConsoleVisitor.owner(bench)
        let app = "/apps/\(ListenerBench.bundle)"
        let product: [String: Any] = [
            "type": "Consumable", "referenceName": "New", "price": ["amount": "0.99", "currency": "USD"],
            "texts": ["en-US": ["title": "New", "description": ""]],
        ]
        let path = app + "/products/\(ListenerBench.bundle).new"
        #expect(try await bench.control("PUT", path, product).status == 200)
        let before = try await bench.control("GET", "/overview").json
        #expect(before["reviews"] as? Int == 0 && (before["versionsInReview"] as? [Any])?.count == 0)
        let submission = ["category": "content", "delivers": "x"]
        #expect(try await bench.control("POST", path + "/submission", submission).status == 200)
        #expect(try await bench.control("POST", app + "/versions", ["version": "7.1"]).status == 201)
        #expect(try await bench.control("POST", app + "/versions/7.1/submission").status == 200)
        let found = try await bench.control("GET", "/overview").json
        let versions = found["versionsInReview"] as? [[String: String]]
        #expect(found["reviews"] as? Int == 1)
        #expect(versions == [["bundleId": ListenerBench.bundle, "version": "7.1"]])
        let page = try await owner.get("").text
        #expect(page.contains("1 product waits for a decision.") && !page.contains("nothing needs anybody"))
        #expect(page.contains("Version 7.1 of ") && page.contains("/review/\(ListenerBench.bundle)/versions/7.1\""))
    }

    @Test("The overview names tokens and certificates before they end, and what replaces them")
    func endings() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        func names() async throws -> [String] {
            let found = try await bench.control("GET", "/overview").json["endings"] as? [[String: Any]]
            return (found ?? []).compactMap { $0["name"] as? String }
        }
        #expect(try await names() == [])
        let (now, day) = (bench.time.current, Duration.seconds(24 * 60 * 60))
        try await bench.databases.catalogue.write {
            for (name, environment, days) in [
                ("soon", StoreEnvironment.sandbox, 13), ("later", .sandbox, 20), ("other", .production, 13),
            ] {
                let token = OperatorTokens.token(of: try RandomBytes()(32))
                _ = try OperatorTokens.add(
                    token, name: name, for: environment, life: day * days, CatalogueChange(.owner, at: now, in: $0))
            }
        }
        #expect(try await names() == ["the token soon"])
        let page = try await owner.get("").text
        #expect(
            page.contains("the token soon, on")
                && page.contains("till control-token create NAME --environment sandbox --data ./bench"))
        bench.time.pass(day * 10)
        #expect(try await names() == ["the token soon", "the token later"])
        try await bench.databases.catalogue.write {
            try OperatorTokens.revoke(name: "soon", CatalogueChange(.owner, at: now, in: $0))
        }
        #expect(try await names() == ["the token later"])
        // Those of the sandbox are good for a century, because its clock may be set.
        let production = try await ListenerBench(.production)
        production.time.pass(day * 3 * 365)
        let leaf = try await StoreOverview(of: production.store).endings.first { $0.name == "the jws leaf certificate" }
        #expect(leaf?.remedy == "keys rotate --environment production --from leaf")
    }
}

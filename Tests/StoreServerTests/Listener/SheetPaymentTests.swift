import Foundation
import StoreHTTP
import StoreModel
import StoreRules
import TestSupport
import Testing

@testable import StoreServer

/// What the page of a purchase offers to pay with, and what it says of that.
@Suite("Paying on the page of a purchase", .bounded)
struct SheetPaymentTests {
    private static let cards = PaymentForm.choices([
        ("test_approved", "approved"), ("test_declined", "declined"), ("test_other", "another"),
    ])
    private static let club = "\(ListenerBench.bundle).club"

    /// The page of a purchase, and how the purchase stands for its device.
    private struct Sheet {
        let bench: ListenerBench
        let device: BenchDevice
        let key = UUID().uuidString
        let page: String

        init(_ bench: ListenerBench, _ product: String = "credits5", by device: BenchDevice) async throws {
            (self.bench, self.device) = (bench, device)
            let body = ["productId": "\(ListenerBench.bundle).\(product)"]
            let answer = try await device.ask("POST", "/purchases", body, key: key)
            let confirmation = try #require(answer.json["confirmation"] as? [String: Any], "\(answer.text)")
            page = try #require(confirmation["page"] as? String)
        }

        func text() async throws -> String { try await bench.browse(page).text }

        func form(_ action: String) async throws -> ShownForm {
            let forms = ShownForm.all(in: try await text())
            return try #require(forms.first { $0.action.hasSuffix(action) }, "\(forms)")
        }

        /// Sends the form as it is shown, with a few more answers.
        @discardableResult
        func send(_ action: String, _ answers: [String: String] = [:]) async throws -> ListenerBench.Answer {
            let shown = try await form(action).fields.filter { !$0.isTick || $0.isTicked }
            let fields = Dictionary(shown.map { ($0.name, $0.value) }) { $1 }
            return try await bench.browse(page + action, fields.merging(answers) { $1 })
        }

        func state() async throws -> String? {
            try await device.ask("GET", "/purchases/\(key)").json["state"] as? String
        }

        func cards() async throws -> [String] {
            let account = try await bench.control("GET", "/customers/ada@example.com").json
            let methods = account["paymentMethods"] as? [[String: Any]] ?? []
            return methods.compactMap { $0["token"] as? String }
        }
    }

    @Test(
        "R2.3: A declined card leaves the sheet with the others, and the app hears nothing until one pays or all are given up"
    )
    func declined() async throws {
        let bench = try await ListenerBench(processor: ApprovingProcessor(form: Self.cards))
        let device = try await bench.device()
        for gives in [false, true] {
            let sheet = try await Sheet(bench, by: device)
            #expect(try await sheet.send("/confirmation", ["method": "test_declined"]).status == 303)
            #expect(try await sheet.state() == "processing")
            let page = try await sheet.text()
            #expect(page.contains("The card was declined. Nothing was charged.") && page.contains("Buy for $0.99"))
            let form = try await sheet.form("/payment")
            #expect(form.fields.first { $0.name == "method" }?.value == "test_approved")
            if gives {
                #expect(try await bench.browse(sheet.page + "/cancellation", [:]).status == 303)
                #expect(try await sheet.state() == "cancelled")
                continue
            }
            let old = Dictionary(form.fields.filter { !$0.isTick }.map { ($0.name, $0.value) }) { $1 }
            #expect(try await sheet.send("/payment").status == 303)
            #expect(try await sheet.state() == "purchased")
            // The page from before has nothing to pay any more.
            #expect(try await bench.browse(sheet.page + "/payment", old).status == 303)
            let sold = try await bench.control("GET", "/transactions?customer=ada@example.com").json["items"] as? [Any]
            #expect(sold?.count == 1)
        }
    }

    @Test("A card is remembered only if that is asked for; what renews keeps its card")
    func remembered() async throws {
        for (product, ticks, isKept) in [("credits5", false, false), ("credits5", true, true), ("club", false, true)] {
            let bench = try await ListenerBench(processor: ApprovingProcessor(form: Self.cards))
            let sheet = try await Sheet(bench, product, by: try await bench.device())
            #expect(try await sheet.form("/confirmation").names.contains("remember") == (product == "credits5"))
            let answers = ["method": "test_other"].merging(ticks ? ["remember": "yes"] : [:]) { $1 }
            #expect(try await sheet.send("/confirmation", answers).status == 303)
            #expect(try await sheet.state() == "purchased")
            #expect(try await sheet.cards() == (isKept ? ["test_approved", "test_other"] : ["test_approved"]))
            guard ticks else { continue }
            // One that the account has already is what it pays with from then on.
            let again = try await Sheet(bench, "jungle", by: sheet.device)
            try await again.send("/confirmation", ["method": "test_approved", "remember": "yes"])
            #expect(try await again.cards() == ["test_other", "test_approved"])
        }
    }

    @Test("After each decline the account is shown, and first a card that was not declined, if there is one")
    func declinedAgain() async throws {
        let cards = PaymentForm.choices([
            ("test_declined", "declined"), ("test_poor", "too"), ("test_other", "another"),
        ])
        let declined: Set = ["test_declined", "test_poor"]
        let bench = try await ListenerBench(processor: ApprovingProcessor(declined: declined, form: cards))
        let ada = [
            "email": "ada@example.com", "password": ListenerBench.password, "paymentMethod": "test_declined",
        ]
        #expect(try await bench.control("POST", "/customers", ada).status == 201)
        let sheet = try await Sheet(bench, by: try await bench.device())
        var (address, action, first) = (sheet.page, "/confirmation", "test_declined")
        for next in ["test_poor", "test_other"] {
            let forms = ShownForm.all(in: try await bench.browse(address).text)
            let shown = try #require(forms.first { $0.action.hasSuffix(action) }).fields.filter { !$0.isTick }
            #expect(shown.first { $0.name == "method" }?.value == first)
            let fields = Dictionary(shown.map { ($0.name, $0.value) }) { $1 }
            address = try #require(try await bench.browse(sheet.page + action, fields).fields["Location"])
            (action, first) = ("/payment", next)
        }
        let page = try await bench.browse(address).text
        #expect(page.contains("ada@example.com") && page.contains("The card was declined."))
        let form = try #require(ShownForm.all(in: page).first { $0.action.hasSuffix(action) })
        #expect(form.fields.first { $0.name == "method" }?.options == ["test_other", "test_declined", "test_poor"])
    }

    @Test("What waits at the bank says in the console how a bank that is played is answered, or where a real one asks")
    func atTheBank() async throws {
        for isPlayed in [true, false] {
            let cards = PaymentForm.choices([("test_action_needed", "asks")])
            let bench = try await ListenerBench(processor: ApprovingProcessor(playsBank: isPlayed, form: cards))
            let sheet = try await Sheet(bench, by: try await bench.device())
            #expect(try await sheet.send("/confirmation", ["method": "test_action_needed"]).status == 303)
            let page = try await ConsoleVisitor.owner(bench).get("/purchases/1").text
            #expect(page.contains("till processor act authorise-1 ") == isPlayed, "\(page)")
            #expect(page.contains(#"href="\#(ApprovingProcessor.action)""#) != isPlayed, "\(page)")
        }
    }

    @Test(
        "X7: A trial says how long it lasts, what follows and with which card, before and after a sign-in, in the preview too"
    )
    func trial() async throws {
        let bench = try await ListenerBench(processor: ApprovingProcessor(form: Self.cards))
        let path = "/apps/\(ListenerBench.bundle)/products/\(Self.club)"
        let offer = ["kind": "introductory", "paymentMode": "free", "period": "P1W"]
        let put = try await bench.control("PUT", path + "/offers/introductory", offer)
        #expect([200, 201].contains(put.status), "\(put.text)")
        var stranger = try BenchDevice(bench)
        #expect(try await stranger.register().status == 201)
        let before = try await Sheet(bench, "club", by: stranger).text()
        #expect(before.contains("For new subscribers: 1 week free, then $1.49 a month."), "\(before)")
        #expect(before.contains("<span>free</span>") && !before.contains("<span>$1.49</span>"), "\(before)")
        let after = try await Sheet(bench, "club", by: try await bench.device()).text()
        #expect(after.contains("1 week free, then $1.49 a month, with test_approved. Cancel before"), "\(after)")
        let owner = try await ConsoleVisitor.owner(bench)
        let preview = try await owner.get(path + "/sheet").text
        #expect(preview.contains("1 week free, then $1.49 a month, with Visa"), "\(preview)")
        #expect(preview.contains(">Back to ") && preview.contains(">Buy it as a tester</a>"), "\(preview)")
    }

    @Test("X7: A child asks the organiser by name, and is shown no cards")
    func child() async throws {
        let bench = try await ListenerBench(processor: ApprovingProcessor(form: Self.cards))
        let parent = [
            "email": "parent@example.com", "password": ListenerBench.password, "firstName": "Grace",
            "lastName": "Hopper",
        ]
        #expect(try await bench.control("POST", "/customers", parent).status == 201)
        let device = try await bench.device()
        #expect(try await bench.control("POST", "/families", ["organiser": "parent@example.com"]).status == 201)
        let child = ["customer": "ada@example.com", "role": "child"]
        #expect(try await bench.control("POST", "/families/parent@example.com/members", child).status == 200)
        let sheet = try await Sheet(bench, by: device)
        let form = try await sheet.form("/confirmation")
        #expect(!form.names.contains("method") && !form.names.contains("remember"))
        #expect(try await sheet.text().contains(">Ask Grace Hopper</button>"))
        #expect(try await sheet.send("/confirmation").status == 303)
        #expect(try await sheet.state() == "deferred")
    }

    @Test("An interruption says how it is settled")
    func interrupted() async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        let change = try await bench.control("PATCH", "/customers/ada@example.com", ["interruptsPurchases": true])
        #expect(change.status == 200)
        let sheet = try await Sheet(bench, by: device)
        try await sheet.send("/confirmation")
        let page = try await sheet.text()
        #expect(page.contains("till purchases settle 1"))
        #expect(page.contains(#"data-watch="2""#) && page.contains(#"http-equiv="refresh""#), "it goes on by itself")
    }
}

import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

/// What becomes of a purchase whose card is declined on its page: it rests, and another card pays it once.
@Suite("Declined cards on the page of a purchase", .bounded)
struct DeclinedCardTests {
    /// A customer before the page of a purchase, whose usual card is declined and who has another one.
    private struct Page {
        let scene: SaleScene
        let customer: CustomerID
        let purchase: PurchaseID
        let token: String

        var sheet: PaymentSheet { PaymentSheet(scene.store) }

        init(_ scene: SaleScene, buying item: SoldItem) async throws {
            self.scene = scene
            customer = try await scene.customer(pays: "approve")
            try await scene.addMethod("decline", to: customer)
            purchase = try await scene.open(scene.order(item), on: scene.device(customer)).id
            token = try await PaymentSheet(scene.store).token(of: purchase)
        }

        func confirm() async throws {
            let id = purchase
            let code = try await scene.store.database.read { try Purchases.require(id, in: $0).code }
            _ = try await sheet.confirm(
                token, code: code ?? "", password: nil, isProven: false, paidWith: .init(""), from: .local,
                request: nil)
        }

        func payAgain(after attempt: Int = 1, with method: String = "approve") async throws {
            let id = customer
            let methods = try await scene.store.database.read { try Customers.paymentMethods(of: id, in: $0) }
            let found = try #require(methods.first { $0.token == method })
            _ = try await sheet.payAgain(
                token, after: attempt, password: nil, isProven: false,
                with: .init(PaymentSheet.Choice.name(of: found, in: .own)), from: .local, request: nil)
        }

        func state() async throws -> SaleState {
            let id = purchase.sale
            return try await scene.store.database.read { try SaleStatus.require(id, in: $0).state }
        }

        func captures() async -> [String] { await scene.processor.movements.keys.sorted() }

        func requireBooks() async throws {
            let report = try await LedgerCheck(scene.store.database).run(comparedWith: scene.processor)
            #expect(report.problems.isEmpty, "\(report.problems)")
        }
    }

    @Test(
        "R2.6: Another card pays what one was declined for, once, by keys of its own", arguments: StoreEngine.allCases)
    func another(engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let page = try await Page(scene, buying: .sample(.consumable))
            try await page.confirm()
            #expect(try await page.state() == .choosing)
            #expect(await page.captures() == [])
            try await page.payAgain(with: "decline")
            #expect(try await page.state() == .choosing)
            // Of two presses one counts, and a page from before counts no more.
            async let first: Void = page.payAgain(after: 2)
            async let second: Void = page.payAgain(after: 2)
            _ = try await (first, second)
            try await page.payAgain(after: 1)
            #expect(try await page.state() == .purchased)
            let keys = await page.captures()
            #expect(keys.count == 1 && keys.allSatisfy { $0.hasSuffix("/3/capture") }, "\(keys)")
            #expect(
                try await scene.history(page.purchase).map(\.event) == [
                    .opened, .confirmed, .declined, .triedAgain, .declined, .triedAgain, .authorised, .captured,
                ])
            try await page.requireBooks()
        }
    }

    @Test(
        "R2.6: A store that is killed while another card is tried takes the money once",
        arguments: [ScriptedProcessor.Fault.lostBefore, .lostAfter], ["authorise", "capture"])
    func killed(fault: ScriptedProcessor.Fault, step: String) async throws {
        try await SaleScene.on(.memory) { scene in
            let page = try await Page(scene, buying: .sample(.consumable))
            try await page.confirm()
            await scene.processor.plan(step, fault)
            try await page.payAgain()
            #expect(await [.authorising, .capturing].contains(try page.state()))
            // Who begins anew finds the row, and goes on with its keys.
            try await Recovery(scene.store).run()
            #expect(try await page.state() == .purchased)
            let keys = await page.captures()
            #expect(keys.count == 1 && keys.allSatisfy { $0.hasSuffix("/2/capture") }, "\(keys)")
            #expect(await scene.processor.held == 0)
            try await page.requireBooks()
        }
    }

    @Test("R2.6: The customer who gives up, leaves or takes too long pays nothing, and the app hears why")
    func givenUp() async throws {
        try await SaleScene.on(.memory) { scene in
            for (end, state) in [("cancel", SaleState.cancelled), ("close", .cancelled), ("wait", .declined)] {
                let page = try await Page(scene, buying: .sample(.consumable))
                try await page.confirm()
                switch end {
                case "cancel": try await page.sheet.cancel(page.token, request: nil)
                case "close": try await page.sheet.close(page.token, request: nil)
                default:
                    scene.time.pass(ChargeLimits.choice)
                    _ = try await scene.charges.look(after: page.purchase.sale.charge)
                }
                #expect(try await page.state() == state, "\(end)")
                // It is over.
                try await page.payAgain()
                #expect(try await page.state() == state)
            }
            #expect(await scene.processor.movements.isEmpty)
        }
    }

    @Test("R2.8: What the customer got elsewhere meanwhile is not paid twice")
    func ownedMeanwhile() async throws {
        try await SaleScene.on(.memory) { scene in
            let item = try SoldItem.sample(.nonConsumable)
            let page = try await Page(scene, buying: item)
            try await page.confirm()
            let other = try await scene.open(scene.order(item), on: scene.device(page.customer))
            try await scene.addMethod("approve", to: page.customer)
            #expect(try await scene.confirm(other.id).state == .purchased)
            try await page.payAgain()
            #expect(try await page.state() == .declined)
            #expect(await page.captures().count == 1)
        }
    }

    @Test("A yes elsewhere than on the page ends with the first declined card")
    func elsewhere() async throws {
        try await SaleScene.on(.memory) { scene in
            let page = try await Page(scene, buying: .sample(.consumable))
            #expect(try await scene.confirm(page.purchase).state == .declined)
        }
    }

    @Test("A token that is misspelt is refused where it is known which there are, with the one that was meant")
    func misspelt() throws {
        let cards = PaymentForm.choices([("test_approved", "Is approved"), ("test_declined", "Is declined")])
        try cards.require("test_declined", parameter: "token")
        try PaymentForm.own.require("tok_1", parameter: "token")
        let slip = #expect(throws: ServiceError.self) { try cards.require("test_declind", parameter: "token") }
        #expect(slip?.parameter == "token" && slip?.message.hasSuffix("did you mean test_declined?") == true)
        let other = #expect(throws: ServiceError.self) { try cards.require("visa", parameter: "token") }
        #expect(other?.message.hasSuffix("it has test_approved, test_declined") == true)
    }
}

import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

/// What children want to buy and somebody else decides.
@Suite("Ask to Buy", .bounded)
struct AskToBuyTests {
    @Test(
        "R8.2: A child asks, the organiser pays and the child gets it; the books agree", arguments: StoreEngine.allCases
    )
    func approved(_ engine: StoreEngine) async throws {
        try await FamilyScene.on(engine) { family in
            let scene = family.scene
            let device = try await scene.device(family.child)
            let asked = try await family.ask(family.own, on: device)
            #expect(asked.state == .approval && asked.stored.approver == family.organiser)
            #expect(await scene.processor.calls.isEmpty)
            #expect(try await scene.count("SELECT count(*) FROM sale_order") == 0)
            let sale = try await family.decide(asked.id, true)
            #expect(sale.state == .purchased)
            let charge = try #require(sale.charge)
            #expect(charge.payer == family.organiser && charge.customer == family.child)
            let method = try await scene.store.database.read {
                try Customers.paymentMethods(of: family.organiser, in: $0).last
            }
            #expect(charge.paymentMethod == method?.id)
            #expect(sale.bought?.customerID == family.child && sale.bought?.ownership == .purchased)
            #expect(try await scene.events(device).map(\.kind) == [.purchase, .transaction])
            // The same answer again is the same, and another one is too late.
            #expect(try await family.decide(asked.id, true).bought?.id == sale.bought?.id)
            await #expect(throws: ServiceError.self) { try await family.decide(asked.id, false) }
            #expect(await scene.processor.count("capture") == 1)
            #expect(try await scene.check().isInOrder)
            let report = try await scene.check()
            #expect(report.isInOrder && report.entries == 1)
            // What is owned is not asked for again.
            try await scene.finish(sale.bought?.id, on: device)
            #expect(try await family.ask(family.own, on: device).state == .purchased)
        }
    }

    @Test(
        "R8.2: What is sold to a child without a device waits for the organiser too, also after an interruption",
        arguments: [false, true])
    func withoutDevice(_ isInterrupted: Bool) async throws {
        try await FamilyScene.on(.memory) { family in
            let (scene, child) = (family.scene, family.child.description)
            func sell() async throws -> SaleStatus {
                let selection = try Checkout.Selection(
                    product: family.own.product.text, quantity: nil, accountToken: nil)
                return try await scene.checkout.sell(
                    selection, to: child, app: BundleID(parsing: "com.example.app42"), key: nil, family.cause
                ).status
            }
            _ = try await Accounts(scene.store).change(
                child, .init(interruptsPurchases: isInterrupted), family.cause)
            var asked = try await sell()
            if isInterrupted {
                #expect(asked.state == .interrupted)
                asked = try await scene.checkout.settleInterruption(of: "\(asked.id)", family.cause)
            }
            #expect(asked.state == .approval && asked.purchase?.approver == family.organiser)
            #expect(await scene.processor.calls.isEmpty)
            let answered = try await family.decide(asked.id.purchase, true)
            #expect(answered.state == .purchased && answered.charge?.payer == family.organiser)
            // What is owned is not asked for again.
            #expect(try await sell().id == asked.id)
            #expect(await scene.processor.count("capture") == 1)
        }
    }

    @Test("R8.2: A no and a day without an answer end it, and nothing is charged", arguments: [true, false])
    func refused(_ isRefused: Bool) async throws {
        try await FamilyScene.on(.memory) { family in
            let scene = family.scene
            let device = try await scene.device(family.child)
            let asked = try await family.ask(family.own, on: device)
            if isRefused {
                #expect(try await family.decide(asked.id, false).failure == .refused)
                #expect(try await family.decide(asked.id, false).failure == .refused)
            } else {
                scene.time.pass(PurchaseLimits.approval - .seconds(1))
                try await scene.work(by: .environment)
                #expect(try await scene.purchase(asked.id).state == .approval)
                scene.time.pass(.seconds(1))
                try await scene.work(by: .environment)
                #expect(try await scene.purchase(asked.id).failure == .expired)
            }
            await #expect(throws: ServiceError.self) { try await family.decide(asked.id, true) }
            #expect(await scene.processor.calls.isEmpty)
            #expect(try await scene.events(device).map(\.kind) == [.purchase, .purchase])
            #expect(try await scene.count("SELECT count(*) FROM work WHERE kind = 'purchase'") == 0)
        }
    }

    @Test("A test asks without a family: the customer pays, and production does not simulate it")
    func simulated() async throws {
        try await FamilyScene.on(.memory) { family in
            let scene = family.scene
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            let order = CheckoutRequest(
                key: PurchaseKey(UUID()), item: family.own, quantity: 1, accountToken: nil, asksToBuy: true,
                confirmation: try Confirmation(random: scene.store.random))
            let opened = try await scene.open(order, on: device)
            let asked = try await scene.confirm(opened.id)
            #expect(asked.state == .approval && asked.stored.approver == nil)
            // Whoever knows the page decides.
            let askToBuy = AskToBuy(scene.store)
            let token = try await askToBuy.token(of: asked.id)
            #expect(try await !askToBuy.content(token).needsPassword)
            let page = try await askToBuy.decide(
                token, isApproved: true, email: "", password: "", from: .local, request: nil)
            #expect(page.sheet.status.state == .purchased && page.sheet.status.charge?.payer == customer)
            await #expect(throws: ServiceError.self) { try await askToBuy.content(token + "x") }
            // Without the wish the next one is not asked for.
            #expect(try await scene.buy(.sample(.consumable), on: device).state == .purchased)
        }
    }

    @Test("On the page an adult of the family decides, by the password; the child and strangers do not")
    func onThePage() async throws {
        try await FamilyScene.on(.memory) { family in
            let scene = family.scene
            let stranger = try await scene.customer()
            let cheap = try Scrypt(logarithmicCost: 4, blockSize: 8, parallelism: 1)
            let hash = try PasswordHash("correct horse", scrypt: cheap).text
            try await scene.store.database.write { transaction in
                for one in [family.adult, family.child, stranger] {
                    try Customers.setPassword(hash, of: one, in: transaction)
                }
            }
            let asked = try await family.ask(family.own, on: scene.device(family.child))
            let askToBuy = AskToBuy(scene.store)
            let token = try await askToBuy.token(of: asked.id)
            #expect(try await askToBuy.content(token).needsPassword)
            for (one, password, code) in [
                (family.adult, "wrong horse", RefusalCode.credentialsWrong),
                (family.child, "correct horse", .notAllowed),
                (stranger, "correct horse", .notAllowed),
            ] {
                let error = await #expect(throws: ServiceError.self) {
                    try await askToBuy.decide(
                        token, isApproved: true, email: "customer\(one)@example.com", password: password, from: .local,
                        request: nil)
                }
                #expect(error?.code == code)
            }
            #expect(try await scene.purchase(asked.id).state == .approval)
            let page = try await askToBuy.decide(
                token, isApproved: true, email: "customer\(family.adult)@example.com", password: "correct horse",
                from: .local, request: "r-9")
            #expect(page.sheet.status.state == .purchased && page.sheet.status.charge?.payer == family.organiser)
            let line = try await scene.history(asked.id).first { $0.event == .approved }
            #expect(line?.actor == "approver/\(family.adult)" && line?.request == "r-9")
        }
    }

    @Test(
        "Two approvers at once: one answer counts, and it is charged once", arguments: [StoreEngine.memory, .postgres])
    func atOnce(_ engine: StoreEngine) async throws {
        try await FamilyScene.on(engine) { family in
            let scene = family.scene
            let device = try await scene.device(family.child)
            for answers in [[true, true], [true, false]] {
                let asked = try await family.ask(.sample(.consumable, 7009), on: device)
                await withTaskGroup(of: Void.self) { group in
                    for answer in answers { group.addTask { _ = try? await family.decide(asked.id, answer) } }
                }
                let ended = try await scene.look(after: asked.id)
                #expect(ended.state == .purchased || answers.contains(false) && ended.failure == .refused)
                #expect((ended.charge != nil) == (ended.state == .purchased))
            }
            let sold = try await scene.count("SELECT count(*) FROM store_transaction")
            #expect(await scene.processor.movements.count == sold)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("A store that stops between the yes and the money goes on at its next start, with the organiser's card")
    func killed() async throws {
        try await FamilyScene.on(.memory) { family in
            let scene = family.scene
            let asked = try await family.ask(family.own, on: scene.device(family.child))
            // The answer of the processor never arrives, as if the store had stopped.
            await scene.processor.failAtRandom(SplitMix64(seed: 1), perMille: 1000)
            _ = try await family.decide(asked.id, true)
            #expect(try await scene.purchase(asked.id).state == .charging)
            await scene.processor.failAtRandom(nil)
            try await Recovery(scene.store).run()
            let ended = try await scene.purchase(asked.id)
            #expect(ended.state == .purchased && ended.charge?.payer == family.organiser)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("An organiser without a card is told, and can try again; one who leaves decides no more")
    func organiserWithoutCard() async throws {
        try await FamilyScene.on(.memory) { family in
            let (scene, accounts) = (family.scene, Accounts(family.scene.store))
            let name = family.organiser.description
            let device = try await scene.device(family.child)
            let asked = try await family.ask(family.own, on: device)
            let method = try #require(try await accounts.account(named: name).methods.last)
            try await accounts.removePaymentMethod(method.id, of: name, family.cause)
            let error = await #expect(throws: ServiceError.self) { try await family.decide(asked.id, true) }
            #expect(error?.code == .noPaymentMethod)
            #expect(try await scene.purchase(asked.id).state == .approval)
            try await scene.addMethod("approve", to: family.organiser)
            #expect(try await family.decide(asked.id, true).state == .purchased)
            let next = try await family.ask(family.shared, on: device)
            try await family.leave(family.organiser)
            #expect(try await scene.purchase(next.id).failure == .refused)
            #expect(try await scene.count("SELECT count(*) FROM family_member") == 0)
            // Nobody asks for the child any more.
            #expect(try await accounts.account(named: family.child.description).customer.asksToBuy == false)
        }
    }

    // MARK: Subscriptions

    /// A subscription that the organiser has approved, with its first transaction finished.
    private static func subscribed(
        _ family: FamilyScene
    ) async throws -> (plan: SoldItem, device: DeviceScope, token: DeviceToken) {
        let (plan, scene) = (try SaleScene.plan(family.own.id.number, cents: 199), family.scene)
        let (device, token) = try await scene.registered(family.child)
        let sale = try await family.decide(family.ask(plan, on: device).id, true)
        try await scene.finish(sale.bought?.id, on: device)
        return (plan, device, token)
    }

    private static func payers(_ scene: SaleScene) async throws -> [CustomerID] {
        try await scene.store.database.read { transaction in
            try transaction.query("SELECT payer_id FROM charge ORDER BY id") { try $0.value(0, as: CustomerID.self) }
        }
    }

    @Test("R8.2: In the grace period a child asks before the overdue renewal is paid, and the organiser pays it")
    func overdue() async throws {
        try await FamilyScene.on(.memory) { family in
            let scene = family.scene
            try await scene.setGrace(days: 16)
            let (plan, device, _) = try await Self.subscribed(family)
            try await scene.addMethod("decline", to: family.organiser)
            try await scene.pass(days: 32)
            #expect(try await scene.subscription().state == .grace)
            for one in [family.organiser, family.child] { try await scene.addMethod("approve", to: one) }
            let asked = try await family.ask(plan, on: device)
            #expect(asked.state == .approval && asked.charge == nil)
            #expect(await scene.processor.count("capture") == 1)
            #expect(try await family.decide(asked.id, true).charge?.payer == family.organiser)
            #expect(try await scene.subscription().state == .active)
            #expect(await scene.processor.count("capture") == 2)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("R8.2: A child asks before what was turned off renews again, and before an offer is the next price")
    func turnedOff() async throws {
        try await FamilyScene.on(.memory) { family in
            let scene = family.scene
            let (plan, device, _) = try await Self.subscribed(family)
            let ahead = OfferTerms(
                kind: .promotional, id: "ahead", mode: .payUpFront, period: try BillingPeriod(parsing: "P1Y"), count: 1,
                price: Money(minorUnits: 1_999, currency: .usd))
            let isAsked = try await scene.store.database.read { transaction in
                let child = try Customers.require(family.child, in: transaction)
                return try [plan, plan.offered(ahead)].map {
                    try Purchases.isAsked(
                        $0, of: child, for: device.requireCustomerScope(), at: scene.time.current, in: transaction)
                }
            }
            #expect(isAsked == [false, true])
            try await scene.handle(.turnedOff)
            for isApproved in [false, true] {
                let asked = try await family.ask(plan, on: device)
                #expect(asked.state == .approval)
                #expect(try await !scene.subscription().rules.renews)
                let answered = try await family.decide(asked.id, isApproved)
                #expect(answered.state == (isApproved ? .purchased : .failed) && answered.charge == nil)
                #expect(try await scene.subscription().rules.renews == isApproved)
            }
            try await scene.pass(days: 32)
            #expect(try await Self.payers(scene) == [family.organiser, family.organiser])
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("R8.2: The organiser pays for renewals too, and a child that leaves the family pays what is still owed")
    func renewals() async throws {
        try await FamilyScene.on(.memory) { family in
            let (scene, changes) = (family.scene, SubscriptionChanges(family.scene.store))
            _ = try await Self.subscribed(family)
            try await scene.addMethod("decline", to: family.child)
            try await scene.pass(days: 32)
            let id = try await scene.subscription().id
            #expect(try await scene.periods().count == 2)
            #expect(try await changes.details(of: id).method?.token == "approve")
            try await scene.addMethod("decline", to: family.organiser)
            try await scene.pass(days: 30)
            #expect(try await scene.subscription().state == .retry)
            #expect(try await Self.payers(scene).last == family.organiser)
            try await family.leave(family.child)
            try await scene.addMethod("approve", to: family.child)
            #expect(try await changes.resolve(id, family.cause).state == .active)
            #expect(try await Self.payers(scene) == [family.organiser, family.organiser, family.child])
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("R8.2: A child is not asked about a higher price, and its yes is refused: the store takes the answer")
    func higherPrice() async throws {
        try await FamilyScene.on(.memory) { family in
            let (scene, consents) = (family.scene, PriceConsents(family.scene.store))
            let (_, _, token) = try await Self.subscribed(family)
            let (id, now) = (try await scene.subscription().id, scene.time.current)
            let price = Money(minorUnits: 999, currency: .usd)
            try await scene.handle(.raised(PriceIncrease(price: price, needsConsent: true, askedAt: now)))
            #expect(try await consents.waiting(as: token).subscriptions.isEmpty)
            let error = await #expect(throws: ServiceError.self) {
                try await consents.answer(
                    id, PriceConsentRequest(agrees: true, askedAt: now), as: token, request: nil)
            }
            #expect(error?.code == .notAllowed)
            #expect(try await scene.subscription().rules.openIncrease?.price == price)
            let agreed = try await SubscriptionChanges(scene.store).answerPrice(id, agrees: true, family.cause)
            #expect(agreed.rules.openIncrease == nil && agreed.rules.increase?.holds == true)
        }
    }
}

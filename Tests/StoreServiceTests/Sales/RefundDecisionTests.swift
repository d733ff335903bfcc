import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("The decisions of refund requests", .bounded) struct RefundDecisionTests {
    private func ask(_ scene: SaleScene, _ id: TransactionID?, _ customer: CustomerID) async throws -> RefundRequestID {
        try await RefundDecisions(scene.store).request(
            #require(id), for: customer.description, because: .unsatisfied, note: "It is dull", scene.cause
        ).request.id
    }

    @Test(
        "X7: A request that is approved is refunded, revoked and told, and asking again gives the same one",
        arguments: StoreEngine.allCases)
    func approved(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let (decisions, customer) = (RefundDecisions(scene.store), try await scene.customer())
            let device = try await scene.device(customer)
            let bought = try await scene.buy(.sample(.nonConsumable), on: device).transaction
            let id = try await ask(scene, bought, customer)
            #expect(try await ask(scene, bought, customer) == id)
            let done = try await decisions.approve(id, .full, because: "As they wish", scene.store.cause(.owner))
            #expect(done.request.state == .refunded)
            #expect(done.rest.isZero)
            #expect(
                done.history.map { RefundSummary.sentence($0, of: done.request) } == [
                    "Asked for by the customer: it is not what was expected", "Approved by the owner: As they wish",
                    "The money was given back",
                ])
            #expect(try await scene.transaction(bought).revocation?.reason == .appIssue)
            #expect(try await scene.events(device).map(\.kind) == [.transaction, .revocation])
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test(
        "X7: A refund that is reversed brings money, books and purchase back, and can be given again",
        arguments: StoreEngine.allCases)
    func reversed(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let (decisions, customer) = (RefundDecisions(scene.store), try await scene.customer())
            let device = try await scene.device(customer)
            let bought = try await scene.buy(.sample(.nonConsumable), on: device).transaction
            try await scene.finish(bought, on: device)
            let copy = try #require(try await scene.restore(device).first)
            let (id, cause) = (try await ask(scene, bought, customer), scene.store.cause(.owner))
            _ = try await decisions.approve(id, .full, because: "As they wish", cause)
            #expect(try await scene.entitlements(device).isEmpty)
            for _ in 0..<2 {
                #expect(try await decisions.reverse(id, because: "The bank says so", cause).request.state == .reversed)
            }
            #expect(try await scene.entitlements(device).map(\.id) == [bought])
            let order = try #require(try await scene.transaction(bought).orderID)
            #expect(
                try await scene.history(order.purchase).map { SaleSummary.sentence($0) }.suffix(3) == [
                    "The money was taken", "Money was given back",
                    "Money that was given back came back after a dispute",
                ])
            #expect(try await scene.transaction(copy.id).revocation == nil)
            let events = try await scene.events(device)
            #expect(events.last?.kind == .transaction)
            #expect(events.last { $0.told?.id == bought }?.isFinished == true)
            let report = try await scene.check()
            #expect(report.isInOrder, "\(report.problems)")
            #expect(report.sums.contains { $0.account == "processor" && $0.amount.minorUnits > 0 })
            let again = try await ask(scene, bought, customer)
            #expect(again != id)
            #expect(try await decisions.approve(again, .full, because: "Again", cause).request.state == .refunded)
            #expect(await scene.processor.count("refund") == 2)
            #expect(try await scene.check().sums.allSatisfy { $0.amount.isZero })
        }
    }

    @Test("X7: The unused share of a subscription's period goes back to the minor unit, and ends the period")
    func prorated() async throws {
        try await SaleScene.on(.memory) { scene in
            let (decisions, customer) = (RefundDecisions(scene.store), try await scene.customer())
            let device = try await scene.device(customer)
            let bought = try #require(try await scene.buy(.sample(.autoRenewable), on: device).transaction)
            let sold = try await scene.transaction(bought)
            scene.time.pass(.seconds(10 * 24 * 60 * 60))
            let expected = RefundPart.unused(
                of: sold.price, from: sold.purchaseDate, to: try #require(sold.expiresDate), at: scene.time.current)
            let id = try await ask(scene, bought, customer)
            let done = try await decisions.approve(id, .prorated(), because: "Fair", scene.store.cause(.owner))
            #expect(done.refund?.amount == expected)
            #expect(expected.minorUnits > 0 && expected.minorUnits < sold.price.minorUnits)
            let revocation = try #require(try await scene.transaction(bought).revocation)
            #expect(revocation.percentage == done.refund?.percentage)
            let ended = try await scene.store.database.read {
                try Subscriptions.require(SubscriptionID(beganWith: bought), in: $0)
            }
            #expect(ended.rules.state == .revoked)
            #expect(!ended.rules.renews)
            #expect(try await scene.entitlements(device).isEmpty)
            #expect(try await scene.check().isInOrder)
            // Nothing is unused any more, and the customer did not get all of it.
            #expect(done.unused == nil)
            let sale = try await OperatorTransactions(scene.store).details(of: bought)
            #expect(SaleSummary(sale).sentence == "The customer lost it, and got a part of the money back.")
            let named = SaleSummary(sale, customer: "ada@example.com").sentence
            #expect(named == "ada@example.com lost it, and got a part of the money back.")
        }
    }

    @Test("X7: What a form showed of the unused share is given back for an hour, and nothing else is")
    func proratedAsShown() async throws {
        try await SaleScene.on(.memory) { scene in
            let (decisions, customer) = (RefundDecisions(scene.store), try await scene.customer())
            let device = try await scene.device(customer)
            let bought = try await scene.buy(.sample(.autoRenewable, cents: 99_900), on: device).transaction
            let (id, cause) = (try await ask(scene, bought, customer), scene.store.cause(.owner))
            scene.time.pass(.seconds(10 * 24 * 60 * 60))
            let shown = try #require(try await decisions.details(of: id).unused)
            func approve(_ shown: Money) async throws -> RefundDecisions.Details {
                let choice = RefundChoice(prorated: true, unused: shown.decimalText)
                return try await decisions.approve(id, choice, because: "Fair", cause)
            }
            // More than it was, and less than it is.
            scene.time.pass(.seconds(3599))
            for cents in [shown.minorUnits + 10, shown.minorUnits - 1_000] {
                let refusal = await #expect(throws: ServiceError.self) {
                    try await approve(Money(minorUnits: cents, currency: .usd))
                }
                #expect(refusal?.parameter == "prorated")
            }
            // The page was left open for too long: the refusal says how much it is now.
            scene.time.pass(.seconds(61))
            let now = try #require(try await decisions.details(of: id).unused)
            let refusal = await #expect(throws: ServiceError.self) { try await approve(shown) }
            #expect(refusal?.message.contains("is \(now) by now") == true && now.minorUnits < shown.minorUnits)
            #expect(await scene.processor.count("refund") == 0)
            scene.time.pass(.seconds(3000))
            let done = try await approve(now)
            #expect(done.refund?.amount == now && done.request.state == .refunded)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("A refund of a period that is over takes nothing away, and says so")
    func over() async throws {
        try await SaleScene.on(.memory) { scene in
            let device = try await scene.device(scene.customer())
            let bought = try #require(try await scene.buy(.sample(.autoRenewable), on: device).transaction)
            scene.time.pass(.seconds(40 * 24 * 60 * 60))
            _ = try await scene.refund(bought)
            let sale = try await OperatorTransactions(scene.store).details(of: bought)
            #expect(SaleSummary(sale).sentence == "The customer had it to its end, and got the money back.")
        }
    }

    @Test("X7: What breaks a rule of a decision names its field and changes nothing")
    func refusals() async throws {
        try await SaleScene.on(.memory) { scene in
            let (decisions, customer) = (RefundDecisions(scene.store), try await scene.customer())
            let device = try await scene.device(customer)
            let bought = try await scene.buy(.sample(.consumable), on: device).transaction
            let (id, cause) = (try await ask(scene, bought, customer), scene.store.cause(.owner))
            func field(_ extent: RefundExtent, _ because: String = "Because") async -> String? {
                await #expect(throws: ServiceError.self) {
                    try await decisions.approve(id, extent, because: because, cause)
                }?.parameter
            }
            #expect(await field(.prorated()) == "prorated")
            #expect(await field(.percentage(0)) == "percentage")
            #expect(await field(.amount(Money(minorUnits: 1_000_000, currency: .usd))) == "amount")
            #expect(await field(.full, " ") == "because")
            let stranger = try await scene.customer()
            await #expect(throws: ServiceError.self) { try await ask(scene, bought, stranger) }
            let found = try await decisions.details(of: id)
            #expect(found.request.state == .asked)
            #expect(found.history.count == 1)
            #expect(await scene.processor.count("refund") == 0)
            #expect(try await decisions.decline(id, because: "Used up", cause).request.state == .declined)
            #expect(
                await #expect(throws: ServiceError.self) {
                    try await decisions.approve(id, .full, because: "After all", cause)
                }?.code == .stateWrong)
        }
    }

    @Test("P50: What the developer says is kept beside what was said before, for twelve hours")
    func consumption() async throws {
        try await SaleScene.on(.memory) { scene in
            let (decisions, customer) = (RefundDecisions(scene.store), try await scene.customer())
            let device = try await scene.device(customer)
            let bought = try await scene.buy(.sample(.consumable), on: device).transaction
            let (id, cause) = (try await ask(scene, bought, customer), scene.store.cause(.owner))
            func told(
                _ consented: Bool? = true, _ status: ConsumptionDeliveryStatus? = .delivered, _ share: Int? = nil,
                _ wish: ConsumptionRefundPreference? = nil
            ) throws -> Consumption {
                try Consumption(
                    customerConsented: consented, sampleContentProvided: false, deliveryStatus: status,
                    consumptionPercentage: share, refundPreference: wish)
            }
            #expect(#expect(throws: ServiceError.self) { try told(false) }?.parameter == "customerConsented")
            #expect(#expect(throws: ServiceError.self) { try told(true, nil) }?.parameter == "deliveryStatus")
            #expect(
                #expect(throws: ServiceError.self) { try told(true, .delivered, 100_001) }?.parameter
                    == "consumptionPercentage")
            #expect(
                #expect(throws: ServiceError.self) {
                    try told(true, .delivered, 0, ConsumptionRefundPreference(rawValue: "MAYBE"))
                }?.parameter == "refundPreference")
            _ = try await decisions.answer(id, with: told(true, .delivered, 0), cause)
            scene.time.pass(.seconds(12 * 60 * 60) - .milliseconds(1))
            let found = try await decisions.answer(id, with: told(true, .serverOutage, 100_000, .full), cause)
            #expect(found.consumption.map(\.consumption.consumptionPercentage) == [0, 100_000])
            scene.time.pass(.milliseconds(1))
            #expect(
                await #expect(throws: ServiceError.self) {
                    try await decisions.answer(id, with: told(), cause)
                }?.code == .tooLate)
            #expect(try await decisions.details(of: id).consumption.count == 2)
        }
    }

    @Test(
        "X7: A store that dies between an approval and the refund gives the money back exactly once",
        arguments: StoreEngine.allCases)
    func crash(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let (decisions, customer) = (RefundDecisions(scene.store), try await scene.customer())
            let device = try await scene.device(customer)
            let bought = try await scene.buy(.sample(.consumable), on: device).transaction
            let id = try await ask(scene, bought, customer)
            try await decisions.openRefund(id, .full, revokes: false, because: "Yes", scene.store.cause(.owner))
            #expect(try await decisions.details(of: id).request.state == .approved)
            #expect(await scene.processor.count("refund") == 0)
            scene.time.pass(ChargeLimits.inquiry)
            try await scene.work()
            #expect(try await decisions.details(of: id).request.state == .refunded)
            #expect(await scene.processor.movements.count == 2)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("X7: However parts are approved, refused and reversed, the books balance and no more goes back than was paid")
    func random() async throws {
        try await SaleScene.on(.memory) { scene in
            var random = RandomizedRun.generator(named: "refund requests")
            let (decisions, cause) = (RefundDecisions(scene.store), scene.store.cause(.owner))
            for _ in 0..<RandomizedRun.cases(6, inSoak: 240) {
                let customer = try await scene.customer()
                let device = try await scene.device(customer)
                let bought = try #require(try await scene.buy(.sample(.consumable), on: device).transaction)
                let price = try await scene.transaction(bought).price
                for _ in 0..<6 {
                    guard let id = try? await ask(scene, bought, customer) else { continue }
                    switch random.next() % 6 {
                    case 0: _ = try? await decisions.decline(id, because: "No", cause)
                    case 1:
                        await scene.processor.plan("refund", .refused(.refused))
                        _ = try? await decisions.approve(id, .full, because: "Yes", cause)
                    case 2:
                        _ = try? await decisions.approve(id, .full, because: "Yes", cause)
                        _ = try? await decisions.reverse(id, because: "Dispute", cause)
                    default:
                        let part = Money(minorUnits: Int64(random.next() % 120) + 1, currency: price.currency)
                        let revokes = random.next() % 4 == 0
                        _ = try? await decisions.approve(id, .amount(part), revokes: revokes, because: "Part", cause)
                        if random.next() % 3 == 0 { _ = try? await decisions.reverse(id, because: "Dispute", cause) }
                    }
                    let found = try await decisions.details(of: id)
                    #expect(found.rest.minorUnits >= 0 && found.rest.minorUnits <= price.minorUnits)
                }
                let report = try await scene.check()
                #expect(report.isInOrder, "\(report.problems)")
            }
        }
    }
}

import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

/// What developers' servers change of transactions, and what they say was consumed.
@Suite("Changes by developers' servers", .bounded)
struct ServerChangeTests {
    private static let app = Result { try AppID(number: 42) }
    private static let token = "0f8fad5b-d9cb-469f-a165-70867728950e"

    // MARK: Transactions

    @Test(
        "X3 P26: A token that a server sets is on what was made, restored and ordered, and on every later renewal",
        arguments: StoreEngine.allCases)
    func accountToken(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            try await scene.enterPlans()
            let device = try await scene.device(scene.customer())
            let first = try #require(try await scene.buy(SaleScene.plan(), on: device).transaction)
            try await scene.pass(days: 40)
            let second = try #require(try await scene.periods().last?.id)
            try await scene.finish(second, on: device)
            let copy = try #require(try await scene.restore(device).first)
            let before = try await scene.events(device).count
            for _ in 0..<2 {
                try await ServerTransactionChanges(scene.store).setAccountToken(
                    Self.token.uppercased(), of: first, of: Self.app.get(), scene.store.cause(.owner))
            }
            for id in [first, second, copy.id] {
                #expect(try await scene.transaction(id).accountToken?.description == Self.token)
            }
            // Running apps are told once, and what was before is kept.
            #expect(try await scene.events(device).count == before + 1)
            let kept: SQL = "SELECT count(*) FROM transaction_amendment WHERE new_account_token IS NOT NULL"
            #expect(try await scene.count(kept) == scene.count("SELECT count(*) FROM store_transaction"))
            try await scene.pass(days: 30)
            #expect(
                try await scene.periods().map { $0.accountToken?.description } == Array(repeating: Self.token, count: 3)
            )
        }
    }

    @Test("X3: What has no token of its own, or is not the first of its series, gets none")
    func accountTokenRefused() async throws {
        try await FamilyScene.on(.memory) { family in
            let scene = family.scene
            let device = try await scene.device(family.organiser)
            let shared = try #require(try await scene.buy(family.shared, on: device).transaction)
            try await scene.finish(shared, on: device)
            let copy = try #require(try await scene.restore(device).first)
            try await scene.work()
            let mine = try #require(try await family.sharedWith(family.child).first)
            let cases: [(String?, TransactionID, Int64, ServerAPIError.Code)] = [
                ("me", shared, 42, .appAccountTokenNoUUID), (nil, shared, 42, .appAccountTokenNoUUID),
                (Self.token, shared, 43, .transactionNotFound),
                (Self.token, mine.id, 42, .familyTransactionNotSupported),
                (Self.token, copy.id, 42, .transactionIDIsNoOriginal),
            ]
            for (token, id, app, code) in cases {
                await code.refuses {
                    try await ServerTransactionChanges(scene.store).setAccountToken(
                        token, of: id, of: AppID(number: app), scene.store.cause(.owner))
                }
            }
            #expect(try await scene.transaction(shared).accountToken == nil)
        }
    }

    @Test("X3: What a server finishes is finished for every device, once")
    func finish() async throws {
        try await SaleScene.on(.memory) { scene in
            let device = try await scene.device(scene.customer())
            let sold = try #require(try await scene.buy(.sample(.consumable), on: device).transaction)
            for _ in 0..<2 {
                try await ServerTransactionChanges(scene.store).finish(
                    sold, of: Self.app.get(), scene.store.cause(.owner))
            }
            let events = try await scene.events(device)
            #expect(events.map(\.transaction) == [sold, sold] && events.last?.isFinished == true)
            await ServerAPIError.Code.transactionNotFound.refuses {
                try await ServerTransactionChanges(scene.store).finish(
                    sold, of: AppID(number: 43), scene.store.cause(.owner))
            }
        }
    }

    // MARK: Consumption

    @Test(
        "X3: What a server says was consumed is kept for a request that waits, within 12 hours, and else taken all the same"
    )
    func consumption() async throws {
        try await SaleScene.on(.memory) { scene in
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            let sold = try #require(try await scene.buy(.sample(.consumable), on: device).transaction)
            #expect(try await send(Self.second(), sold, scene)?.contains("nobody waits") == true)
            let request = try await RefundDecisions(scene.store).request(
                sold, for: customer.description, because: .other, note: nil, scene.cause
            ).request
            #expect(try await send(Self.second(), sold, scene) == nil)
            #expect(try await send(Self.first(), sold, scene) == nil)
            scene.time.pass(Consumption.window)
            #expect(try await send(Self.second(), sold, scene)?.contains("12 hours") == true)
            let kept = try await RefundDecisions(scene.store).details(of: request.id).consumption.map(\.consumption)
            #expect(kept == [try Self.second(), try Self.first()])
            #expect(kept.last?.deliveryStatus == .serverOutage && kept.last?.consumptionPercentage == RefundPart.whole)
            #expect(
                RefundSummary.sentence(try #require(kept.last)).hasSuffix(
                    "age of the account: 30–90 days; time of use: over 16 days; dollars given back: 0.01–49.99; "
                        + "dollars spent: 2000 or more; account: limited; preference: decline)"))
            let other = try #require(try await scene.buy(.sample(.nonConsumable, 1002), on: device).transaction)
            await ServerAPIError.Code.transactionTypeNotSupported.refuses {
                try await send(Self.second(), other, scene)
            }
        }
    }

    @Test("X3: An answer that is repeated is kept once, and of one request no more than the limit")
    func repeatedConsumption() async throws {
        try await SaleScene.on(.memory) { scene in
            let customer = try await scene.customer()
            let sold = try #require(
                try await scene.buy(.sample(.consumable), on: scene.device(customer)).transaction)
            let decisions = RefundDecisions(scene.store)
            let request = try await decisions.request(
                sold, for: customer.description, because: .other, note: nil, scene.cause
            ).request
            for _ in 0..<3 {
                #expect(try await send(Self.second(), sold, scene) == nil)
                _ = try await decisions.answer(request.id, with: Self.second(), scene.store.cause(.owner))
            }
            #expect(try await decisions.details(of: request.id).consumption.count == 1)
            for share in 1..<Consumption.mostAnswers {
                #expect(try await send(Self.second(percentage: share), sold, scene) == nil)
            }
            #expect(try await send(Self.second(percentage: 0), sold, scene)?.contains("50 different answers") == true)
            let refusal = await #expect(throws: ServiceError.self) {
                try await decisions.answer(
                    request.id, with: Self.second(percentage: 0), scene.store.cause(.owner))
            }
            #expect(refusal?.code == .limitReached)
            #expect(try await decisions.details(of: request.id).consumption.count == Consumption.mostAnswers)
        }
    }

    private func send(_ told: Consumption, _ id: TransactionID, _ scene: SaleScene) async throws -> String? {
        try await ServerConsumption(scene.store).send(told, about: id, of: Self.app.get(), scene.store.cause(.owner))
    }

    private static func second(
        consented: Bool? = true, sample: Bool? = true, delivery: String? = "DELIVERED", percentage: Int? = 100_000,
        preference: String? = "GRANT_PRORATED"
    ) throws(ServerAPIError) -> Consumption {
        try ServerConsumption.secondVersion(
            customerConsented: consented, sampleContentProvided: sample, deliveryStatus: delivery,
            consumptionPercentage: percentage, refundPreference: preference)
    }

    private static let numbers = [
        "consumptionStatus": 3, "platform": 2, "deliveryStatus": 3, "accountTenure": 4, "playTime": 7,
        "lifetimeDollarsRefunded": 2, "lifetimeDollarsPurchased": 7, "userStatus": 4, "refundPreference": 2,
    ]

    private static func first(
        consented: Bool? = true, sample: Bool? = false, token: String? = "", _ changed: [String: Int?] = [:]
    ) throws(ServerAPIError) -> Consumption {
        var numbers = numbers
        for (name, number) in changed { numbers[name] = number }
        return try ServerConsumption.firstVersion(
            customerConsented: consented, sampleContentProvided: sample, accountToken: token, numbers)
    }

    @Test("X3: Each field of both messages about consumption has its limits and its code")
    func fields() async throws {
        await ServerAPIError.Code.invalidCustomerConsented.refuses { try Self.second(consented: false) }
        await ServerAPIError.Code.invalidSampleContent.refuses { try Self.second(sample: nil) }
        await ServerAPIError.Code.invalidDeliveryStatus.refuses { try Self.second(delivery: "LOST") }
        await ServerAPIError.Code.invalidDeliveryStatus.refuses { try Self.second(delivery: nil) }
        await ServerAPIError.Code.generalBadRequest.refuses { try Self.second(percentage: 100_001) }
        await ServerAPIError.Code.generalBadRequest.refuses { try Self.second(preference: "MAYBE") }
        #expect(try Self.second(percentage: nil, preference: nil).refundPreference == nil)
        await ServerAPIError.Code.invalidCustomerConsented.refuses { try Self.first(consented: nil) }
        await ServerAPIError.Code.invalidSampleContent.refuses { try Self.first(sample: nil) }
        await ServerAPIError.Code.invalidAppAccountToken.refuses { try Self.first(token: "me") }
        await ServerAPIError.Code.invalidAppAccountToken.refuses { try Self.first(token: nil) }
        #expect(try Self.first(token: Self.token).firstVersion?.appAccountToken == Self.token)
        let codes: [(String, Int, ServerAPIError.Code)] = [
            ("consumptionStatus", 3, .invalidConsumptionStatus), ("platform", 2, .invalidPlatform),
            ("deliveryStatus", 5, .invalidDeliveryStatus), ("accountTenure", 7, .invalidAccountTenure),
            ("playTime", 7, .invalidPlayTime), ("lifetimeDollarsRefunded", 7, .invalidDollarsRefunded),
            ("lifetimeDollarsPurchased", 7, .invalidDollarsPurchased), ("userStatus", 4, .invalidUserStatus),
            ("refundPreference", 3, .generalBadRequest),
        ]
        for (name, most, code) in codes {
            for good in [0, most] { #expect(try Self.first([name: good]).firstVersion?.numbers[name] == good) }
            for wrong in [-1, most + 1] { await code.refuses { try Self.first([name: wrong]) } }
            if name != "refundPreference" { await code.refuses { try Self.first([name: Int?.none]) } }
        }
    }
}

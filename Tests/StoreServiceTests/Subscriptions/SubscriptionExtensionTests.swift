import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

/// Subscriptions that developers extend, one at a time and all of a product.
@Suite("Extensions of subscriptions", .bounded)
struct SubscriptionExtensionTests {
    // MARK: One

    @Test(
        "X3: Extended, a transaction ends later with its restored copy, its device is told, and asking again is answered as before",
        arguments: StoreEngine.allCases)
    func one(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            try await scene.enterPlans()
            let device = try await scene.device(scene.customer())
            let first = try await scene.transaction(scene.buy(SaleScene.plan(), on: device).transaction)
            try await scene.finish(first.id, on: device)
            let copy = try #require(try await scene.restore(device).first)
            let end = try #require(first.expiresDate) + .seconds(10 * 86_400)
            var answers: [SubscriptionExtensions.Extended] = []
            for _ in 0..<2 { answers.append(try await scene.extend(first.id, days: 10, "one")) }
            #expect(answers[0] == answers[1])
            #expect(answers[0].stored.newEnd == end && answers[0].orderLine == first.webOrderLineItemID)
            for id in [first.id, copy.id] { #expect(try await scene.transaction(id).expiresDate == end) }
            #expect(try await scene.subscription().rules.endsAt == end)
            #expect(try await scene.events(device).last?.told?.expiresDate == end)
            let kept: SQL = """
                SELECT count(*) FROM transaction_amendment
                WHERE old_expires_date IS NOT NULL AND new_expires_date IS NOT NULL
                """
            #expect(try await scene.count(kept) == 2)
            // The renewal comes at the new date.
            try await scene.pass(until: end)
            let periods = try await scene.periods()
            #expect(periods.map(\.purchaseDate) == [first.purchaseDate, end])
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("X3: What a family has of a subscription ends later with it, and each member's devices are told")
    func family() async throws {
        try await FamilyScene.on(.memory) { family in
            let scene = family.scene
            let sold = try #require(
                try await scene.buy(family.subscription, on: scene.device(family.organiser)).transaction)
            try await scene.work()
            let child = try await scene.device(family.child)
            let extended = try await scene.extend(sold, days: 3, "one")
            let mine = try #require(try await family.sharedWith(family.child).first)
            #expect(mine.expiresDate == extended.stored.newEnd)
            #expect(try await scene.events(child).filter { $0.transaction == mine.id }.count == 2)
            await ServerAPIError.Code.familyExtensionIneligible.refuses {
                try await scene.extend(mine.id, days: 3, "two")
            }
        }
    }

    @Test("X3: A subscription is extended twice within 365 days, and again after that")
    func twice() async throws {
        try await SaleScene.on(.memory) { scene in
            try await scene.enterPlans()
            let first = try #require(
                try await scene.buy(SaleScene.plan(), on: scene.device(scene.customer())).transaction)
            for one in 1...2 { _ = try await scene.extend(first, days: 1, "\(one)") }
            let before = try await scene.subscription()
            await ServerAPIError.Code.maximumExtensions.refuses { try await scene.extend(first, days: 1, "3") }
            #expect(try await scene.subscription() == before)
            try await scene.pass(days: 364)
            await ServerAPIError.Code.maximumExtensions.refuses { try await scene.extend(first, days: 1, "3") }
            try await scene.pass(days: 1)
            let third = try await scene.extend(first, days: 1, "3")
            #expect(third.stored.number == 3)
        }
    }

    @Test("X3: What is no subscription of the app, not its first transaction or not active is not extended")
    func refused() async throws {
        try await SaleScene.on(.memory) { scene in
            try await scene.enterPlans()
            let device = try await scene.device(scene.customer())
            let first = try #require(try await scene.buy(SaleScene.plan(), on: device).transaction)
            let coins = try #require(try await scene.buy(.sample(.consumable, 1009), on: device).transaction)
            try await scene.pass(days: 32)
            let second = try #require(try await scene.periods().last?.id)
            let stranger = try TransactionID(number: second.number + 1_000_000)
            let cases: [(TransactionID, AppID, ServerAPIError.Code)] = try [
                (stranger, AppID(number: 42), .originalNotFound), (first, AppID(number: 43), .originalNotFound),
                (second, AppID(number: 42), .invalidOriginalTransactionID),
                (coins, AppID(number: 42), .extensionIneligible),
            ]
            for (id, app, code) in cases {
                await code.refuses { try await scene.extend(id, of: app, days: 1, "one") }
            }
            try await scene.handle(.turnedOff)
            await ServerAPIError.Code.extensionIneligible.refuses { try await scene.extend(first, days: 1, "one") }
        }
    }

    @Test("X3: Asked for otherwise under the same identifier, an extension says why it has no effect")
    func otherwise() throws {
        let earlier = try ExtensionRequest(days: 10, reason: 1, identifier: "one")
        #expect(try ExtensionRequest(days: 10, reason: 1, identifier: "one").reason(answeredBy: earlier) == nil)
        let other = try ExtensionRequest(days: 20, reason: 1, identifier: "one").reason(answeredBy: earlier)
        #expect(other?.contains("earlier request, for 10 days") == true)
    }

    @Test("X3: The days, the reason and the identifier of an extension are checked, each with its code")
    func request() async {
        let long = String(repeating: "x", count: 128)
        let cases: [(Int?, Int?, String?, ServerAPIError.Code?)] = [
            (1, 0, "x", nil), (90, 3, long, nil), (0, 0, "x", .invalidExtendByDays), (91, 0, "x", .invalidExtendByDays),
            (nil, 0, "x", .invalidExtendByDays), (1, 4, "x", .invalidExtendReason),
            (1, nil, "x", .invalidExtendReason), (1, 0, "", .invalidRequestIdentifier),
            (1, 0, long + "x", .invalidRequestIdentifier), (1, 0, nil, .invalidRequestIdentifier),
        ]
        for (days, reason, identifier, code) in cases {
            guard let code else {
                #expect(throws: Never.self) {
                    try ExtensionRequest(days: days, reason: reason, identifier: identifier)
                }
                continue
            }
            await code.refuses { try ExtensionRequest(days: days, reason: reason, identifier: identifier) }
        }
    }

    // MARK: All

    @Test(
        "X3: All active subscribers of a product are extended once each, page by page, also where a turn ends in the middle",
        arguments: StoreEngine.allCases)
    func all(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            try await scene.enterPlans()
            var ends: [TransactionID: Instant?] = [:]
            for _ in 0..<5 {
                let bought = try await scene.buy(SaleScene.plan(), on: scene.device(scene.customer()))
                let sold = try await scene.transaction(bought.transaction)
                ends[sold.id] = sold.expiresDate
            }
            // The newest does not renew.
            try await scene.handle(.turnedOff)
            _ = try await NotificationSettings(scene.store).set(
                .init(url: "https://example.com/notifications"), app: BundleID(parsing: "com.example.app42"),
                scene.store.cause(.owner))
            let asked = try await scene.extendAll(days: 2)
            #expect(try await scene.extendAll(days: 2) == asked)
            let extensions = MassExtensions(scene.store, page: 2)
            let scheduler = WorkScheduler(
                scene.store.database,
                handlers: [
                    WorkHandler(MassExtensions.work, retries: RetrySchedule(delays: [0, 0])) {
                        // The page was done, and what it said of that was lost: it is done again.
                        let first = try await extensions.turn($0)
                        let second = try? await extensions.turn($0)
                        #expect(second == nil || second == .done)
                        return first
                    }
                ], name: "test", wallTime: scene.time.reading)
            var steps: [Int] = []
            while try await !scheduler.runRound(clock: .wall, at: scene.time.current).isEmpty {
                let found = try await scene.massExtension()
                steps.append(found.succeeded + found.failed)
            }
            #expect(steps == [2, 4, 5])
            let done = try await scene.massExtension()
            #expect(done.succeeded == 4 && done.failed == 1 && done.completedAt == scene.time.current)
            let extended = try await scene.store.database.read { [ends] transaction in
                try ends.keys.filter { try Transactions.require($0, in: transaction).expiresDate != ends[$0] }.count
            }
            #expect(extended == 4)
            #expect(try await scene.count("SELECT count(*) FROM subscription_extension") == 4)
            let told = try await scene.store.database.read { transaction in
                try transaction.query("SELECT \(StoredNotification.table.columns) FROM notification") {
                    try StoredNotification($0)
                }
            }
            #expect(told.filter { $0.type == .renewalExtended }.count == 4)
            #expect(told.filter { $0.subtype == .failure }.count == 1)
            let summary = try #require(told.first { $0.subtype == .summary }).told.summary
            #expect(summary?.succeededCount == 4 && summary?.failedCount == 1)
        }
    }

    @Test("X3: An extension of all is for a subscription of the app and storefronts that there are")
    func allRefused() async throws {
        try await SaleScene.on(.memory) { scene in
            try await scene.enterPlans()
            let (plan, uuid) = ("com.example.item1001", SaleScene.massRequest)
            let cases: [(String?, String, [String]?, ServerAPIError.Code)] = [
                (plan, "one", nil, .invalidRequestIdentifier), ("com.example.other", uuid, nil, .invalidProductID),
                (nil, uuid, nil, .invalidProductID), (plan, uuid, [], .emptyStorefronts),
                (plan, uuid, ["USA", "XXX"], .invalidStorefront),
            ]
            for (product, identifier, storefronts, code) in cases {
                await code.refuses {
                    try await scene.extendAll(product, identifier, in: storefronts, days: 2)
                }
            }
            await ServerAPIError.Code.statusRequestNotFound.refuses { try await scene.massExtension() }
            // Nobody subscribes in Germany.
            _ = try await scene.buy(SaleScene.plan(), on: scene.device(scene.customer()))
            _ = try await scene.extendAll(in: ["DEU"], days: 2)
            try await scene.work()
            let done = try await scene.massExtension()
            #expect(done.succeeded == 0 && done.failed == 0 && done.completedAt != nil)
        }
    }
}

extension SaleScene {
    fileprivate static let massRequest = "3fa85f64-5717-4562-b3fc-2c963f66afa6"

    @discardableResult
    fileprivate func extend(
        _ id: TransactionID, of app: AppID? = nil, days: Int, _ identifier: String
    ) async throws -> SubscriptionExtensions.Extended {
        try await SubscriptionExtensions(store).extend(
            id, of: app ?? AppID(number: 42),
            by: ExtensionRequest(days: days, reason: ExtendReasonCode.serviceIssue.rawValue, identifier: identifier),
            store.cause(.owner))
    }

    @discardableResult
    fileprivate func extendAll(
        _ product: String? = "com.example.item1001", _ identifier: String = massRequest,
        in storefronts: [String]? = nil, days: Int
    ) async throws -> StoredMassExtension {
        try await MassExtensions(store).begin(
            product, of: AppID(number: 42),
            by: ExtensionRequest(days: days, reason: ExtendReasonCode.serviceIssue.rawValue, identifier: identifier),
            in: storefronts, store.cause(.owner))
    }

    fileprivate func massExtension() async throws -> StoredMassExtension {
        try await MassExtensions(store).find(
            Self.massRequest, for: ProductID(parsing: "com.example.item1001"), of: AppID(number: 42))
    }
}

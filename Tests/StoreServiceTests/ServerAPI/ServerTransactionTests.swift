import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

@Suite("What developers' servers read of customers", .bounded)
struct ServerTransactionTests {
    /// A server of the app of a device.
    private static func caller(_ scope: DeviceScope) -> ServerCaller {
        ServerCaller(actor: .store, app: scope.app, bundle: scope.bundle)
    }

    /// What was signed.
    private static func payload<Payload: Decodable>(_ jws: String, as type: Payload.Type) throws -> Payload {
        let segment = String(jws.split(separator: ".")[1]).replacing("-", with: "+").replacing("_", with: "/")
        let padded = segment + String(repeating: "=", count: (4 - segment.count % 4) % 4)
        return try JSONDecoder().decode(type, from: #require(Data(base64Encoded: padded)))
    }

    /// The transactions of a page.
    private static func ids(_ page: ServerTransactions.Page) throws -> [TransactionID] {
        try page.signed.map { try payload($0, as: TransactionPayload.self).transactionId }
    }

    private static func history(
        _ scene: SaleScene, _ id: TransactionID?, _ scope: DeviceScope, _ filter: HistoryFilter = HistoryFilter(),
        after revision: String? = nil
    ) async throws -> ServerTransactions.Page {
        try await ServerTransactions(scene.store).history(
            of: #require(id).description, filter, after: revision, for: caller(scope))
    }

    /// What a server is told instead.
    private static func refusal(_ body: () async throws -> Void) async -> Int? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? ServerAPIError)?.code.number
        }
    }

    @Test(
        "X3: History is in the order of changes: what is refunded comes again behind what was bought since, by a revision that was kept",
        arguments: StoreEngine.allCases)
    func order(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            var bought: [TransactionID?] = []
            for number in 1001...1003 as ClosedRange<Int64> {
                bought.append(try await scene.buy(.sample(.nonConsumable, number), on: device).transaction)
            }
            // What a restore makes is not told.
            #expect(try await scene.restore(device).count == 3)
            let first = try await Self.history(scene, bought[1], device)
            #expect(try Self.ids(first) == bought.compactMap(\.self))
            #expect(!first.hasMore)
            let nothing = try await Self.history(scene, bought[1], device, after: first.revision)
            #expect(nothing.signed.isEmpty && nothing.revision == first.revision)

            let fourth = try await scene.buy(.sample(.consumable, 1004), on: device).transaction
            _ = try await scene.refund(bought[0])
            let later = try await Self.history(scene, bought[1], device, after: first.revision)
            #expect(try Self.ids(later) == [fourth, bought[0]].compactMap(\.self))
            var descending = HistoryFilter()
            descending.isDescending = true
            let all = try await Self.history(scene, bought[1], device, descending)
            #expect(try Self.ids(all) == [bought[0], fourth, bought[2], bought[1]].compactMap(\.self))
        }
    }

    @Test("A page has 20, and a filter that finds little looks at a bounded number and goes on from there")
    func pages() async throws {
        let sample = try await SampleStore()
        let store = try EnvironmentStore.sample(
            of: sample.databases, processor: ScriptedProcessor(), wall: SceneTime().reading)
        let caller = ServerCaller(
            actor: .store, app: try AppID(number: 42), bundle: try BundleID(parsing: SampleStore.bundle))
        var all: [StoreTransaction] = []
        for number in 1...2500 as ClosedRange<Int64> { all.append(try SampleTransaction.consumable(number)) }
        all[2400].productID = try ProductID(parsing: "com.example.monkey.rare")
        try await sample.add(all)
        func page(_ filter: HistoryFilter, _ revision: String?) async throws -> ServerTransactions.Page {
            try await ServerTransactions(store).history(
                of: all[7].id.description, filter, after: revision, for: caller)
        }
        let first = try await page(HistoryFilter(), nil)
        let second = try await page(HistoryFilter(), first.revision)
        #expect(try Self.ids(first) == all[0..<20].map(\.id) && first.hasMore)
        #expect(try Self.ids(second) == all[20..<40].map(\.id))

        var rare = HistoryFilter()
        rare.products = [all[2400].productID]
        var (revision, counts, hasMore) = (String?.none, [Int](), true)
        while hasMore {
            let found = try await page(rare, revision)
            (revision, hasMore) = (found.revision, found.hasMore)
            counts.append(found.signed.count)
        }
        #expect(counts == [0, 0, 1])
        // A revision is of one filter, and of one version of the interface.
        let end = try #require(revision)
        var earlier = rare
        earlier.leavesOutFinishedConsumables = true
        #expect(await Self.refusal { _ = try await page(HistoryFilter(), end) } == 4_000_005)
        #expect(await Self.refusal { _ = try await page(earlier, end) } == 4_000_005)
        for made in Self.made(from: end) + ["MTIz", "*", ""] {
            #expect(await Self.refusal { _ = try await page(rare, made) } == 4_000_005, "\(made)")
        }
    }

    /// Revisions that somebody makes of one that the store gave out: with another number, with one more, with none.
    private static func made(from revision: String) -> [String] {
        let text = Base64.decode(revision, .url).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let parts = text.split(separator: "_")
        let numbers = ["x", "-5", "0", "9223372036854775807", "99999999999999999999", "\(parts[0])_\(parts[0])"]
        return (numbers.map { "\($0)_\(parts[1])" } + ["\(parts[1])"]).map { Base64.encode(Array($0.utf8), .url) }
    }

    @Test("X3: A revision of one customer and app is refused for any other, and tells neither")
    func revisions() async throws {
        try await SaleScene.on(.memory) { scene in
            var (devices, ids, revisions): ([DeviceScope], [TransactionID?], [String]) = ([], [], [])
            for _ in 0..<2 {
                let device = try await scene.device(scene.customer())
                let id = try await scene.buy(.sample(.nonConsumable, 1001), on: device).transaction
                let page = try await Self.history(scene, id, device)
                devices.append(device)
                ids.append(id)
                revisions.append(page.revision)
            }
            #expect(
                await Self.refusal {
                    _ = try await Self.history(scene, ids[1], devices[1], after: revisions[0])
                } == 4_000_005)
            // The same number of each, and nothing else that they have in common.
            let words = try revisions.map { revision in
                String(decoding: try #require(Base64.decode(revision, .url)), as: UTF8.self).split(separator: "_")
            }
            #expect(words[0].count == 2 && words[0][0] == words[1][0] && words[0][1] != words[1][1])
            let secret = try AuthenticationCode(secret: "secret".utf8)
            let (device, customer) = (devices[0], try #require(devices[0].customer))
            let codes = try await scene.store.database.read { transaction in
                try ([42, 43] as [Int64]).map { app in
                    let scope = CustomerScope(
                        customer: customer, app: AppID(rawNumber: app), bundle: device.bundle,
                        storefront: device.storefront)
                    return try ServerPlaces("history", of: scope, by: secret, in: transaction).text([7])
                }
            }
            #expect(codes[0] != codes[1])
        }
    }

    @Test("A filter leaves out what it says, and the first version of the interface finished consumables too")
    func filters() throws {
        let start = Instant(millisecondsSinceEpoch: 1_800_000_000_123)
        let (coins, club) = (try SampleTransaction.consumable(), try SampleTransaction.subscription(2))
        func includes(_ transaction: StoreTransaction, isFinished: Bool = false, _ set: (inout HistoryFilter) -> Void)
            -> Bool
        {
            var filter = HistoryFilter()
            set(&filter)
            return filter.includes(transaction, isFinished: isFinished)
        }
        #expect(includes(coins) { $0.start = start } && !includes(coins) { $0.start = start + .milliseconds(1) })
        #expect(!includes(coins) { $0.end = start } && includes(coins) { $0.end = start + .milliseconds(1) })
        #expect(
            includes(club) { $0.kinds = [.autoRenewable, .consumable] } && !includes(club) { $0.kinds = [.consumable] })
        #expect(
            includes(club) { $0.products = [club.productID] } && !includes(coins) { $0.products = [club.productID] })
        let group = try #require(club.groupID)
        #expect(includes(club) { $0.groups = [group] } && !includes(coins) { $0.groups = [group] })
        #expect(includes(club) { $0.ownership = .purchased } && !includes(club) { $0.ownership = .familyShared })
        #expect(includes(club) { $0.isRevoked = false } && !includes(club) { $0.isRevoked = true })
        #expect(
            includes(coins, isFinished: true) { _ in }
                && !includes(coins, isFinished: true) { $0.leavesOutFinishedConsumables = true })
        #expect(includes(coins) { $0.leavesOutFinishedConsumables = true })
    }

    @Test(
        "X3: Refunds are told by when they were, and one that is reversed no more", arguments: StoreEngine.allCases)
    func refunds(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            let first = try await scene.buy(.sample(.consumable, 1001), on: device).transaction
            let second = try await scene.buy(.sample(.consumable, 1002), on: device).transaction
            let revoked = try await scene.buy(.sample(.consumable, 1003), on: device).transaction
            func told(after revision: String? = nil, isPaged: Bool = true) async throws -> ServerTransactions.Page {
                try await ServerTransactions(scene.store).refunds(
                    of: #require(first).description, after: revision, isPaged: isPaged, for: Self.caller(device))
            }
            #expect(try await told().signed.isEmpty)
            _ = try await scene.revoke(#require(revoked))
            _ = try await scene.refund(second)
            let page = try await told()
            #expect(try Self.ids(page) == [second])
            scene.time.pass(.seconds(5))
            _ = try await scene.refund(first)
            #expect(try Self.ids(await told(after: page.revision)) == [first])
            let all = try await told(isPaged: false)
            #expect(try Self.ids(all) == [second, first].compactMap(\.self) && !all.hasMore)
            let payload = try Self.payload(all.signed[0], as: TransactionPayload.self)
            #expect(payload.revocationType == .fullRefund && payload.revocationPercentage == 100_000)
        }
    }

    @Test(
        "X3: Who buys a subscription and whom it is shared with have a status each, and who leaves the family has lost it"
    )
    func statuses() async throws {
        try await FamilyScene.on(.memory) { family in
            let scene = family.scene
            let device = try await scene.device(family.organiser)
            let bought = try await scene.buy(SaleScene.plan(7003, level: 2, cents: 3000), on: device).transaction
            try await scene.work()
            let shared = try #require(try await family.sharedWith(family.child).first)
            let caller = Self.caller(device)
            func told(
                _ id: TransactionID?, _ statuses: Set<WireSubscriptionStatus> = []
            ) async throws -> [ServerTransactions.SubscriptionStatus] {
                try await ServerTransactions(scene.store).subscriptions(
                    of: #require(id).description, in: statuses, for: caller)
            }
            let (own, mine) = (try await told(bought), try await told(shared.id))
            #expect(own.map(\.status) == [.active] && mine.map(\.status) == [.active])
            #expect(own.map(\.original) == [bought] && mine.map(\.original) == [shared.originalID])
            #expect(try await told(bought, [.expired, .revoked]).isEmpty)
            let payload = try Self.payload(mine[0].signedTransaction, as: TransactionPayload.self)
            #expect(payload.inAppOwnershipType == .familyShared && payload.transactionId == shared.id)
            let renewal = try Self.payload(mine[0].signedRenewal, as: RenewalInfoPayload.self)
            #expect(renewal.originalTransactionId == shared.originalID && renewal.renewalPrice == nil)

            // The other adult never had the app on a device.
            let others = try await scene.store.database.read {
                try Transactions.list(of: family.adult, after: nil, limit: 1, in: $0)
            }
            let other = try #require(others.first?.id)
            let none = await Self.refusal {
                _ = try await ServerTransactions(scene.store).appTransaction(of: other.description, for: caller)
            }
            #expect(none == 4_040_019)

            try await family.leave(family.child)
            try await scene.work()
            #expect(try await told(shared.id).map(\.status) == [.revoked])
            #expect(try await told(bought).map(\.status) == [.active])
        }
    }

    @Test("A customer has one download of an app, whatever devices it is on; who else signs in there has another")
    func downloads() async throws {
        try await SaleScene.on(.memory) { scene in
            let (ada, bob) = (try await scene.customer(), try await scene.customer())
            let (first, token) = try await scene.registered(ada)
            let second = try await scene.device(ada)
            #expect(first.appTransaction == second.appTransaction)
            let now = scene.time.current
            let other = try await scene.store.database.write { transaction in
                _ = try Devices.signOut(first, at: now, in: transaction)
                return try Devices.signIn(
                    Customers.require(bob, in: transaction), on: first, at: now, in: transaction)
            }
            #expect(other.appTransaction != first.appTransaction)
            #expect(try await scene.store.scope(of: token).appTransaction == other.appTransaction)

            let bought = try await scene.buy(.sample(.consumable), on: other).transaction
            let reader = ServerTransactions(scene.store)
            func info(_ id: any CustomStringConvertible, of scope: DeviceScope = other) async throws -> String {
                try await reader.info(id.description, for: Self.caller(scope))
            }
            let payload = try await Self.payload(info(#require(bought)), as: TransactionPayload.self)
            #expect(payload.appTransactionId == other.appTransaction)
            let signed = try await reader.appTransaction(
                of: other.appTransaction.description, for: Self.caller(other))
            let app = try Self.payload(signed, as: AppTransactionPayload.self)
            #expect(app.appTransactionId == other.appTransaction && app.appAppleId == nil)
            #expect(app.originalApplicationVersion == "1.0" && app.receiptType == .sandbox)

            // By the number of the download everything of the customer is found, and no single transaction.
            let history = try await reader.history(
                of: other.appTransaction.description, HistoryFilter(), after: nil, for: Self.caller(other))
            #expect(try Self.ids(history) == [bought])
            #expect(await Self.refusal { _ = try await info(other.appTransaction) } == 4_000_048)
        }
    }

    @Test(
        "X3: What is of another app, of the other environment or of nobody is not found, and a deleted account has none"
    )
    func scopes() async throws {
        try await SaleScene.on(.memory) { scene in
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            let stranger = try await scene.device(scene.customer(), app: 43)
            let bought = try #require(try await scene.buy(.sample(.consumable), on: device).transaction)
            let reader = ServerTransactions(scene.store)
            func code(_ id: String, _ scope: DeviceScope) async -> Int? {
                await Self.refusal { _ = try await reader.info(id, for: Self.caller(scope)) }
            }
            #expect(await code(bought.description, device) == nil)
            #expect(await code(bought.description, stranger) == 4_040_010)
            let elsewhere = TransactionID.numbers(in: .production).lowerBound + 1
            #expect(await code("\(elsewhere)", device) == 4_040_010)
            #expect(await code("0", device) == 4_040_010)
            for text in ["", "abc", "-1", "01", "1.0", "9999999999999999999"] {
                #expect(await code(text, device) == 4_000_006, "\(text)")
            }
            let sold = try #require(try await scene.transaction(bought).order)
            #expect(try await reader.order(sold.text, for: Self.caller(device))?.count == 1)
            let digits = sold.text.dropFirst()
            for text in ["S\(digits.dropLast())", "S" + String(digits.reversed()), "M\(digits)", "S\(digits)0", ""] {
                #expect(try await reader.order(text, for: Self.caller(device)) == nil, "\(text)")
            }
            #expect(try await reader.order(sold.text, for: Self.caller(stranger)) == nil)

            let now = scene.time.current
            try await scene.store.database.write { try Customers.delete(customer, at: now, in: $0) }
            let gone = await Self.refusal {
                _ = try await reader.history(
                    of: bought.description, HistoryFilter(), after: nil, for: Self.caller(device))
            }
            #expect(gone == 4_040_001)
        }
    }
}

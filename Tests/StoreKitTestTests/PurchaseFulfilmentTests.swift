import Foundation
import PurchaseVault
import StoreKitTest
import Synchronization
import TestSupport
import Testing

@Suite("Purchases that an app fulfils", .bounded)
struct PurchaseFulfilmentTests {
    struct Goods: Codable, Equatable, Sendable {
        var credits = 0
    }

    struct Crash: Error {}

    let session: SKTestSession
    private let file = FileManager.default.temporaryDirectory.appending(path: "goods-\(UUID().uuidString).sqlite")

    init() throws {
        session = try SKTestSession(configurationFileNamed: "Monkeys")
        session.disableDialogs = true
    }

    /// The app's own, which gives five credits each; `before` comes before anything is changed.
    private func opened(
        before: @escaping @Sendable (PurchaseDelivery) throws -> Void = { _ in }
    ) throws -> PurchaseFulfilment<Goods> {
        try PurchaseFulfilment(at: file, initially: Goods()) { goods, delivery in
            try before(delivery)
            let credits = 5 * delivery.transaction.purchasedQuantity
            goods.credits += delivery.act == .grant ? credits : -credits
            return "\(delivery.act.rawValue) \(credits), revision \(delivery.revision)"
        }
    }

    private func remove() {
        for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + ending) }
    }

    /// Runs an app until it has so many credits.
    private func run(
        _ fulfilment: PurchaseFulfilment<Goods>, until credits: Int, _ body: () async throws -> Void = {}
    ) async throws {
        let task = Task { await fulfilment.run() }
        try await body()
        for await _ in fulfilment.changes {
            if try fulfilment.goods.credits == credits { break }
        }
        task.cancel()
        await task.value
    }

    @Test("X5: A purchase is given once, finished, and known by its result")
    func once() async throws {
        defer { remove() }
        try await session.asCurrent {
            let fulfilment = try opened()
            let product = try #require(try await Product.products(for: ["monkeys.credits5"]).first)
            let bought = try await fulfilment.purchase(product, options: [.quantity(2)])
            guard case .success(let result) = bought else {
                Issue.record("It was not bought.")
                return
            }
            try await fulfilment.fulfil(result)
            #expect(try fulfilment.goods.credits == 10)
            #expect(try fulfilment.result(of: result.payloadValue.id) == "grant 10, revision 1")
            #expect(SKPaymentQueue.default().transactions.isEmpty)
            try fulfilment.change { $0.credits -= 3 }
            #expect(try opened().goods.credits == 7, "another one of the same file has the same")
        }
    }

    @Test("X5: What was bought elsewhere is given, and a refund is taken back while the app runs and while it does not")
    func refunded() async throws {
        defer { remove() }
        for _ in 1...2 { try await session.buyProduct(identifier: "monkeys.credits5") }
        let bought = session.allTransactions().map(\.identifier)
        try await session.asCurrent {
            let fulfilment = try opened()
            try await run(fulfilment, until: 10)
            try await run(fulfilment, until: 5) { try session.refundTransaction(identifier: bought[0]) }
            try session.refundTransaction(identifier: bought[1])
            try session.relaunch()
            let next = try opened()
            try await run(next, until: 0)
            #expect(try next.result(of: UInt64(bought[1])) == "takeBack 5, revision 2")
        }
    }

    @Test("X5: What breaks off in the closure has changed nothing, and comes again")
    func brokenOff() async throws {
        defer { remove() }
        try await session.buyProduct(identifier: "monkeys.credits5")
        try await session.asCurrent {
            let tried = Mutex(0)
            let broken = try opened { _ in
                tried.withLock { $0 += 1 }
                throw Crash()
            }
            for await result in Transaction.unfinished {
                await #expect(throws: Crash.self) { try await broken.fulfil(result) }
            }
            #expect(tried.withLock { $0 } == 1)
            #expect(try broken.goods == Goods())
            try session.relaunch()
            try await run(opened(), until: 5)
        }
    }

    @Test("X5: What was written and not finished any more comes again, and changes nothing")
    func unfinished() async throws {
        defer { remove() }
        try await session.buyProduct(identifier: "monkeys.credits5")
        // The app of this session never finishes it; the other one does, with the same file.
        let later = try SKTestSession(session.snapshot())
        try await session.asCurrent { try await run(opened(), until: 5) }
        try await later.asCurrent {
            let again = try opened { _ in throw Crash() }
            var count = 0
            for await result in Transaction.unfinished {
                try await again.fulfil(result)
                count += 1
            }
            #expect(count == 1)
            #expect(try again.goods.credits == 5)
            #expect(SKPaymentQueue.default().transactions.isEmpty)
        }
    }

    @Test("X5: In a vault, what was given by StoreKit 1 counts as given, and the app is told of each delivery")
    func vault() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "vault-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let vault = try Vault("goods", in: folder, keyPlace: .file)
        for _ in 1...2 { try await session.buyProduct(identifier: "monkeys.credits5") }
        let bought = session.allTransactions().map { "\($0.identifier)" }
        try vault.change { contents in
            _ = try contents.deliver(bought[0])
            try contents.add(5, to: "credits")
        }
        let fulfilment = PurchaseFulfilment(in: vault, finishes: false) { contents, delivery in
            switch delivery.act {
            case .grant: try contents.add(5, to: "credits")
            case .takeBack: try contents.spend(5, of: "credits")
            }
            return delivery.act.rawValue
        }
        try await session.asCurrent {
            let (reports, told) = AsyncStream.makeStream(of: (String, PurchaseDelivery.Act?).self)
            let task = Task {
                await fulfilment.run { told.yield(("\($0.unsafePayloadValue.id)", (try? $1.get())?.act)) }
            }
            var acts: [String: [PurchaseDelivery.Act?]] = [:]
            for await (id, act) in reports {
                acts[id, default: []].append(act)
                if acts.count == 2 { break }
            }
            #expect(acts[bought[0]]?.first == .some(nil) && acts[bought[1]]?.first == .grant)
            #expect(try vault.contents.balance(of: "credits").amount == 10)
            #expect(try vault.contents.isDelivered(bought[1]), "StoreKit 1 is not to give it again")
            #expect(SKPaymentQueue.default().transactions.count == 2, "the app finishes")
            for id in bought { try session.refundTransaction(identifier: UInt(id) ?? 0) }
            for await (id, act) in reports {
                #expect(act == .takeBack, "\(id) came again, and was told again")
                acts[id, default: []].append(act)
                if acts.values.allSatisfy({ $0.count == 2 }) { break }
            }
            for await _ in fulfilment.changes {
                if try vault.contents.balance(of: "credits").amount == 0 { break }
            }
            task.cancel()
            await task.value
        }
    }

    /// The club with a better level.
    private static func twoLevels() throws -> URL {
        let club = try #require(Bundle.module.url(forResource: "Club", withExtension: "storekit"))
        var file = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: club)) as? [String: Any])
        var groups = try #require(file["subscriptionGroups"] as? [[String: Any]])
        var monthly = try #require((groups[0]["subscriptions"] as? [[String: Any]])?.first)
        var gold = monthly
        (monthly["groupNumber"], gold["productID"], gold["internalID"]) = (2, "club.gold", "9A3B0C17")
        groups[0]["subscriptions"] = [monthly, gold]
        file["subscriptionGroups"] = groups
        let url = FileManager.default.temporaryDirectory.appending(path: "levels-\(UUID().uuidString).storekit")
        try JSONSerialization.data(withJSONObject: file).write(to: url)
        return url
    }

    @Test("X1, X5: The device hears that an upgrade took the place of a period, and the app takes that back")
    func upgraded() async throws {
        let levels = try Self.twoLevels()
        defer {
            remove()
            try? FileManager.default.removeItem(at: levels)
        }
        let club = try SKTestSession(contentsOf: levels)
        club.disableDialogs = true
        let monthly = try await club.buyProduct(identifier: "club.monthly")
        try await club.asCurrent {
            try await run(opened(), until: 5)
            let gold = try await club.buyProduct(identifier: "club.gold")
            var isUpgraded: [UInt64: Bool] = [:]
            for await result in Transaction.all {
                let transaction = try result.payloadValue
                isUpgraded[transaction.id] = transaction.isUpgraded
            }
            #expect(isUpgraded == [monthly.id: true, gold.id: false])
            try club.relaunch()
            let next = try opened()
            let task = Task { await next.run() }
            for await _ in next.changes {
                let results = try [monthly.id, gold.id].map(next.result(of:))
                if results == ["takeBack 5, revision 2", "grant 5, revision 1"] { break }
            }
            task.cancel()
            await task.value
            #expect(try next.goods.credits == 5)
        }
    }

    @Test("X5: What cannot be verified is not given, and stays")
    func unverified() async throws {
        defer { remove() }
        try await session.buyProduct(identifier: "monkeys.credits5")
        try await session.asCurrent {
            let fulfilment = try opened()
            try await session.setSimulatedError(.verification(.invalidSignature), forAPI: .verification)
            for await result in Transaction.unfinished {
                await #expect(throws: (any Error).self) { try await fulfilment.fulfil(result) }
            }
            #expect(try fulfilment.goods.credits == 0)
            try await session.setSimulatedError(nil, forAPI: .verification)
            try await run(fulfilment, until: 5)
        }
    }
}

// What a team that ships an app can import, and nothing else.
import Foundation
import StoreKitTest
import TestSupport
import Testing

@Suite("X2: The tests of an app's team, in parallel and without a pause", .bounded)
struct ClubShopTests {
    let session: SKTestSession
    let shop = ClubShop()

    init() throws {
        session = try SKTestSession(configurationFileNamed: "Monkeys")
        session.disableDialogs = true
    }

    /// Runs the app.
    private func run(_ body: @Sendable () async throws -> Void) async throws {
        try await session.asCurrent {
            await shop.open()
            do {
                try await body()
            } catch {
                await shop.close()
                throw error
            }
            await shop.close()
        }
    }

    @Test("Credits are delivered once for each purchase")
    func credits() async throws {
        try await run {
            for _ in 1...2 {
                let isBought = try await shop.buy("monkeys.credits5")
                #expect(isBought)
            }
            #expect(await shop.contents.credits == 10)
        }
        #expect(session.allTransactions().count == 2)
    }

    @Test("A product that is not sold, and a store that is not reached, are told apart")
    func failures() async throws {
        try await run {
            await #expect(throws: ClubShop.NotSold.self) { try await shop.buy("monkeys.nothing") }
            let offline = StoreKitError.networkError(URLError(.notConnectedToInternet))
            try await session.setSimulatedError(.generic(offline), forAPI: .loadProducts)
            await #expect(throws: StoreKitError.self) { try await shop.buy("monkeys.credits5") }
            try await session.setSimulatedError(nil, forAPI: .loadProducts)
            try await session.setSimulatedError(.purchase(.productUnavailable), forAPI: .purchase)
            await #expect(throws: Product.PurchaseError.productUnavailable) { try await shop.buy("monkeys.credits5") }
            try await session.setSimulatedError(.generic(.userCancelled), forAPI: .purchase)
            #expect(try await shop.buy("monkeys.credits5") == false)
            try await session.setSimulatedError(nil, forAPI: .purchase)
            #expect(try await shop.buy("monkeys.credits5"))
            #expect(await shop.contents.credits == 5)
        }
    }

    @Test("The club is open while it is paid, and closed after its end")
    func club() async throws {
        try await run {
            #expect(try await shop.buy("monkeys.club"))
            #expect(await shop.contents.isMember)
            try session.advance(by: .seconds(95 * 86_400))
            #expect(session.allTransactions().count == 4)
            await shop.refresh()
            #expect(await shop.contents.isMember)
            try session.expireSubscription(productIdentifier: "monkeys.club")
            await shop.refresh()
            #expect(await !shop.contents.isMember)
        }
    }

    @Test("What a parent allows later is delivered then, and what is refused is not")
    func askToBuy() async throws {
        session.askToBuyEnabled = true
        try await run {
            #expect(try await shop.buy("monkeys.credits5") == false)
            #expect(await shop.contents.credits == 0)
            let asked = try #require(session.allTransactions().last)
            try session.approveAskToBuyTransaction(identifier: asked.identifier)
            await shop.until { $0.credits == 5 }
        }
    }

    @Test("Credits of a refund are taken back")
    func refund() async throws {
        try await run {
            #expect(try await shop.buy("monkeys.credits5"))
            try session.refundTransaction(identifier: #require(session.allTransactions().last).identifier)
            await shop.until { $0.credits == 0 }
        }
    }

    @Test("What was bought outside the app, and what ended before it was delivered, comes with the next launch")
    func launch() async throws {
        try await session.buyProduct(identifier: "monkeys.credits5", options: [.quantity(2)])
        try session.relaunch()
        try await run { await shop.until { $0.credits == 10 } }
        try session.relaunch()
        let second = ClubShop()
        try await session.asCurrent {
            await second.open()
            let isBought = try await second.buy("monkeys.club")
            #expect(isBought)
            #expect(await second.contents.credits == 0, "what is finished does not come again")
            await second.close()
        }
    }

    @Test("What cannot be verified is not delivered")
    func unverified() async throws {
        try await run {
            try await session.setSimulatedError(.verification(.invalidSignature), forAPI: .verification)
            #expect(try await shop.buy("monkeys.credits5"))
            #expect(await shop.contents.credits == 0)
        }
    }

    @Test("Both ends of a beginning are tried from one snapshot")
    func fork() async throws {
        try await session.buyProduct(identifier: "monkeys.club")
        let snapshot = try session.snapshot()
        let (kept, ended) = (try SKTestSession(snapshot), try SKTestSession(snapshot))
        try ended.expireSubscription(productIdentifier: "monkeys.club")
        for (fork, isMember) in [(kept, true), (ended, false)] {
            let shop = ClubShop()
            await fork.asCurrent { await shop.refresh() }
            #expect(await shop.contents.isMember == isMember)
        }
    }
}

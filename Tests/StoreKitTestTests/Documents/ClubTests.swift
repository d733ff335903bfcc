import StoreKit
import StoreKitTest
import TestSupport
import Testing

/// The tests of the page about testing purchases, as they stand there.
@Suite("A club under a test session", .bounded)
@MainActor
struct ClubTests {
    let session: SKTestSession
    let club = Club()
    let week = Duration.seconds(7 * 86_400)

    init() throws {
        session = try SKTestSession(configurationFileNamed: "Club")
        session.disableDialogs = true
    }

    @Test("Whoever joins is in the club, by one purchase that is finished")
    func joins() async throws {
        try await session.asCurrent {
            let isMember = try await club.join()
            #expect(isMember)
            for await _ in Transaction.unfinished { Issue.record("not finished") }
        }
        #expect(session.allTransactions().map(\.productIdentifier) == ["club.monthly"])
    }

    @Test("A purchase that fails is thrown, and nobody is in the club")
    func fails() async throws {
        session.failTransactionsEnabled = true
        await session.asCurrent {
            await #expect(throws: (any Error).self) { try await club.join() }
        }
        #expect(!club.isMember)
    }

    @Test("A child is in the club once a parent has said yes, also if the app is not asked again")
    func asks() async throws {
        session.askToBuyEnabled = true
        try await session.asCurrent {
            var updates = Transaction.updates.makeAsyncIterator()
            #expect(try await club.join() == false)
            let waiting = try #require(session.allTransactions().first)
            try session.approveAskToBuyTransaction(identifier: waiting.identifier)
            #expect(await updates.next()?.unsafePayloadValue.productID == "club.monthly")
            await club.refresh()
        }
        #expect(club.isMember)
    }

    @Test("Whoever gets the money back is out")
    func refund() async throws {
        try await session.asCurrent {
            _ = try await club.join()
            var updates = Transaction.updates.makeAsyncIterator()
            let bought = try #require(session.allTransactions().last)
            try session.refundTransaction(identifier: bought.identifier)
            #expect(await updates.next()?.unsafePayloadValue.revocationDate != nil)
            await club.refresh()
        }
        #expect(!club.isMember)
    }

    @Test("What was bought while the app did not run is there at its next start")
    func starts() async throws {
        try session.buyProduct(productIdentifier: "club.monthly")
        try session.relaunch()
        await session.asCurrent {
            await club.open()
            club.close()
        }
        #expect(club.isMember)
    }

    @Test("The tablet has what the phone has bought")
    func secondDevice() async throws {
        let tablet = try session.addDevice()
        _ = try await session.asCurrent { try await club.join() }
        let other = Club()
        await tablet.asCurrent { await other.refresh() }
        #expect(other.isMember)
    }

    @Test("The first week is free, and then each month is paid")
    func months() async throws {
        try await session.asCurrent {
            _ = try await club.join()
            try session.advance(by: week * 6)
            var found: [Transaction] = []
            for await result in Transaction.all { found.append(try result.payloadValue) }
            found.sort { $0.purchaseDate < $1.purchaseDate }
            #expect(found.map { $0.offer?.paymentMode } == [.freeTrial, nil, nil])
            #expect(found.map(\.reason) == [.purchase, .renewal, .renewal])
        }
    }

    @Test("A card that fails costs nobody the club at once, and all of it is mended by another card")
    func grace() async throws {
        session.billingGracePeriodIsEnabled = true
        session.shouldEnterBillingRetryOnRenewal = true
        try await session.asCurrent {
            _ = try await club.join()
            try session.advance(by: week + .seconds(86_400))
            #expect(try await state() == .inGracePeriod)
            await club.refresh()
            #expect(club.isMember)

            try session.advance(by: week * 3)
            #expect(try await state() == .inBillingRetryPeriod)
            await club.refresh()
            #expect(!club.isMember)

            let bought = try #require(session.allTransactions().last)
            try session.resolveIssueForTransaction(identifier: bought.identifier)
            #expect(try await state() == .subscribed)
        }
    }

    private func state() async throws -> Product.SubscriptionInfo.RenewalState? {
        try await Product.SubscriptionInfo.status(for: "C1AB").first?.state
    }

    @Test("The app's server hears of a renewal too")
    func server() async throws {
        let backend = ClubBackend()
        try session.onNotification { payload in try await backend.receive(payload) }
        _ = try await session.asCurrent { try await club.join() }
        try session.forceRenewalOfSubscription(productIdentifier: "club.monthly")
        #expect(await backend.types == ["SUBSCRIBED", "DID_RENEW"])
    }

    @Test("An answer that is lost on its way charges nobody twice")
    func lostAnswer() async throws {
        try session.add(.requests("*/purchases", method: "POST", .answerLost).times(1))
        let isMember = try await session.asCurrent { try await club.join() }
        #expect(isMember)
        #expect(session.allTransactions().count == 1)
    }

    @Test("From one evening two mornings follow")
    func fork() async throws {
        _ = try await session.asCurrent { try await club.join() }
        let other = try session.fork()
        try other.expireSubscription(productIdentifier: "club.monthly")
        await other.asCurrent { await club.refresh() }
        #expect(!club.isMember)
        await session.asCurrent { await club.refresh() }
        #expect(club.isMember)
    }

    @Test("Whoever gets the first paid month back is out")
    func scenario() async throws {
        let file = try #require(Bundle.module.url(forResource: "Club", withExtension: "till"))
        try await session.asCurrent {
            try await session.run(scenario: file)
            await club.refresh()
            #expect(!club.isMember)
        }
        #expect(session.allTransactions().map(\.state) == [.purchased, .purchased])
    }
}

import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite(.bounded) struct RefundDriverTests {
    @Test(
        "A refund gives the money back once, takes the transaction back, tells the devices and turns the books around",
        arguments: StoreEngine.allCases)
    func refunded(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            let bought = try await scene.buy(.sample(.nonConsumable), on: device)
            let id = try #require(bought.transaction)
            let first = try await scene.refund(id, .full(.appIssue))
            #expect(first.state == .refunded)
            #expect(try await scene.refund(id, .full(.appIssue)) == first)
            #expect(await scene.processor.count("refund") == 1)
            let revocation = try await scene.transaction(id).revocation
            #expect(revocation?.refund == first.id)
            #expect(revocation?.reason == .appIssue)
            #expect(try await scene.events(device).map(\.kind) == [.transaction, .revocation])
            #expect(try await scene.entitlements(device).isEmpty)
            let report = try await scene.check()
            #expect(report.isInOrder, "\(report.problems)")
            #expect(report.entries == 2)
            #expect(report.sums.allSatisfy { $0.amount.isZero })
        }
    }

    @Test(
        "P12: What was bought again for nothing, and what was restored, goes with the refund",
        arguments: StoreEngine.allCases)
    func copies(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            let bought = try await scene.buy(.sample(.nonConsumable), on: device)
            try await scene.finish(bought.transaction, on: device)
            let again = try await scene.buy(.sample(.nonConsumable), on: device)
            let copy = try #require(try await scene.restore(device).first)
            _ = try await scene.refund(bought.transaction, .full(.other))
            #expect(try await scene.entitlements(device).isEmpty)
            for id in [bought.transaction, again.transaction, copy.id] {
                #expect(try await scene.transaction(id).revocation != nil)
            }
            // It can be bought anew, and that is a sale.
            let anew = try await scene.buy(.sample(.nonConsumable), on: device)
            #expect(try await !scene.transaction(anew.transaction).price.isZero)
            #expect(try await scene.entitlements(device).map(\.id) == [anew.transaction])
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("A refund of one period of a subscription leaves the others")
    func onePeriod() async throws {
        try await SaleScene.on(.memory) { scene in
            let device = try await scene.device(scene.customer())
            let first = try await scene.buy(.sample(.autoRenewable), on: device)
            scene.time.pass(.seconds(32 * 24 * 60 * 60))
            let second = try await scene.buy(.sample(.autoRenewable), on: device)
            _ = try await scene.refund(first.transaction, .full(.other))
            #expect(try await scene.entitlements(device).map(\.id) == [second.transaction])
        }
    }

    @Test("A refund whose answer is lost is asked for again and given once", arguments: StoreEngine.allCases)
    func lost(_ engine: StoreEngine) async throws {
        for fault in [ScriptedProcessor.Fault.lostBefore, .lostAfter, .notSent] {
            try await SaleScene.on(engine) { scene in
                let device = try await scene.device(scene.customer())
                let id = try #require(try await scene.buy(.sample(.consumable), on: device).transaction)
                await scene.processor.plan("refund", fault)
                #expect(try await scene.refund(id, .full(.other)).state == .refunding)
                #expect(try await scene.transaction(id).revocation == nil)
                scene.time.pass(ChargeLimits.inquiry)
                try await scene.work()
                #expect(try await scene.transaction(id).revocation != nil)
                #expect(await scene.processor.movements.count == 2)
                #expect(try await scene.check().isInOrder)
            }
        }
    }

    @Test(
        "A refusal after a lost answer is not believed before the key was looked up",
        arguments: [ProcessorError.Code.noProcessor, .refused])
    func refusedAfterLost(_ code: ProcessorError.Code) async throws {
        try await SaleScene.on(.memory) { scene in
            let device = try await scene.device(scene.customer())
            let id = try #require(try await scene.buy(.sample(.consumable), on: device).transaction)
            await scene.processor.plan("refund", .lostAfter, .refused(code), .refused(code))
            await scene.processor.plan("lookup", .refused(code))
            let refund = try await scene.refund(id, .full(.other))
            #expect(try await RefundDriver(scene.store).look(after: refund.id)?.state == .refunding)
            #expect(try await RefundDriver(scene.store).look(after: refund.id)?.state == .refunded)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("A refund that the processor refuses makes room for another")
    func refused() async throws {
        try await SaleScene.on(.memory) { scene in
            let device = try await scene.device(scene.customer())
            let id = try #require(try await scene.buy(.sample(.consumable), on: device).transaction)
            await scene.processor.plan("refund", .refused(.refused))
            let first = try await scene.refund(id, .full(.other))
            #expect(first.state == .failed)
            #expect(try await scene.transaction(id).revocation == nil)
            let second = try await scene.refund(id, .full(.other))
            #expect(second.state == .refunded)
            #expect(second.id != first.id)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("Many who ask for a refund at once get one", arguments: StoreEngine.allCases)
    func race(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            let id = try #require(try await scene.buy(.sample(.consumable), on: device).transaction)
            let refunds = try await withThrowingTaskGroup(of: RefundID.self) { group in
                for _ in 0..<6 { group.addTask { try await scene.refund(id, .full(.other)).id } }
                return try await group.reduce(into: Set<RefundID>()) { $0.insert($1) }
            }
            #expect(refunds.count == 1)
            #expect(await scene.processor.movements.count == 2)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("What was not paid is not refunded, but can be taken back once", arguments: StoreEngine.allCases)
    func revoked(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            let free = try #require(try await scene.buy(.sample(.nonConsumable, cents: 0), on: device).transaction)
            let unpaid = await #expect(throws: ServiceError.self) {
                try await scene.refund(free, .full(.other))
            }
            #expect(unpaid?.code == .notPaid)
            for expected in [true, false] {
                let wasTaken = try await scene.revoke(free)
                #expect(wasTaken == expected)
            }
            #expect(try await scene.events(device).map(\.kind) == [.transaction, .revocation])
            let paid = try #require(try await scene.buy(.sample(.consumable, 2), on: device).transaction)
            _ = try await scene.revoke(paid)
            let late = await #expect(throws: ServiceError.self) { try await scene.refund(paid, .full(.other)) }
            #expect(late?.code == .alreadyRevoked)
        }
    }

    // MARK: In part

    private func usd(_ cents: Int64) -> Money { Money(minorUnits: cents, currency: .usd) }

    @Test(
        "Refunds in part add up to what was paid and never to more; all of them clear the books",
        arguments: StoreEngine.allCases)
    func parts(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            let bought = try await scene.buy(.sample(.nonConsumable), on: device)
            let key = PurchaseKey(UUID())
            let first = try await scene.refund(
                bought.transaction, .amount(usd(100), key: key, reason: .other))
            #expect(first.state == .refunded && first.amount == usd(100))
            // Repeated with the same key it is the same; with another amount it is refused.
            #expect(
                try await scene.refund(bought.transaction, .amount(usd(100), key: key, reason: .other)).id == first.id)
            for other in [RefundIntent.amount(usd(99), key: key, reason: .other), .full(.other, key: key)] {
                let reused = await #expect(throws: ServiceError.self) {
                    try await scene.refund(bought.transaction, other)
                }
                #expect(reused?.code == .keyReused)
            }
            // The customer keeps what was bought.
            #expect(try await scene.entitlements(device).map(\.id) == [bought.transaction])
            let tooMuch = await #expect(throws: ServiceError.self) {
                try await scene.refund(
                    bought.transaction, .amount(usd(100), key: PurchaseKey(UUID()), reason: .other))
            }
            #expect(tooMuch?.code == .refundTooLarge)
            let rest = try await scene.refund(bought.transaction)
            #expect(rest.amount == usd(99) && rest.state == .refunded)
            let revocation = try await scene.transaction(bought.transaction).revocation
            #expect(revocation?.percentage == 49_748)
            #expect(await scene.processor.movements.count == 3)
            let report = try await scene.check()
            #expect(report.isInOrder, "\(report.problems)")
            #expect(report.sums.allSatisfy { $0.amount.isZero })
        }
    }

    @Test(
        "Of refunds that together are more than was paid, those at once too, only what is left is given",
        arguments: StoreEngine.allCases)
    func partsAtOnce(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let bought = try await scene.buy(.sample(.consumable), on: scene.device(scene.customer()))
            let given = await withTaskGroup(of: Int64.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        let refund = try? await scene.refund(
                            bought.transaction, .amount(usd(70), key: PurchaseKey(UUID()), reason: .other))
                        return refund?.state == .refunded ? 70 : 0
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(given == 140)
            #expect(try await scene.purchase(bought.id).charge?.refunded == usd(140))
            let report = try await scene.check()
            #expect(report.isInOrder, "\(report.problems)")
            #expect(report.sums.first { $0.account == "processor" }?.amount == usd(59))
        }
    }

    @Test("A refused refund in part leaves its amount to others", arguments: StoreEngine.allCases)
    func refusedPart(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let bought = try await scene.buy(.sample(.consumable), on: scene.device(scene.customer()))
            await scene.processor.plan("refund", .refused(.refused))
            let key = PurchaseKey(UUID())
            let failed = try await scene.refund(bought.transaction, .amount(usd(150), key: key, reason: .other))
            #expect(failed.state == .failed)
            #expect(try await scene.purchase(bought.id).charge?.refunded == usd(0))
            #expect(try await scene.refund(bought.transaction).amount == usd(199))
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("A proration gives money back and leaves the transaction as it is", arguments: StoreEngine.allCases)
    func proration(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            let bought = try await scene.buy(.sample(.autoRenewable), on: device)
            let refund = try await scene.refund(bought.transaction, .proration(usd(66), key: PurchaseKey(UUID())))
            #expect(refund.state == .refunded && refund.kind == .proration)
            #expect(try await scene.transaction(bought.transaction).revocation == nil)
            #expect(try await scene.entitlements(device).map(\.id) == [bought.transaction])
            #expect(try await scene.events(device).map(\.kind) == [.transaction])
            #expect(try await scene.check().isInOrder)
        }
    }
}

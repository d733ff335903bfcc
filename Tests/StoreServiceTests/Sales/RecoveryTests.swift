import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

/// What becomes of purchases when answers are lost: nothing is charged twice, nothing is paid and lost (R2.6).
@Suite(.bounded) struct RecoveryTests {
    /// Everything is in its place: the customer has one transaction, the processor took the money once.
    private func requireSoldOnce(_ id: PurchaseID, _ scene: SaleScene) async throws {
        let purchase = try await scene.purchase(id)
        #expect(purchase.state == .purchased)
        #expect(await scene.processor.movements.count == 1)
        #expect(await scene.processor.authorisations.count == 1)
        #expect(await scene.processor.held == 0)
        #expect(try await scene.count("SELECT count(*) FROM store_transaction") == 1)
        let report = try await scene.check()
        #expect(report.isInOrder, "\(report.problems)")
        #expect(try await scene.count("SELECT count(*) FROM work") == 0)
    }

    @Test(
        "An answer that is lost at any step is found again, and the customer pays once",
        arguments: StoreEngine.allCases, ["authorise", "capture"])
    func lostAnswer(_ engine: StoreEngine, _ step: String) async throws {
        for fault in [ScriptedProcessor.Fault.lostBefore, .lostAfter, .notSent] {
            try await SaleScene.on(engine) { scene in
                await scene.processor.plan(step, fault)
                let device = try await scene.device(scene.customer())
                let purchase = try await scene.buy(.sample(.consumable), on: device)
                #expect(purchase.charge?.state == (step == "authorise" ? .authorising : .capturing))
                // Too soon: nobody looks yet.
                try await scene.work()
                #expect(try await scene.purchase(purchase.id).state == purchase.state)
                scene.time.pass(ChargeLimits.inquiry)
                try await scene.work()
                try await requireSoldOnce(purchase.id, scene)
            }
        }
    }

    @Test("A store that begins anew looks after everything at once", arguments: StoreEngine.allCases)
    func atTheStart(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            await scene.processor.plan("authorise", .lostAfter, .lostBefore, .lostAfter)
            let device = try await scene.device(scene.customer())
            for _ in 0..<20 { _ = try await scene.buy(.sample(.consumable), on: device) }
            #expect(try await scene.count("SELECT count(*) FROM charge WHERE state = 'authorising'") == 3)
            try await Recovery(scene.store).run()
            #expect(try await scene.count("SELECT count(*) FROM purchase WHERE state = 'purchased'") == 20)
            #expect(await scene.processor.movements.count == 20)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("A question whose answer was lost is looked up before it is asked again")
    func looksUpFirst() async throws {
        try await SaleScene.on(.memory) { scene in
            await scene.processor.plan("authorise", .lostAfter)
            let purchase = try await scene.buy(.sample(.consumable), on: scene.device(scene.customer()))
            _ = try await scene.look(after: purchase.id)
            #expect(await scene.processor.calls == ["authorise", "lookup", "capture"])
        }
    }

    @Test(
        "A purchase that the processor never hears of is asked for within the hour, and is over after it",
        arguments: StoreEngine.allCases)
    func neverSeen(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            await scene.processor.plan("authorise", .lostBefore, .lostBefore)
            let purchase = try await scene.buy(.sample(.nonConsumable), on: device)
            scene.time.pass(ChargeLimits.asking - .seconds(1))
            _ = try await scene.look(after: purchase.id)
            #expect(await scene.processor.count("authorise") == 2)
            scene.time.pass(.seconds(1))
            _ = try await scene.look(after: purchase.id)
            #expect(await scene.processor.count("authorise") == 2)
            #expect(try await scene.purchase(purchase.id).charge?.state == .authorising)
            scene.time.pass(ChargeLimits.silence)
            let ended = try await scene.look(after: purchase.id)
            #expect(ended.state == .failed)
            #expect(ended.failure?.rawValue == "processor:no_answer")
            // The customer can buy it now.
            #expect(try await scene.buy(.sample(.nonConsumable), on: device).state == .purchased)
        }
    }

    @Test("As long as the processor says nothing at all, a purchase is never given up")
    func silentProcessor() async throws {
        try await SaleScene.on(.memory) { scene in
            await scene.processor.plan("authorise", .lostAfter)
            let purchase = try await scene.buy(.sample(.consumable), on: scene.device(scene.customer()))
            for _ in 0..<5 {
                await scene.processor.plan("lookup", .lostBefore)
                scene.time.pass(.seconds(24 * 60 * 60))
                _ = try await scene.look(after: purchase.id)
                #expect(try await scene.purchase(purchase.id).charge?.state == .authorising)
            }
            _ = try await scene.look(after: purchase.id)
            try await requireSoldOnce(purchase.id, scene)
        }
    }

    @Test(
        "A question that arrives after the purchase is over holds money that is let go of",
        arguments: StoreEngine.allCases)
    func lateAuthorisation(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            await scene.processor.plan("authorise", .late)
            let purchase = try await scene.buy(.sample(.consumable), on: scene.device(scene.customer()))
            scene.time.pass(ChargeLimits.asking + ChargeLimits.silence)
            try await scene.work()
            #expect(try await scene.purchase(purchase.id).state == .failed)
            await scene.processor.deliverLate()
            #expect(await scene.processor.held == 1)
            scene.time.pass(ChargeLimits.asking)
            try await scene.work()
            #expect(await scene.processor.held == 0)
            let history = try await scene.history(purchase.id)
            #expect(history.last?.event == .lateAuthorisationVoided)
            #expect(try await scene.count("SELECT count(*) FROM work") == 0)
            #expect(try await scene.check().isInOrder)
        }
    }

    @Test("Listening for a late question ends a day later")
    func echoEnds() async throws {
        try await SaleScene.on(.memory) { scene in
            await scene.processor.plan("authorise", .lostBefore)
            _ = try await scene.buy(.sample(.consumable), on: scene.device(scene.customer()))
            scene.time.pass(ChargeLimits.asking + ChargeLimits.silence)
            try await scene.work()
            scene.time.pass(ChargeLimits.asking)
            try await scene.work()
            #expect(try await scene.count("SELECT count(*) FROM work") == 1)
            scene.time.pass(ChargeLimits.lateWatch)
            try await scene.work()
            #expect(try await scene.count("SELECT count(*) FROM work") == 0)
        }
    }

    @Test(
        "An error that says nothing was done speaks of that call, not of an earlier one",
        arguments: ["authorise", "capture"], [ProcessorError.Code.noProcessor, .refused])
    func refusedAfterLost(_ step: String, _ code: ProcessorError.Code) async throws {
        try await SaleScene.on(.memory) { scene in
            await scene.processor.plan(step, .lostAfter, .refused(code))
            // The first look finds nothing out, as when the store has no processor any more.
            await scene.processor.plan("lookup", .refused(code))
            let purchase = try await scene.buy(.sample(.consumable), on: scene.device(scene.customer()))
            _ = try await scene.look(after: purchase.id)
            #expect(try await scene.purchase(purchase.id).state == purchase.state)
            #expect(await scene.processor.count("void") == 0)
            _ = try await scene.look(after: purchase.id)
            _ = try await scene.look(after: purchase.id)
            try await requireSoldOnce(purchase.id, scene)
        }
    }

    @Test(
        "A store without a processor fails a purchase at once",
        arguments: [ProcessorError.Code.noProcessor, .refused, .keyReused])
    func refusedAtOnce(_ code: ProcessorError.Code) async throws {
        try await SaleScene.on(.memory) { scene in
            await scene.processor.plan("authorise", .refused(code))
            let purchase = try await scene.buy(.sample(.consumable), on: scene.device(scene.customer()))
            #expect(purchase.failure == .processor(code.rawValue))
            #expect(try await scene.count("SELECT count(*) FROM work") == 0)
        }
    }

    @Test("Money that cannot be taken is let go of, also when that answer is lost", arguments: StoreEngine.allCases)
    func worthless(_ engine: StoreEngine) async throws {
        for fault in [ScriptedProcessor.Fault.lostBefore, .lostAfter, .notSent] {
            try await SaleScene.on(engine) { scene in
                await scene.processor.plan("void", fault)
                let device = try await scene.device(scene.customer(pays: "worthless"))
                let purchase = try await scene.buy(.sample(.consumable), on: device)
                #expect(purchase.charge?.state == .voiding)
                scene.time.pass(ChargeLimits.inquiry)
                try await scene.work()
                #expect(try await scene.purchase(purchase.id).failure == .processor("capture_failed"))
                #expect(await scene.processor.held == 0)
                #expect(try await scene.check().isInOrder)
            }
        }
    }

    @Test("A card that is declined ends the purchase, and the next one may be paid")
    func declined() async throws {
        try await SaleScene.on(.memory) { scene in
            let device = try await scene.device(scene.customer(pays: "decline"))
            let purchase = try await scene.buy(.sample(.nonConsumable), on: device)
            #expect(purchase.state == .declined)
            #expect(purchase.failure == .declined("insufficient_funds"))
            #expect(try await scene.events(device).map(\.kind) == [.purchase])
        }
    }

    @Test("What a customer does at the bank is noticed without anybody asking", arguments: StoreEngine.allCases)
    func action(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer(pays: "action"))
            let purchase = try await scene.buy(.sample(.consumable), on: device)
            #expect(purchase.charge?.state == .action)
            await scene.processor.act(try #require(purchase.authorisation))
            scene.time.pass(ChargeLimits.actionInquiry)
            try await scene.work()
            try await requireSoldOnce(purchase.id, scene)
        }
    }

    @Test("What nobody does at the bank within a day is called off", arguments: [true, false])
    func actionExpires(_ isCancelled: Bool) async throws {
        try await SaleScene.on(.memory) { scene in
            let device = try await scene.device(scene.customer(pays: "action"))
            let purchase = try await scene.buy(.sample(.consumable), on: device)
            if isCancelled {
                #expect(try await scene.cancel(purchase.id).state == .cancelled)
            } else {
                scene.time.pass(ChargeLimits.action - .seconds(1))
                try await scene.work()
                #expect(try await scene.purchase(purchase.id).charge?.state == .action)
                scene.time.pass(.seconds(1))
                try await scene.work()
                #expect(try await scene.purchase(purchase.id).failure == .expired)
            }
            await scene.processor.act(try #require(purchase.authorisation))
            #expect(await scene.processor.held == 0)
        }
    }

    @Test(
        "Many who look after a purchase at once take in one answer", arguments: StoreEngine.allCases,
        ["authorise", "capture"])
    func manyDrivers(_ engine: StoreEngine, _ step: String) async throws {
        try await SaleScene.on(engine) { scene in
            await scene.processor.plan(step, .lostAfter)
            let purchase = try await scene.buy(.sample(.consumable), on: scene.device(scene.customer()))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { _ = try await scene.look(after: purchase.id) } }
                try await group.waitForAll()
            }
            try await requireSoldOnce(purchase.id, scene)
            let history = try await scene.history(purchase.id)
            #expect(history.map(\.event) == [.opened, .confirmed, .authorised, .captured])
        }
    }

    @Test("Someone who says yes many times at once pays once", arguments: StoreEngine.allCases)
    func manyConfirmations(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let device = try await scene.device(scene.customer())
            let opened = try await scene.open(scene.order(.sample(.consumable)), on: device)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { _ = try? await scene.confirm(opened.id) } }
            }
            try await requireSoldOnce(opened.id, scene)
        }
    }
}

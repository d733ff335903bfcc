import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import StoreService

/// A year of many customers who do as they please, and the same with a store that is killed in the middle.
@Suite(.bounded) struct SubscriptionYearTests {
    /// How many years there are, and how many customers each has: in a soak thousands of seeds with few of them.
    private static let (years, customers) = RandomizedRun.isSoak ? (2000, 6) : (1, 40)

    @Test("X7 X4: A year of many customers comes to what a simple calculation says")
    func oracle() async throws {
        var random = RandomizedRun.generator(named: "years of subscriptions")
        for _ in 0..<Self.years {
            try await SaleScene.on(.memory) { scene in
                let lives = try await Self.live(in: scene, customers: Self.customers, random: &random)
                for life in lives { try await life.compare(scene) }
                let report = try await scene.check()
                #expect(report.isInOrder, "\(report.problems)")
                #expect(await scene.processor.held == 0)
            }
        }
    }

    /// Lets customers live for a year.
    private static func live(
        in scene: SaleScene, customers: Int, random: inout SplitMix64
    ) async throws -> [CustomerLife] {
        try await scene.enterPlans()
        try await scene.setGrace(days: 16)
        let start = scene.time.current
        let end = start.adding(.oneYear)
        var lives: [CustomerLife] = []
        for _ in 0..<customers {
            lives.append(try await CustomerLife(scene, from: start, until: end, &random))
        }
        var acts = lives.flatMap { life in life.acts.map { (life, $0) } }
        acts.sort { $0.1.at < $1.1.at }
        for (life, act) in acts {
            try await scene.pass(until: act.at)
            try await life.perform(act, scene)
        }
        try await scene.pass(until: end)
        return lives
    }

    @Test("X4: Killed anywhere while a year goes by, it comes to the same end", arguments: [StoreEngine.memory])
    func killed(_ engine: StoreEngine) async throws {
        var random = RandomizedRun.generator(named: "killed years")
        let expected = try await SaleScene.on(engine) { scene in
            try await Self.subscribe(scene)
            try await scene.pass(days: 300)
            return try await Self.outcome(scene)
        }
        for _ in 0..<RandomizedRun.cases(3, inSoak: 120) {
            let stop = Int(random.next() % 400)
            try await engine.withStore { databases in
                try await databases.sandbox.write { try StoreProperty.beginFirstEpoch("first", in: $0) }
                let scene = try SaleScene(databases)
                try await Self.subscribe(scene)
                let (start, end) = (scene.time.current, scene.time.current.adding(milliseconds: 300 * 86_400_000))
                // This process ends at some point, and does nothing any more.
                let points = Mutex(0)
                let dying = AbandonedDatabase(databases.sandbox) {
                    points.withLock { count in
                        count += 1
                        return count > stop
                    }
                }
                let first = try SaleScene(
                    databases, database: dying, processor: scene.processor, time: scene.time)
                let scheduler = WorkScheduler(
                    dying, handlers: Recovery(first.store).handlers, name: "killed", wallTime: scene.time.reading)
                _ = try? await scheduler.drain(from: start, until: end)
                // The next one waits until what the first had claimed is free.
                let later: @Sendable () -> Instant = { scene.time.current + .seconds(600) }
                try await Recovery(scene.store).run()
                let second = WorkScheduler(
                    databases.sandbox, handlers: Recovery(scene.store).handlers, name: "next", wallTime: later)
                let report = try await second.drain(from: start, until: end)
                #expect(report.keptBusyBy == nil)
                scene.time.pass(end - start)
                #expect(try await Self.outcome(scene) == expected, "stopped at \(stop)")
                #expect(try await scene.check().isInOrder)
            }
        }
    }

    /// Five customers, of whom one cannot pay from some day on.
    private static func subscribe(_ scene: SaleScene) async throws {
        try await scene.enterPlans()
        try await scene.setGrace(days: 16)
        for number in 0..<5 {
            let customer = try await scene.customer()
            _ = try await scene.buy(SaleScene.plan(), on: scene.device(customer))
            if number == 4 { try await scene.addMethod("decline", to: customer) }
        }
    }

    /// All periods of all customers, and how their subscriptions stand.
    private static func outcome(_ scene: SaleScene) async throws -> [String] {
        try await scene.store.database.read { transaction in
            try transaction.query(
                """
                SELECT customer_id, purchase_date, expires_date, price, reason FROM store_transaction
                ORDER BY customer_id, purchase_date
                """
            ) { row in
                var cells = row.cells
                return try "\(cells.next(as: Int64.self)) \(cells.next(as: Int64.self)) \(cells.next(as: Int64.self)) "
                    + "\(cells.next(as: Int64.self)) \(cells.next(as: String.self))"
            }
                + transaction.query("SELECT state FROM subscription ORDER BY original_id") {
                    try $0.value(0, as: String.self)
                }
        }
    }
}

/// One customer, who does something now and then.
private struct CustomerLife {
    let customer: CustomerID
    let device: DeviceScope
    let level: Int
    let start: Instant
    let end: Instant
    let acts: [SubscriptionOracle.Act]

    init(_ scene: SaleScene, from start: Instant, until end: Instant, _ random: inout SplitMix64) async throws {
        customer = try await scene.customer()
        device = try await scene.device(customer)
        (self.start, self.end) = (start, end)
        level = Int(random.next() % 3) + 1
        let (year, weeks) = (end - start, Duration.seconds(25 * 86_400))
        var last = start
        var acts = (0..<Int(random.next() % 12)).map { _ in
            // One thing often follows another within days.
            let isSoon = random.next() % 3 > 0
            let milliseconds = UInt64((isSoon ? weeks : year).components.seconds) * 1000
            let at = (isSoon ? last : start).adding(milliseconds: Int64(random.next() % milliseconds))
            last = at
            let kinds: [SubscriptionOracle.Act.Kind] = [
                .turnOff, .turnOn, .card(pays: false), .card(pays: true), .card(pays: false), .card(pays: true),
                .buy(level: Int(random.next() % 3) + 1), .buy(level: 1), .refund, .refundRunning,
            ]
            return SubscriptionOracle.Act(at: at, kind: kinds[Int(random.next() % UInt64(kinds.count))])
        }
        // Somebody sees that the next period was charged, in the last day of the one that runs.
        if random.next() % 3 == 0 {
            let month = Int(random.next() % 11) + 1
            let at = start.adding(.oneMonth, times: month) - .seconds(Int64(random.next() % 86_000) + 60)
            acts.append(.init(at: at, kind: random.next() % 2 == 0 ? .refund : .refundRunning))
            if random.next() % 2 == 0 { acts.append(.init(at: at + .seconds(30), kind: .turnOn)) }
        }
        self.acts = acts.filter { $0.at < end }.sorted { $0.at < $1.at }
        try await buy(level, scene)
    }

    private func buy(_ level: Int, _ scene: SaleScene) async throws {
        // Whatever waits to be finished would be delivered again instead.
        _ = try await scene.store.database.write { [customer, now = scene.time.current] transaction in
            try transaction.execute(
                """
                INSERT INTO transaction_finish (transaction_id, finished_at)
                SELECT id, $2 FROM store_transaction WHERE customer_id = $1
                    AND NOT EXISTS (SELECT 1 FROM transaction_finish WHERE transaction_id = store_transaction.id)
                """, customer, now)
        }
        let cents: [Int64] = [900, 500, 300]
        _ = try await scene.buy(
            SaleScene.plan(1000 + Int64(level), level: level, cents: cents[level - 1]), on: device)
        // What an upgrade gives back is driven by its work.
        try await scene.pass(days: 0)
    }

    func perform(_ act: SubscriptionOracle.Act, _ scene: SaleScene) async throws {
        switch act.kind {
        case .card(let pays): try await scene.addMethod(pays ? "approve" : "decline", to: customer)
        case .buy(let level): try await buy(level, scene)
        case .turnOff, .turnOn:
            let id = try await subscription(scene).id
            let changes = SubscriptionChanges(scene.store)
            _ = try? await changes.renew(id, act.kind == .turnOn, scene.cause)
            // A payment that was due while it was off is due now.
            try await scene.pass(days: 0)
        case .refund:
            let stored = try await subscription(scene)
            if stored.state != .revoked { _ = try await scene.refund(stored.latest) }
        case .refundRunning:
            let stored = try await subscription(scene)
            guard stored.state != .revoked else { return }
            let periods = try await scene.store.database.read {
                try Subscriptions.transactions(of: stored.original, in: $0)
            }
            let now = scene.time.current
            let running = periods.last {
                $0.purchaseDate <= now && $0.expiresDate.map { $0 > now } ?? false && $0.upgradedAt == nil
                    && $0.revocation == nil
            }
            _ = try await scene.refund(running?.id ?? stored.latest)
            // What was charged ahead is given back by its work.
            try await scene.pass(days: 0)
        }
    }

    private func subscription(_ scene: SaleScene) async throws -> StoredSubscription {
        let found = try await scene.store.database.read { [customer] transaction in
            try Subscriptions.list(.init(customer: customer, limit: 1), in: transaction)
        }
        return try #require(found.first)
    }

    func compare(_ scene: SaleScene) async throws {
        let oracle = SubscriptionOracle(level: level, at: start, acts, until: end)
        let stored = try await subscription(scene)
        let periods = try await scene.store.database.read {
            try Subscriptions.transactions(of: stored.original, in: $0)
        }
        let found = periods.map {
            SubscriptionOracle.Period(
                level: Int($0.itemID.number - 1000), start: $0.purchaseDate, end: $0.expiresDate ?? .earliest)
        }
        #expect(found == oracle.periods, "\(customer): \(acts)")
        #expect(stored.state.rawValue == oracle.state(at: end), "\(customer): \(acts)")
    }
}

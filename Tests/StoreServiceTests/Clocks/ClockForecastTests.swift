import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

/// What a dry run of an advance says, beside what the advance does.
@Suite(.bounded) struct ClockForecastTests {
    /// A line of the history of a subscription, as the forecast counts it.
    private struct Line: Hashable, Comparable {
        let at: Instant
        let subscription: Int64
        let what: String

        static func < (one: Line, other: Line) -> Bool {
            (one.at, one.subscription, one.what) < (other.at, other.subscription, other.what)
        }
    }

    /// Any rule that the forecast left out, such as a card, an offer or the grace period, makes it differ in some life.
    @Test("X4: What a dry run says of an advance is what the advance does", arguments: StoreEngine.allCases)
    func equal(_ engine: StoreEngine) async throws {
        var random = RandomizedRun.generator(named: "forecasts of advances \(engine)")
        for _ in 0..<RandomizedRun.cases(1, inSoak: 20) {
            try await SaleScene.on(engine) { scene in
                try await scene.enterPlans()
                try await scene.setGrace(days: 16)
                var people: [CustomerID] = []
                for _ in 0..<8 { people.append(try await Self.subscriber(scene, &random)) }
                let clocks = Clocks(scene.store)
                for _ in 0..<4 {
                    try await Self.act(people, scene, &random)
                    let days = Int64(random.next() % 50) + 1
                    let step = try #require(ClockStep(text: "\(days)d"))
                    let before = try await Self.history(scene)
                    let forecast = try await clocks.forecast(nil, by: step)
                    #expect(try await Self.history(scene) == before)
                    _ = try await clocks.advance(nil, by: step, scene.store.cause(.owner))
                    let after = try await Self.history(scene)
                    let happened = Self.lines(after, since: before)
                    // Of many the first are told, and all are counted.
                    let told = Self.lines(forecast)
                    let isCut = told.count == ClockForecast.mostSteps && Set(told).isSubset(of: happened)
                    #expect(isCut || told == happened, "\(days) days")
                    #expect(forecast.stepCount == happened.count)
                    #expect(forecast.renewals == happened.count { $0.what.hasPrefix("renewed") })
                }
            }
        }
    }

    /// Somebody with a plan, a card that may be declined, and perhaps a trial.
    private static func subscriber(_ scene: SaleScene, _ random: inout SplitMix64) async throws -> CustomerID {
        let customer = try await scene.customer()
        let device = try await scene.device(customer)
        let number = 1001 + Int64(random.next() % 3)
        let trial = OfferTerms(
            kind: .introductory, id: nil, mode: .free, period: .oneWeek, count: 1, price: .zero(.usd))
        _ = try await scene.buy(
            SaleScene.plan(number, level: Int(number - 1000), offer: random.next() % 3 == 0 ? trial : nil), on: device)
        return customer
    }

    private static func act(
        _ people: [CustomerID], _ scene: SaleScene, _ random: inout SplitMix64
    ) async throws {
        for customer in people {
            switch random.next() % 6 {
            case 0: try await scene.addMethod("decline", to: customer)
            case 1: try await scene.addMethod("approve", to: customer)
            case 2: try await scene.addMethod("worthless", to: customer)
            case 3, 4:
                let found = try await scene.store.database.read {
                    try Subscriptions.list(.init(customer: customer, limit: 1), in: $0)
                }
                let renews = random.next() % 2 == 0
                guard let id = found.first?.id else { continue }
                _ = try? await SubscriptionChanges(scene.store).renew(id, renews, scene.store.cause(.customer))
            default: break
            }
        }
        // What a change makes due at once is not of the advance.
        try await Clocks(scene.store).settle()
    }

    private struct Row: Hashable {
        let subscription: Int64
        let number: Int
        let at: Instant
        let event: String
        let state: String
    }

    private static func history(_ scene: SaleScene) async throws -> [Row] {
        try await scene.store.database.read { transaction in
            try transaction.query(
                "SELECT subscription_id, number, at, event, state FROM subscription_history ORDER BY subscription_id, number"
            ) { row in
                var cells = row.cells
                return try Row(
                    subscription: cells.next(), number: cells.next(), at: cells.next(), event: cells.next(),
                    state: cells.next())
            }
        }
    }

    private static func lines(_ rows: [Row], since before: [Row]) -> [Line] {
        let known = Set(before)
        var states: [Int64: String] = [:]
        var lines: [Line] = []
        for row in rows {
            let former = states.updateValue(row.state, forKey: row.subscription)
            guard !known.contains(row) else { continue }
            func add(_ what: String) { lines.append(Line(at: row.at, subscription: row.subscription, what: what)) }
            switch row.event {
            case "renewed": add("renewed")
            case "declined", "released": add("unpaid")
            default: break
            }
            if row.state != former, ["grace", "retry", "expired"].contains(row.state) { add(row.state) }
        }
        return lines.sorted()
    }

    private static func lines(_ forecast: ClockForecast) -> [Line] {
        forecast.steps.map { step in
            let what =
                switch step.event {
                case .renewed: "renewed"
                case .unpaid: "unpaid"
                case .grace: "grace"
                case .retry: "retry"
                case .expired: "expired"
                }
            return Line(at: step.at, subscription: step.original.number, what: what)
        }.sorted()
    }

    @Test("X4: A tester without a clock of its own is forecast alone, and gets none by that")
    func tester() async throws {
        try await SaleScene.on(.memory) { scene in
            try await scene.enterPlans()
            var people: [CustomerID] = []
            for _ in 0..<3 {
                let customer = try await scene.customer()
                _ = try await scene.buy(SaleScene.plan(), on: scene.device(customer))
                people.append(customer)
            }
            let (clocks, step) = (Clocks(scene.store), try #require(ClockStep(text: "1mo")))
            let forecast = try await clocks.forecast(people[1].description, by: step)
            #expect(forecast.renewals == 1 && forecast.steps.map(\.customer) == [people[1]])
            #expect(forecast.sentence == "1 renewal becomes due (4.99 USD).")
            #expect(try await clocks.forecast(nil, by: step).sentence == "3 renewals become due (14.97 USD).")
            #expect(try await !clocks.show(people[1].description).state.isSet)
            #expect(try await scene.count("SELECT count(*) FROM clock") == 0)
            let nothing = try await clocks.forecast(nil, by: try #require(ClockStep(text: "1h")))
            #expect(nothing.sentence == "Nothing becomes due.")
        }
    }

    @Test("X4: A dry run names prices that begin, and asks what they make renewals cost")
    func prices() async throws {
        try await SaleScene.on(.memory) { scene in
            try await scene.enterPlans()
            let device = try await scene.device(scene.customer())
            _ = try await scene.buy(SaleScene.plan(), on: device)
            try await scene.setPrice(299, from: scene.time.current + .seconds(20 * 86_400))
            let forecast = try await Clocks(scene.store).forecast(nil, by: try #require(ClockStep(text: "2mo")))
            #expect(forecast.prices.map(\.product.text) == ["com.example.item1001"])
            #expect(forecast.charged == [Money(minorUnits: 598, currency: .usd)])
        }
    }
}

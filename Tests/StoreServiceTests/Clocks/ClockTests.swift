import StoreCatalogue
import StoreDatabase
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@Suite(.bounded) struct ClockTests {
    static let start = SceneTime.start
    private static let day = Duration.seconds(24 * 60 * 60)

    private static func step(_ text: String) throws -> ClockStep { try #require(ClockStep(text: text)) }

    private func refusal(_ body: () async throws -> Void) async -> (RefusalCode?, String?) {
        do {
            try await body()
            return (nil, nil)
        } catch {
            let error = error as? ServiceError
            return (error?.code, error?.parameter)
        }
    }

    @Test("X4: A step in m is minutes, as everywhere, and one in mo months")
    func units() throws {
        #expect(try Self.step("90m").end(from: Self.start) == Self.start + .seconds(90 * 60))
        #expect(try Self.step("1h").end(from: Self.start) == Self.step("60m").end(from: Self.start))
        #expect(try Self.step("1mo").end(from: Self.start) >= Self.start + .seconds(28 * 24 * 60 * 60))
    }

    @Test(
        "X4: A clock refuses rates, dates and steps outside its limits and never goes back",
        arguments: StoreEngine.allCases)
    func refusals(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let (clocks, cause) = (Clocks(scene.store), scene.store.cause(.owner))
            for rate in [-1, 86_400_000_001] as [Int64] {
                #expect(await refusal { _ = try await clocks.run(nil, at: rate, cause) } == (.valueInvalid, "rate"))
            }
            for time in [
                Self.start - .milliseconds(1), Instant(millisecondsSinceEpoch: 946_684_799_999),
                Instant(millisecondsSinceEpoch: 4_102_444_800_000),
            ] {
                #expect(await refusal { _ = try await clocks.set(nil, to: time, cause) } == (.valueInvalid, "time"))
                #expect(await refusal { _ = try await clocks.advance(nil, to: time, cause) } == (.valueInvalid, "to"))
            }
            for text in ["100y", "999999999999999d"] {
                let step = try Self.step(text)
                #expect(await refusal { _ = try await clocks.advance(nil, by: step, cause) } == (.valueInvalid, "by"))
            }
            for text in ["", "0d", "-1d", "d", "1", "1 d", "1M", "1min", "9999999999999999s"] {
                #expect(ClockStep(text: text) == nil, "\(text)")
            }
            #expect(
                await refusal { _ = try await clocks.freeze("nobody@example.com", cause) } == (
                    .customerUnknown, "customer"
                ))
            let shown = try await clocks.show(nil)
            #expect(!shown.state.isSet && shown.history.isEmpty && shown.time == Self.start)
        }
    }

    @Test("X4: A clock that would go more than two years ahead changes nothing until that is confirmed")
    func far() async throws {
        try await SaleScene.on(.memory) { scene in
            let (clocks, cause) = (Clocks(scene.store), scene.store.cause(.owner))
            let ada = try await scene.customer().description
            let (near, step) = (Self.start.adding(.oneYear, times: 2), try Self.step("25mo"))
            let far = near + .milliseconds(1)
            for tester in [ada, nil] {
                let acts: [() async throws -> Void] = [
                    { _ = try await clocks.set(tester, to: far, cause) },
                    { _ = try await clocks.advance(tester, to: far, cause) },
                    { _ = try await clocks.advance(tester, by: step, cause) },
                ]
                for act in acts { #expect(await refusal(act) == (.confirmationMissing, "confirmed")) }
                let shown = try await clocks.show(tester)
                #expect(!shown.state.isSet && shown.time == Self.start && shown.history.isEmpty)
                #expect(try await clocks.set(tester, to: near, cause).time == near)
                let end = near.adding(.oneYear, times: 3)
                #expect(try await clocks.set(tester, to: end, isConfirmed: true, cause).time == end)
                let later = try await clocks.advance(tester, by: step, isConfirmed: true, cause)
                #expect(later.clock.time == step.end(from: end))
            }
        }
    }

    @Test(
        "X4: Clocks run at their rates, to the end of 2099",
        arguments: [0, 1, 1000, 86_400_000, 86_400_000_000] as [Int64])
    func rates(_ rate: Int64) async throws {
        try await SaleScene.on(.memory) { scene in
            _ = try await Clocks(scene.store).run(nil, at: rate, scene.store.cause(.owner))
            scene.time.pass(.seconds(10))
            let shown = try await Clocks(scene.store).show(nil)
            #expect(shown.time == Self.start + .milliseconds(10 * rate))
            #expect(scene.store.clocks.commerce() == shown.time)
            scene.time.pass(Self.day * 365_000)
            let late = try await Clocks(scene.store).show(nil).time
            #expect(rate == 0 ? late == Self.start : late <= CustomerClock.dates.upperBound)
            if rate > 1 { #expect(late == CustomerClock.dates.upperBound) }
        }
    }

    @Test(
        "X4: What becomes due by a clock that is set is done when it shows that time", arguments: StoreEngine.allCases)
    func set(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            try await scene.enterPlans()
            _ = try await scene.buy(SaleScene.plan(), on: scene.device(scene.customer()))
            try await scene.handle(.turnedOff)
            let (clocks, end) = (Clocks(scene.store), Self.start.adding(.oneMonth))
            let shown = try await clocks.set(nil, to: end, scene.store.cause(.owner))
            #expect(shown.time == end && shown.state.advance == nil)
            #expect(shown.history.map(\.act) == ["advanced", "set"])
            #expect(try await scene.subscription().state == .expired)
        }
    }

    @Test("X4: A tester's clock is its own once it is changed, and so is its work", arguments: StoreEngine.allCases)
    func tester(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let (ada, eve) = (try await scene.customer(), try await scene.customer())
            let cause = scene.store.cause(.owner)
            let clocks = Clocks(scene.store, work: [CustomerWork("renewal") { id, _ in ["of \(id)"] }])
            try await scene.store.database.write { transaction in
                for id in [ada, eve] {
                    try WorkTable.schedule(Work("renewal", "of \(id)", dueAt: Self.start + Self.day), in: transaction)
                }
            }
            _ = try await clocks.set("\(ada)", to: Self.start + .seconds(3600), cause)
            _ = try await clocks.freeze(nil, cause)
            scene.time.pass(.seconds(60))
            #expect(try await clocks.show("\(ada)").time == Self.start + .seconds(3660))
            #expect(try await clocks.show("\(eve)").time == Self.start)
            #expect(try await clocks.show("\(eve)").state.isSet == false)
            let due = try await scene.store.database.read { transaction in
                try [ClockID(number: ada.number), .environment].map {
                    try WorkTable.upcoming(clock: $0, limit: 9, in: transaction).map(\.subject)
                }
            }
            #expect(due == [["of \(ada)"], ["of \(eve)"]])
            let bought = try await scene.buy(.sample(.consumable), on: scene.device(ada))
            #expect(try await scene.transaction(bought.transaction).purchaseDate == Self.start + .seconds(3660))
            let other = try await scene.buy(.sample(.consumable), on: scene.device(eve))
            #expect(try await scene.transaction(other.transaction).purchaseDate == Self.start)
            try await scene.store.database.write { transaction in
                let change = try cause.at(Self.start + Self.day).change(of: ada, in: transaction)
                #expect(change.clock == ClockID(number: ada.number) && change.commerce == Self.start + Self.day)
                #expect(change.wall == scene.time.current)
            }
        }
    }

    /// Work of two kinds that notes when its turns are: one comes again each month, one once.
    static func handlers(_ turns: Turns, failing: (@Sendable (WorkTurn) throws -> Void)? = nil) -> [WorkHandler] {
        let retries = RetrySchedule.doubling(from: 1000, upTo: 1000, attempts: 3)
        return [
            WorkHandler("renewal", retries: retries) { turn, _ in
                turns.note(turn)
                let next = turn.at + day * 30
                return .again(at: next)
            },
            WorkHandler("notice", retries: retries) { turn in
                try failing?(turn)
                turns.note(turn)
                return .done
            },
        ]
    }

    final class Turns: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func note(_ turn: WorkTurn) {
            let hours = (turn.at - start).components.seconds / 3600
            lines.withLock { $0.append("\(turn.work.kind) \(turn.work.subject) \(hours)") }
        }
    }

    private func schedule(_ scene: SaleScene) async throws {
        try await scene.store.database.write { transaction in
            try WorkTable.schedule(Work("renewal", "a", dueAt: Self.start + Self.day), in: transaction)
            try WorkTable.schedule(Work("notice", "b", dueAt: Self.start + Self.day * 40), in: transaction)
            try WorkTable.schedule(Work("notice", "c", dueAt: Self.start + Self.day * 400), in: transaction)
        }
    }

    private static let expected = ["renewal a 24", "renewal a 744", "notice b 960", "renewal a 1464"]

    @Test(
        "X4: An advance does all that becomes due, in order and at its time, and tells of it",
        arguments: StoreEngine.allCases)
    func advance(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let turns = Turns()
            let clocks = Clocks(scene.store, handlers: Self.handlers(turns))
            try await schedule(scene)
            _ = try await clocks.freeze(nil, scene.store.cause(.owner))
            let report = try await clocks.advance(nil, by: Self.step("70d"), scene.store.cause(.owner))
            #expect(turns.all.sorted() == Self.expected.sorted())
            #expect(turns.all.filter { $0.hasPrefix("renewal") } == Self.expected.filter { $0.hasPrefix("renewal") })
            #expect(report.turns == ["renewal": ["done": 3], "notice": ["done": 1]])
            #expect(report.keptBusyBy == nil && report.goal == Self.start + Self.day * 70)
            let shown = try await clocks.show(nil)
            #expect(shown.time == report.goal && shown.state.advance == nil)
            #expect(shown.history.map(\.act) == ["advanced", "advance", "freeze"])
        }
    }

    @Test("X4: A clock is advanced once at a time, also by another process", arguments: StoreEngine.allCases)
    func once(_ engine: StoreEngine) async throws {
        try await engine.withStore { databases in
            try await databases.sandbox.write { try StoreProperty.beginFirstEpoch("first", in: $0) }
            let (scene, other) = (try SaleScene(databases), try SaleScene(databases))
            let (begun, gate) = (Signalled(), Signalled())
            let handler = WorkHandler("notice", retries: .doubling(from: 1000, upTo: 1000, attempts: 1)) { _ in
                await begun.signal()
                await gate.wait()
                return .done
            }
            try await schedule(scene)
            let first = Task {
                try await Clocks(scene.store, handlers: [handler]).advance(
                    nil, by: Self.step("41d"), scene.store.cause(.owner))
            }
            await begun.wait()
            let (clocks, cause) = (Clocks(other.store), other.store.cause(.owner))
            let step = try Self.step("1d")
            #expect(await refusal { _ = try await clocks.advance(nil, by: step, cause) } == (.clockBusy, "clock"))
            #expect(await refusal { _ = try await clocks.freeze(nil, cause) } == (.clockBusy, "clock"))
            await gate.signal()
            #expect(try await first.value.goal == Self.start + Self.day * 41)
            // The other process hears of it by a signal, and reads it with every change.
            try await other.store.readClock()
            #expect(other.store.clocks.commerce() == scene.store.clocks.commerce())
        }
    }

    @Test("X4: An advance that was killed goes on to the same end", arguments: StoreEngine.allCases)
    func killed(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let turns = Turns()
            try await schedule(scene)
            let isDead = Mutex(true)
            // What dies with the process is not told: neither the turn is settled nor the lease given back.
            let database = AbandonedDatabase(
                scene.store.database, stopping: { isDead.withLock { $0 } && turns.all.count >= 2 })
            let dying = try SaleScene(
                StoreDatabases(catalogue: scene.store.catalogue, production: database, sandbox: database),
                database: database, processor: scene.processor, time: scene.time)
            await #expect(throws: (any Error).self) {
                _ = try await Clocks(dying.store, handlers: Self.handlers(turns)).advance(
                    nil, by: Self.step("70d"), dying.store.cause(.owner))
            }
            isDead.withLock { $0 = false }
            #expect(turns.all.count < Self.expected.count)
            let clocks = Clocks(scene.store, handlers: Self.handlers(turns))
            #expect(try await clocks.show(nil).state.advance?.goal == Self.start + Self.day * 70)
            // Another process waits for the lease; one that is alone does not.
            if engine == .postgres { scene.time.pass(.seconds(16)) } else { try await Recovery(scene.store).takeOver() }
            try await clocks.goOn()
            #expect(try await clocks.show(nil).time >= Self.start + Self.day * 70)
            #expect(try await clocks.show(nil).state.advance == nil)
            #expect(Set(turns.all) == Set(Self.expected))
        }
    }

    @Test("X4: The work of clocks is done by itself, at their rates")
    func loop() async throws {
        try await SaleScene.on(.memory) { scene in
            let turns = Turns()
            let clocks = Clocks(scene.store, handlers: Self.handlers(turns))
            try await schedule(scene)
            _ = try await clocks.run(nil, at: 86_400_000, scene.store.cause(.owner))
            #expect(try await clocks.goOn() == Self.start + .seconds(1))
            #expect(turns.all.isEmpty)
            scene.time.pass(.seconds(70))
            #expect(try await clocks.goOn() == nil)
            #expect(try await clocks.goOn() == Self.start + .seconds(91))
            #expect(Set(turns.all) == Set(Self.expected))
            _ = try await clocks.freeze(nil, scene.store.cause(.owner))
            scene.time.pass(Self.day * 400)
            _ = try await clocks.goOn()
            #expect(turns.all.count == Self.expected.count)
        }
    }

    @Test("X4: Production refuses every control of its time")
    func production() async throws {
        let databases = try await StoreDatabases.inMemory(.current())
        let scene = try SaleScene(databases, environment: .production)
        let (clocks, cause) = (Clocks(scene.store), scene.store.cause(.owner))
        let step = try Self.step("1d")
        #expect(await refusal { _ = try await clocks.show(nil) }.0 == .sandboxOnly)
        #expect(await refusal { _ = try await clocks.freeze(nil, cause) }.0 == .sandboxOnly)
        #expect(await refusal { _ = try await clocks.run(nil, at: 1, cause) }.0 == .sandboxOnly)
        #expect(await refusal { _ = try await clocks.set(nil, to: Self.start, cause) }.0 == .sandboxOnly)
        #expect(await refusal { _ = try await clocks.advance(nil, by: step, cause) }.0 == .sandboxOnly)
        await databases.close()
    }

    /// Something that happens once, and can be waited for.
    private actor Signalled {
        private var isSignalled = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func signal() {
            isSignalled = true
            for one in waiting { one.resume() }
            waiting = []
        }

        func wait() async {
            guard !isSignalled else { return }
            await withCheckedContinuation { waiting.append($0) }
        }
    }
}

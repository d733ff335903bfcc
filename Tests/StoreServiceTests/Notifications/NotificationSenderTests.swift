import StoreCatalogue
import StoreDatabase
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("The sender of notifications", .bounded) struct NotificationSenderTests {
    private static let hour = Duration.seconds(60 * 60)

    @Test(
        "X7: First attempts of a stream go out one after the other, and a failed one lets those behind it go on",
        arguments: StoreEngine.allCases)
    func order(_ engine: StoreEngine) async throws {
        try await NotificationScene.on(engine) { scene in
            try await scene.setAddress(retries: true)
            let ids = [try await scene.write(), try await scene.write(), try await scene.write()]
            let sender = scene.sender { request in
                NotificationOutcome(
                    request.id == ids[1] ? .timedOut : .success, status: request.id == ids[1] ? nil : 200)
            }
            try await scene.running(sender) { try await scene.noted(3) }
            #expect(scene.sent.value.map(\.id) == ids)
            let found = try await [scene.find(ids[0]), scene.find(ids[1]), scene.find(ids[2])]
            #expect(found.map(\.notification.state) == [.delivered, .resting, .delivered])
            #expect(found[1].notification.nextAt == SceneTime.start + Self.hour)
            #expect(found.map { $0.attempts.map(\.result) } == [[.success], [.timedOut], [.success]])
            #expect(found.allSatisfy { $0.notification.lease == nil && $0.notification.attempts == 1 })
        }
    }

    @Test("X7: A retry comes by the clock of whom it concerns, which may stand still", arguments: StoreEngine.allCases)
    func retry(_ engine: StoreEngine) async throws {
        try await NotificationScene.on(engine) { scene in
            try await scene.setAddress(retries: true)
            let ada = try await scene.sales.customer()
            let clocks = Clocks(scene.store)
            let owner = scene.store.cause(.owner)
            // It is written while the customer lives by the clock of the environment, and moves with the customer.
            let id = try await scene.write(of: ada)
            let attempts = Observed(0)
            let sender = scene.sender { _ in
                NotificationOutcome(attempts.next == 1 ? .socketIssue : .success)
            }
            try await scene.running(sender) {
                try await scene.noted(1)
                _ = try await clocks.freeze(ada.description, owner)
                scene.sales.time.pass(Self.hour * 5)
                _ = try await clocks.goOn()
                #expect(try await scene.find(id).notification.state == .resting)
                // First attempts do not wait for a clock.
                let other = try await scene.write(of: ada)
                try await scene.noted(2)
                #expect(try await scene.find(other).notification.state == .delivered)
                let advanced = try await clocks.advance(
                    ada.description, by: #require(ClockStep(text: "59m")), owner)
                #expect(advanced.keptBusyBy == nil)
                #expect(try await scene.find(id).notification.state == .resting)
                let later = try await clocks.advance(ada.description, by: #require(ClockStep(text: "2m")), owner)
                // An advance returns when what became due is delivered.
                #expect(later.keptBusyBy == nil && later.turns[NotificationDeliveries.work] == ["done": 1])
                let found = try await scene.find(id)
                #expect(found.notification.state == .delivered)
                #expect(found.attempts.map(\.at) == [SceneTime.start, SceneTime.start + Self.hour])
            }
        }
    }

    @Test("X7: An advance of the clock waits until what it brought about has gone out, or says that it does not")
    func advance() async throws {
        try await NotificationScene.on(.memory) { scene in
            try await scene.setAddress()
            let (open, gate) = AsyncStream.makeStream(of: Void.self)
            let id = try await scene.write()
            let sender = scene.sender { _ in
                for await _ in open { break }
                return NotificationOutcome(.success)
            }
            try await scene.running(sender) {
                try await scene.sent.wait { $0.count == 1 }
                let step = try #require(ClockStep(text: "1h"))
                let looks = Observed(0)
                let stuck = Clocks(
                    scene.store,
                    pause: { duration in
                        // The lease of the advance is kept by pauses as well, which take longer.
                        if duration > .seconds(1) { try await NotificationScene.never() }
                    })
                let first = try await stuck.advance(nil, by: step, scene.store.cause(.owner))
                #expect(first.keptBusyBy == Clocks.notifications)
                let patient = Clocks(
                    scene.store,
                    pause: { duration in
                        if duration > .seconds(1) { try await NotificationScene.never() }
                        if looks.next == 1 { gate.yield() }
                        try await scene.noted(1)
                    })
                let second = try await patient.advance(nil, by: step, scene.store.cause(.owner))
                #expect(second.keptBusyBy == nil && looks.value > 0)
                #expect(try await scene.find(id).notification.state == .delivered)
            }
            // Where nobody sends, nothing is waited for.
            try await scene.write()
            let last = try await Clocks(scene.store).advance(
                nil, by: #require(ClockStep(text: "1h")), scene.store.cause(.owner))
            #expect(last.keptBusyBy == nil)
        }
    }

    @Test(
        "X7: What a server had in hand that was killed is sent by another once its time is over, and none is lost",
        arguments: StoreEngine.allCases)
    func killed(_ engine: StoreEngine) async throws {
        try await NotificationScene.on(engine) { scene in
            try await scene.setAddress()
            let id = try await scene.write()
            let killed = scene.sender { _ in
                try await NotificationScene.never()
                return NotificationOutcome(.success)
            }
            try await scene.running(killed) { try await scene.sent.wait { $0.count == 1 } }
            #expect(try await scene.find(id).notification.lease != nil)
            let other = try await scene.write()
            let healthy = scene.sender(named: "two") { _ in NotificationOutcome(.success) }
            try await scene.running(healthy) {
                scene.sales.time.pass(.seconds(61))
                try await scene.store.database.write { try $0.signal(Signal(.notifications, subject: "42")) }
                try await scene.noted(2)
            }
            #expect(scene.sent.value.map(\.id) == [id, id, other])
            #expect(try await scene.find(id).attempts.count == 1)
        }
    }

    @Test("X7: A store that has its database for itself takes up at once what it had in hand")
    func takenOver() async throws {
        try await NotificationScene.on(.memory) { scene in
            try await scene.setAddress()
            let id = try await scene.write()
            let killed = scene.sender { _ in
                try await NotificationScene.never()
                return NotificationOutcome(.success)
            }
            try await scene.running(killed) { try await scene.sent.wait { $0.count == 1 } }
            try await Recovery(scene.store).takeOver()
            try await scene.running(scene.sender { _ in NotificationOutcome(.success, status: 206) }) {
                try await scene.noted(1)
            }
            let found = try await scene.find(id)
            #expect(found.notification.state == .delivered && found.attempts.map(\.status) == [206])
        }
    }

    @Test("X7: Two servers of one database send each notification once", arguments: StoreEngine.allCases)
    func two(_ engine: StoreEngine) async throws {
        try await NotificationScene.on(engine) { scene in
            for number in 1...4 { try await scene.setAddress(AppID(rawNumber: Int64(number))) }
            let one = scene.sender { _ in NotificationOutcome(.success) }
            let two = scene.sender(named: "two") { _ in NotificationOutcome(.success) }
            var ids: [[NotificationID]] = []
            try await scene.running(one) {
                try await scene.running(two) {
                    for number in 1...4 {
                        ids.append([])
                        for _ in 0..<5 {
                            ids[number - 1].append(try await scene.write(AppID(rawNumber: Int64(number))))
                        }
                    }
                    try await scene.noted(20)
                }
            }
            for number in 1...4 {
                #expect(scene.sent.value.filter { $0.app.number == number }.map(\.id) == ids[number - 1])
            }
        }
    }

    @Test("X7: A thousand receivers that never answer hold up no other")
    func thousandDead() async throws {
        try await NotificationScene.on(.memory) { scene in
            let live = AppID(rawNumber: 5000)
            try await scene.setAddress(live)
            for number in 1...1000 { try await scene.setAddress(AppID(rawNumber: Int64(number))) }
            for number in 1...1000 { try await scene.write(AppID(rawNumber: Int64(number))) }
            // Behind all of them.
            for _ in 0..<20 { try await scene.write(live) }
            let limits = DeliveryPlan<AppID>.Limits(
                quick: 64, new: 64, slow: 1000, doubtful: 64, perReceiver: 32, perSlowReceiver: 4)
            let passed = Observed((sent: 0, times: 0))
            let pause: @Sendable (Duration) async throws -> Void = { duration in
                guard duration == NotificationLimits.patience else { return try await NotificationScene.never() }
                // Time passes twice for each attempt that begins: none that hangs is quick any more then.
                let (sent, times) = passed.value
                if times == 2 { try await scene.sent.wait { $0.count > sent } }
                let count = scene.sent.value.count
                passed.update { $0 = (count, $0.sent == count ? $0.times + 1 : 1) }
            }
            let sender = scene.sender(limits: limits, pause: pause) { request in
                guard request.app == live else {
                    try await NotificationScene.never()
                    return NotificationOutcome(.timedOut)
                }
                return NotificationOutcome(.success)
            }
            try await scene.running(sender) { try await scene.noted(20) }
            let sent = scene.sent.value
            #expect(sent.count { $0.app == live } == 20)
            // Of the dead none was asked twice.
            #expect(Set(sent.map(\.app)).count == sent.count - 19)
        }
    }

    @Test("X12: What goes wrong on purpose happens to attempts as it happens to requests")
    func faults() async throws {
        try await NotificationScene.on(.memory) { scene in
            try await scene.setAddress()
            let sender = scene.sender { _ in NotificationOutcome(.success, status: 200) }
            let owner = scene.store.cause(.owner)
            let editing = FaultEditing(scene.store)
            /// What came of one notification, with the status, and how often the receiver was asked.
            func sent(_ change: (inout FaultTerms) -> Void) async throws -> String {
                var terms = FaultTerms()
                terms.notifications = true
                change(&terms)
                _ = try await editing.clear(owner)
                _ = try await editing.add(terms, owner)
                let noted = scene.log.value.count { $0.event.hasPrefix("notification.") }
                let asked = scene.sent.value.count
                let id = try await scene.write()
                try await scene.noted(noted + 1)
                let attempt = try #require(try await scene.find(id).attempts.first)
                return "\(attempt.result) \(attempt.status ?? 0) \(scene.sent.value.count - asked)"
            }
            try await scene.running(sender) {
                var results: [String] = []
                results.append(try await sent { $0.status = 503 })
                results.append(try await sent { $0.drop = "before" })
                results.append(try await sent { $0.drop = "after" })
                results.append(try await sent { $0.duplicate = true })
                results.append(try await sent { ($0.notificationType, $0.status) = ("TEST", 503) })
                #expect(
                    results == [
                        "UNSUCCESSFUL_HTTP_RESPONSE_CODE 503 0", "SOCKET_ISSUE 0 0", "NO_RESPONSE 0 1", "SUCCESS 200 2",
                        "SUCCESS 200 1",
                    ])
            }
        }
    }

    @Test("X12: A notification that is to come out of order goes after the next of its stream")
    func reordered() async throws {
        try await NotificationScene.on(.memory) { scene in
            try await scene.setAddress()
            var terms = FaultTerms()
            (terms.notifications, terms.reorder, terms.call) = (true, true, 1)
            _ = try await FaultEditing(scene.store).add(terms, scene.store.cause(.owner))
            let ids = [try await scene.write(), try await scene.write()]
            try await scene.running(scene.sender { _ in NotificationOutcome(.success) }) {
                try await scene.noted(1)
                scene.sales.time.pass(.seconds(2))
                try await scene.store.database.write { try $0.signal(Signal(.notifications, subject: "42")) }
                try await scene.noted(2)
            }
            #expect(scene.sent.value.map(\.id) == [ids[1], ids[0]])
        }
    }

    @Test(
        "X7: What is asked for again or loses its address during an attempt is not sent twice, and the attempt is noted",
        arguments: StoreEngine.allCases)
    func duringAttempt(_ engine: StoreEngine) async throws {
        try await NotificationScene.on(engine) { scene in
            try await scene.setAddress(retries: true)
            let id = try await scene.write()
            let (open, gate) = AsyncStream.makeStream(of: Void.self)
            let sender = scene.sender { _ in
                for await _ in open { break }
                return NotificationOutcome(.success, status: 200)
            }
            try await scene.running(sender) {
                for count in 1...2 {
                    try await scene.sent.wait { $0.count == count }
                    let lists = NotificationLists(scene.store)
                    _ = try await lists.resend(id, scene.store.cause(.owner))
                    if count == 2 {
                        _ = try await scene.store.database.write { transaction in
                            try NotificationDeliveries.close(of: NotificationScene.app, in: transaction)
                            try transaction.execute("DELETE FROM notification_setting")
                        }
                        #expect(try await scene.find(id).notification.state == .failed)
                    }
                    gate.yield()
                    try await scene.noted(count)
                    let found = try await scene.find(id)
                    #expect(found.notification.state == .delivered && found.notification.lease == nil)
                    #expect(found.attempts.map(\.result) == Array(repeating: .success, count: count))
                    // The second attempt is one that was asked for after the first.
                    if count == 1 { _ = try await lists.resend(id, scene.store.cause(.owner)) }
                }
            }
            #expect(scene.sent.value.map(\.id) == [id, id])
        }
    }

    @Test("X7: First attempts wait for no later one of the same receiver", arguments: StoreEngine.allCases)
    func firstAttemptsFirst(_ engine: StoreEngine) async throws {
        try await NotificationScene.on(engine) { scene in
            try await scene.setAddress()
            let old = [try await scene.write(), try await scene.write()]
            try await scene.running(scene.sender { _ in NotificationOutcome(.timedOut) }) { try await scene.noted(2) }
            for id in old { _ = try await NotificationLists(scene.store).resend(id, scene.store.cause(.owner)) }
            let new = try await scene.write()
            // One at a time, as it is for a receiver that took nothing lately.
            let limits = DeliveryPlan<AppID>.Limits(
                quick: 1, new: 1, slow: 1, doubtful: 1, perReceiver: 1, perSlowReceiver: 1)
            let sender = scene.sender(named: "two", limits: limits) { _ in NotificationOutcome(.success) }
            try await scene.running(sender) { try await scene.noted(5) }
            #expect(scene.sent.value.dropFirst(2).map(\.id) == [new] + old)
        }
    }

    @Test("X7: A notification that is asked for again goes out at once under the same id, and only with an address")
    func resend() async throws {
        try await NotificationScene.on(.memory) { scene in
            try await scene.setAddress()
            let id = try await scene.write()
            let lists = NotificationLists(scene.store)
            let owner = scene.store.cause(.owner)
            let sender = scene.sender { _ in NotificationOutcome(.unsuccessfulResponseCode, status: 500, detail: "no") }
            try await scene.running(sender) {
                try await scene.noted(1)
                #expect(try await scene.find(id).notification.state == .failed)
                #expect(try await lists.resend(id, owner).notification.uuid == id)
                try await scene.noted(2)
            }
            #expect(scene.sent.value.map(\.id) == [id, id])
            #expect(try await scene.find(id).attempts.map(\.number) == [1, 2])
            _ = try await scene.store.database.write { try $0.execute("DELETE FROM notification_setting") }
            let refusal = await #expect(throws: ServiceError.self) { try await lists.resend(id, owner) }
            #expect(refusal?.code == .noNotificationAddress)
            let other = try #require(NotificationID("00000000-0000-4000-8000-000000000000"))
            let unknown = await #expect(throws: ServiceError.self) { try await lists.resend(other, owner) }
            #expect(unknown?.code == .notificationUnknown)
        }
    }
}

extension Observed<Int> {
    /// Counts one more, and gives how many that are.
    fileprivate var next: Int {
        update { count in
            count += 1
            return count
        }
    }
}

import StoreCatalogue
import StoreDatabase
import StoreLog
package import StoreModel
package import StoreRules

/// Sends the notifications of an environment to the addresses of its apps, as long as the store is at work.
///
/// It is a loop of its own: the loop of work waits for the slowest of what it does, and a receiver may take long. Rows are
/// claimed for a while, so that several servers share them and what one had in hand that was killed is taken up. A process that
/// is killed between an attempt and the note of it lets the same notification be sent once more, under the same id; none is
/// lost.
///
/// Signals wake it up, and it looks by itself every few seconds. Retries are work by the clock of whom they concern, see
/// ``NotificationDeliveries/work``.
package struct NotificationSender: Sendable {
    private let store: EnvironmentStore
    private let name: String
    private let limits: DeliveryPlan<AppID>.Limits
    private let body: NotificationBody
    private let post: NotificationPost
    private let pause: @Sendable (Duration) async throws -> Void
    private let rest: @Sendable (Duration) async throws -> Void
    private let inbox = SenderInbox()

    /// - Parameters:
    ///   - name: one that no other sender has, now or later.
    ///   - body: makes what is sent.
    ///   - post: makes an attempt.
    ///   - pause: waits for so long, or until the task is cancelled.
    package init(
        _ store: EnvironmentStore, name: String, limits: DeliveryPlan<AppID>.Limits = NotificationLimits.attempts,
        body: @escaping NotificationBody, post: @escaping NotificationPost,
        pause: (@Sendable (Duration) async throws -> Void)? = nil
    ) {
        (self.store, self.name, self.limits, self.body, self.post) = (store, name, limits, body, post)
        let place = store.waiters.place(for: "sender", on: .notifications)
        self.pause = pause ?? { try await Task.sleep(for: $0) }
        // Ends when the store is being stopped, too.
        rest = pause ?? { try await place.pause(upTo: $0) }
    }

    /// Runs until the store is being stopped or its task is cancelled. What goes wrong with the database is logged and tried
    /// again.
    package func run() async {
        store.notifying.begin()
        defer { store.notifying.end() }
        await withDiscardingTaskGroup { group in
            group.addTask { await follow() }
            group.addTask { await look() }
            var plan = DeliveryPlan<AppID>(limits)
            var (isSweeping, isStopping, knowsReceivers) = (false, false, false)
            while true {
                let events = await inbox.next()
                guard !events.isEmpty else { break }
                var (looks, isCut) = (false, false)
                for event in events {
                    switch event {
                    case .called(let app): plan.call(app)
                    case .look: looks = true
                    case .sweep:
                        plan.sweep()
                        isSweeping = false
                    case .ended(let ticket, let isSuccess): plan.end(ticket, isSuccess: isSuccess)
                    case .stop:
                        isStopping = true
                        later(.cut, NotificationLimits.lastPause, &group)
                    case .cut: isCut = true
                    }
                }
                if isCut || isStopping && plan.count == 0 { break }
                guard !isStopping else { continue }
                await send(&plan, lookingEverywhere: looks, knowing: &knowsReceivers, &group)
                if !isSweeping, plan.count > 0 {
                    isSweeping = true
                    later(.sweep, NotificationLimits.patience, &group)
                }
            }
            group.cancelAll()
        }
    }

    /// Lets something happen after some time.
    private func later(_ event: SenderInbox.Event, _ time: Duration, _ group: inout DiscardingTaskGroup) {
        group.addTask { if (try? await pause(time)) != nil { inbox.add(event) } }
    }

    // MARK: What there is to send

    /// Hands on what is signalled, until the database is closed or the task is cancelled.
    private func follow() async {
        do {
            let signals = try await store.database.signals(on: .notifications)
            // What was written before somebody listened.
            inbox.add(.look)
            for await signal in signals {
                inbox.add(signal.subject.flatMap { AppID($0) }.map { .called($0) } ?? .look)
            }
        } catch {
            store.log.error(
                "signals.failed", "Signals of the database do not arrive; notifications are sent late.", reason(error))
        }
    }

    /// Looks by itself now and then, until the store is being stopped.
    private func look() async {
        repeat {
            inbox.add(.look)
            if let backlog = try? await store.database.read({ try NotificationDeliveries.backlog(in: $0) }) {
                store.notifying.note(waiting: backlog.count, since: backlog.oldest)
            }
        } while (try? await rest(NotificationLimits.longestPause)) != nil
        inbox.add(.stop)
    }

    /// Begins as many attempts as there are places for.
    private func send(
        _ plan: inout DeliveryPlan<AppID>, lookingEverywhere looks: Bool, knowing knowsReceivers: inout Bool,
        _ group: inout DiscardingTaskGroup
    ) async {
        do {
            if looks {
                if !knowsReceivers {
                    for (app, isSuccess) in try await store.database.read({
                        try NotificationDeliveries.standings(in: $0)
                    }) {
                        plan.note(app, isSuccess: isSuccess)
                    }
                    knowsReceivers = true
                }
                for app in try await store.database.read({ try NotificationDeliveries.receivers(in: $0) }) {
                    plan.call(app)
                }
            }
            while true {
                let turns = plan.turns()
                guard !turns.isEmpty else { return }
                let claimed = try await claim(turns)
                plan.finish(Set(turns.filter { claimed[$0.receiver, default: []].count < $0.count }.map(\.receiver)))
                for turn in turns {
                    for one in claimed[turn.receiver] ?? [] {
                        let ticket = plan.begin(turn.receiver)
                        group.addTask { inbox.add(.ended(ticket, isSuccess: await attempt(one))) }
                    }
                }
                guard !claimed.isEmpty else { return }
            }
        } catch {
            guard !Task.isCancelled else { return }
            store.log.error("notifications.failed", "Notifications could not be read.", reason(error))
        }
    }

    /// A notification that is being sent, and where to.
    private struct Claimed: Sendable {
        let notification: StoredNotification
        let setting: NotificationSetting
    }

    private func claim(_ turns: [DeliveryPlan<AppID>.Turn]) async throws -> [AppID: [Claimed]] {
        let claim = NotificationDeliveries.Claim(
            lease: "\(name)/\(try Clocks.newLease(store.random))", now: store.clocks.wall())
        return try await store.database.write(isolation: .readCommitted) { transaction in
            try turns.reduce(into: [:]) { claimed, turn in
                guard let setting = try NotificationSetting.find(of: turn.receiver, in: transaction) else {
                    return try NotificationDeliveries.close(of: turn.receiver, in: transaction)
                }
                let found = try NotificationDeliveries.claim(turn.count, of: turn.receiver, claim, in: transaction)
                if !found.isEmpty {
                    claimed[turn.receiver] = found.map { Claimed(notification: $0, setting: setting) }
                }
            }
        }
    }

    // MARK: An attempt

    /// Makes an attempt and notes what came of it; false if the receiver did not take it.
    private func attempt(_ claimed: Claimed) async -> Bool {
        let (notification, setting) = (claimed.notification, claimed.setting)
        do {
            guard let body = try await body(notification) else {
                try await store.database.write { try NotificationDeliveries.setAside(notification, in: $0) }
                return true
            }
            let begun = store.clocks.wall()
            let request = NotificationRequest(
                app: notification.app, customer: notification.customer, id: notification.uuid, url: setting.url,
                body: body)
            guard var outcome = try await faulty(request, of: notification) else { return true }
            outcome.milliseconds = Int(
                max(0, store.clocks.wall().millisecondsSinceEpoch - begun.millisecondsSinceEpoch))
            try await note(outcome, of: notification, setting)
            return outcome.result == .success
        } catch {
            // Its time is over soon, and it is sent once more.
            guard !Task.isCancelled, !(error is CancellationError) else { return false }
            store.log.error(
                "notification.failed", "An attempt to send a notification could not be made or noted.",
                reason(error, of: notification))
            return false
        }
    }

    /// Makes an attempt, with which in the sandbox something may go wrong on purpose; nil if it waits, and the next of the stream
    /// goes first.
    private func faulty(
        _ request: NotificationRequest, of notification: StoredNotification
    ) async throws -> NotificationOutcome? {
        let strike = try await store.faults?.strike(
            notification: notification.type.rawValue, of: notification.app, to: notification.customer)
        guard let strike else { return try await post(request) }
        if strike.delay > .zero { try await pause(strike.delay) }
        switch strike.effect {
        case nil: return try await post(request)
        case .status(let status, _):
            return NotificationOutcome(.unsuccessfulResponseCode, status: status, detail: strike.words)
        case .drop(.before): return NotificationOutcome(.socketIssue, detail: strike.words)
        case .drop(.after):
            _ = try await post(request)
            return NotificationOutcome(.noResponse, detail: strike.words)
        case .duplicate:
            _ = try await post(request)
            return try await post(request)
        case .reorder:
            guard notification.state == .waiting else { return try await post(request) }
            let until = store.clocks.wall() + NotificationLimits.reordering
            try await store.database.write {
                try NotificationDeliveries.step(aside: notification, until: until, in: $0)
            }
            return nil
        }
    }

    private func note(
        _ outcome: NotificationOutcome, of notification: StoredNotification, _ setting: NotificationSetting
    ) async throws {
        let retries = NotificationRetries(
            version: notification.version, in: store.environment, asInProduction: setting.retries)
        let cause = store.cause(.store)
        let counts = try await store.database.write(isolation: .snapshot) {
            try NotificationDeliveries.note(outcome, of: notification, retries, by: cause, in: $0)
        }
        guard counts else { return }
        store.notifying.count(outcome.result)
        let isSuccess = outcome.result == .success
        // Of a receiver that is dead it is told now and then.
        let isNews = !isSuccess && store.notifying.troubles.allows(notification.app, at: store.clocks.wall())
        store.log.write(
            isNews ? .warning : .info, isSuccess ? "notification.sent" : "notification.refused",
            isSuccess ? "A notification was sent." : "A notification did not arrive.",
            [
                "environment": .text(store.environment.rawValue), "notification": "\(notification.uuid)",
                "app": "\(notification.app)", "type": .text(notification.type.rawValue),
                "result": .text(outcome.result.rawValue), "attempt": .number(Int64(notification.attempts + 1)),
                "milliseconds": .number(Int64(outcome.milliseconds)),
                // What the receiver answered is no business of the log.
                "reason": .text(outcome.status.map { "it was answered with \($0)" } ?? outcome.detail ?? ""),
            ])
    }

    private func reason(
        _ error: any Error, of notification: StoredNotification? = nil
    ) -> KeyValuePairs<String, LogValue> {
        [
            "environment": .text(store.environment.rawValue), "reason": "\(error)",
            "notification": .text(notification?.uuid.description ?? ""),
        ]
    }
}

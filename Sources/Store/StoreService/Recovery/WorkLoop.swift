package import StoreDatabase
package import StoreLog
package import StoreModel

/// Does what is due by the clock on the wall and by those of the environment and its testers, as long as the store is at work.
package struct WorkLoop: Sendable {
    private let scheduler: WorkScheduler
    /// The clocks of an environment; nil for a database that has none.
    private var clocks: Clocks?
    private let wall: @Sendable () -> Instant
    private let place: String
    private let log: Log
    private let pause: @Sendable (Duration) async throws -> Void

    /// How long it waits at most before it looks again: another process may have scheduled something earlier.
    private static let longestPause = Duration.seconds(5)
    private static let shortestPause = Duration.milliseconds(20)

    /// - Parameters:
    ///   - name: one that no other loop has, now or later.
    ///   - pause: waits for so long, or until the task is cancelled; nil for one that also ends when work is signalled.
    package init(
        _ store: EnvironmentStore, name: String, pause: (@Sendable (Duration) async throws -> Void)? = nil
    ) {
        let place = store.waiters.place(for: Self.subject, on: .work)
        self.init(
            Recovery(store).handlers, of: store.database, called: store.environment.rawValue, name: name,
            wall: store.clocks.wall, log: store.log, pause: pause ?? { try await place.pause(upTo: $0) })
        clocks = Clocks(store)
    }

    /// The subject of signals that something is due now.
    private static let subject = "due"

    /// Wakes the loops of a store up if this is due before they would look by themselves.
    static func signal(dueAt instant: Instant, by now: Instant, in transaction: any WriteTransaction) throws {
        guard instant - now < longestPause else { return }
        try transaction.signal(Signal(.work, subject: subject))
    }

    /// - Parameters:
    ///   - handlers: what is done about each kind of work of a database.
    ///   - place: what the log calls the database.
    ///   - name: one that no other loop has, now or later.
    package init(
        _ handlers: [WorkHandler], of database: any Database, called place: String, name: String,
        wall: @escaping @Sendable () -> Instant, log: Log,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.pause = pause
        self.wall = wall
        self.place = place
        self.log = log
        scheduler = WorkScheduler(database, handlers: handlers, name: name, wallTime: wall)
    }

    /// Runs until its task is cancelled. What goes wrong with the database is logged and tried again.
    package func run() async {
        while !Task.isCancelled {
            do {
                var results = try await scheduler.runRound(clock: .wall, at: wall())
                let others = try await clocks?.runDue(scheduler)
                results += others?.results ?? []
                for result in results where result.error != nil { tell(result) }
                if !results.isEmpty { continue }
                let next = [try await scheduler.nextDue(clock: .wall), others?.next].compactMap(\.self).min()
                let time = next.map { $0 - wall() } ?? Self.longestPause
                try await pause(min(max(time, Self.shortestPause), Self.longestPause))
            } catch is CancellationError {
                return
            } catch {
                log.error(
                    "work.failed", "Work that is due could not be done.",
                    ["environment": .text(place), "reason": "\(error)"])
                guard (try? await pause(Self.longestPause)) != nil else { return }
            }
        }
    }

    /// Tells of the first failure of a piece of work, the second, the fourth…: it may go on for weeks.
    private func tell(_ result: WorkResult) {
        let failures = result.turn.work.attempt + 1
        log.write(
            failures.nonzeroBitCount == 1 ? .warning : .debug, "work.turn", "A turn of work failed.",
            [
                "environment": .text(place), "kind": .text(result.turn.work.kind),
                "subject": .text(result.turn.work.subject), "reason": .text(result.error ?? ""),
            ])
    }
}

import StoreDatabase
import StoreLog
package import StoreModel
package import StoreRules
import Synchronization

/// The faults of a sandbox at work: what goes wrong on purpose with the calls that it answers and the notifications it sends.
///
/// Production has no value of this type, so that nothing there can be made to go wrong. The rules are kept in memory, and
/// cost nothing where there are none; each call that one is about is counted in the database, so that several servers count
/// as one.
///
/// ```swift
/// if let struck = try await store.faults?.strike(notification: type, of: app, to: customer) {
///     try await Task.sleep(for: struck.delay)
///     switch struck.effect { … }
/// }
/// ```
package final class Faults: Sendable {
    private let database: any Database
    private let log: Log
    private let known = Mutex<[Fault]>([])

    /// Nil for production.
    init?(_ environment: StoreEnvironment, _ database: any Database, log: Log) {
        guard environment == .sandbox else { return nil }
        self.database = database
        self.log = log
    }

    /// What becomes of a call that faults have struck.
    package struct Strike: Hashable, Sendable {
        package let faults: [FaultID]
        /// How long it waits first.
        package let delay: Duration
        /// What else becomes of it; nil where it goes on as usual after that.
        package let effect: FaultRule.Effect?
        /// What struck it, in words that begin as in `fault 3: `.
        package let words: String
    }

    // MARK: Requests

    /// The faults that may strike a request, from what is known of it before it is looked at.
    package func about(path: String, method: String) -> [Fault] {
        known.withLock { known in
            if known.isEmpty { return [] }
            return known.filter { fault in
                guard case .requests(let pattern, let only) = fault.rule.target, !fault.isOver else { return false }
                return (only ?? method) == method && pattern.matches(path)
            }
        }
    }

    /// Whether nothing goes wrong on purpose.
    package var isEmpty: Bool { known.withLock(\.isEmpty) }

    /// Counts a request for faults that may strike it; nil where none does.
    ///
    /// - Parameters:
    ///   - app: the app that asks; nil where that is not known, which no rule of an app is about.
    ///   - customer: whom it concerns; the same holds.
    package func strike(_ faults: [Fault], app: AppID?, customer: CustomerID?) async throws -> Strike? {
        try await count(
            faults.filter { fault in
                (fault.app == nil || fault.app == app)
                    && (fault.rule.customer == nil || fault.rule.customer == customer)
            })
    }

    // MARK: Notifications

    /// Counts an attempt to send a notification; nil where nothing goes wrong with it.
    ///
    /// What the sender does about an effect stands with ``StoreRules/FaultRule/Effect``.
    ///
    /// - Parameters:
    ///   - type: its type, as on the wire.
    ///   - customer: whom it concerns; nil for those that concern nobody.
    package func strike(notification type: String, of app: AppID, to customer: CustomerID?) async throws -> Strike? {
        let about = known.withLock { known -> [Fault] in
            if known.isEmpty { return [] }
            return known.filter { fault in
                guard case .notifications(let only) = fault.rule.target, !fault.isOver else { return false }
                return only == nil || only == type
            }
        }
        return try await strike(about, app: app, customer: customer)
    }

    private func count(_ faults: [Fault]) async throws -> Strike? {
        guard !faults.isEmpty else { return nil }
        // The row of each is changed first, which makes others wait that count it too.
        let counts = try await database.write(isolation: .readCommitted) { transaction in
            try faults.map { try $0.count(in: transaction) }
        }
        var struck: [Fault] = []
        var isStale = false
        for (fault, count) in zip(faults, counts) {
            if count?.strikes == true { struck.append(fault) }
            isStale = isStale || count.map { fault.rule.isOver(counted: $0.counted, struck: $0.struck) } ?? true
        }
        // What is over is counted no more.
        if isStale { try await load() }
        guard !struck.isEmpty else { return nil }
        let delays = struck.reduce(Duration.zero) { $0 + $1.rule.delay }
        return Strike(
            faults: struck.map(\.id), delay: min(delays, FaultLimits.delays),
            effect: struck.lazy.compactMap(\.rule.effect).first,
            words: struck.map { "fault \($0.id): \($0.rule)" }.joined(separator: "; "))
    }

    // MARK: What is known

    /// Reads the faults, and again whenever they are others, until the database is closed or the task is cancelled.
    package func follow() async throws {
        let signals = try await database.signals(on: .faults)
        try await load()
        for await _ in signals { try await load() }
    }

    /// Reads the faults anew.
    package func load() async throws {
        let all = try await database.read { try Fault.all(in: $0) }
        known.withLock { $0 = all }
    }
}

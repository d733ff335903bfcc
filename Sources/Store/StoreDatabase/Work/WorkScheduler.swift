package import StoreModel
import Synchronization

/// Does what is due, by whatever clock.
///
/// Several schedulers, in one process or many, may share a database: each claims its work for a while.
package final class WorkScheduler: Sendable {
    private let database: any Database
    private let handlers: [String: WorkHandler]
    let limits: WorkLimits
    private let name: String
    private let wallTime: @Sendable () -> Instant
    private let claims = Mutex(0)

    /// A scheduler with a name that no other has, now or later: leases are told apart by it.
    package init(
        _ database: any Database, handlers: [WorkHandler], limits: WorkLimits = WorkLimits(), name: String,
        wallTime: @escaping @Sendable () -> Instant
    ) {
        self.database = database
        self.handlers = Dictionary(handlers.map { ($0.kind, $0) }) { first, _ in first }
        self.limits = limits
        self.name = name
        self.wallTime = wallTime
    }

    /// Claims what is due, the earliest first.
    func claim(clock: ClockID, dueBy instant: Instant, limit: Int) async throws -> [WorkTurn] {
        let wallTime = wallTime()
        let first = claims.withLock { count in
            defer { count += limit }
            return count
        }
        let claim = WorkTable.Claim(
            clock: clock, dueBy: instant, wallTime: wallTime,
            leasedUntil: Instant(millisecondsSinceEpoch: wallTime.millisecondsSinceEpoch + limits.leaseMilliseconds),
            limit: limit, leases: (first..<(first + limit)).map { "\(name)/\($0)" })
        return try await database.write(isolation: .readCommitted) { try WorkTable.claim(claim, in: $0) }
    }

    /// Gives a turn to its handler and settles it; says what became of it.
    func run(_ turn: WorkTurn) async throws -> WorkResult {
        do {
            guard let handler = handlers[turn.work.kind] else {
                throw DatabaseError(.statement, "nothing is known about work of the kind \(turn.work.kind)")
            }
            let outcome = try await handler.run(turn)
            if outcome != .settled { try await database.write { try turn.settle(outcome, in: $0) } }
            return WorkResult(turn, .done)
        } catch let error as DatabaseError where error.code == .leaseLost {
            return WorkResult(turn, .overtaken)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return try await settle(turn, failedWith: error)
        }
    }

    private func settle(_ turn: WorkTurn, failedWith error: any Error) async throws -> WorkResult {
        let message = String(decoding: "\(error)".utf8.prefix(WorkLimits.errorBytes), as: UTF8.self)
        let handler = handlers[turn.work.kind]
        let next = handler?.retries.next(after: turn.work.attempt + 1, at: turn.at)
        do {
            return try await database.write { transaction in
                if let next {
                    try WorkTable.postpone(turn, to: next, error: message, in: transaction)
                } else if let giveUp = handler?.giveUp {
                    try turn.settle(try giveUp(turn, message, transaction), in: transaction)
                } else {
                    try WorkTable.bury(turn, error: message, in: transaction)
                }
                return WorkResult(turn, next == nil ? .gaveUp : .failed, message)
            }
        } catch let error as DatabaseError where error.code == .leaseLost {
            return WorkResult(turn, .overtaken)
        }
    }

    func earliest(_ clock: ClockID) async throws -> Work? {
        try await database.read { try WorkTable.earliest(clock: clock, in: $0) }
    }
}

import StoreModel
import Synchronization

/// Allows something for a subject once in a while: not every sign of life of a device is worth a write, and not every
/// failure of a charge a warning. It is kept in memory, by this process alone.
final class Throttle<Subject: Hashable & Sendable>: Sendable {
    private let allowed = Mutex<[Subject: Instant]>([:])
    private let capacity = 100_000
    /// How long it is not allowed again.
    private let step: Duration

    init(step: Duration) {
        self.step = step
    }

    /// Whether it is allowed now, which it then is not for a while.
    func allows(_ subject: Subject, at wall: Instant) -> Bool {
        allowed.withLock { allowed in
            if let last = allowed[subject], last + step > wall, last <= wall { return false }
            if allowed.count >= capacity { allowed = [:] }
            allowed[subject] = wall
            return true
        }
    }
}

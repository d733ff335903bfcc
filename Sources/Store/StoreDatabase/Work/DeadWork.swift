package import StoreModel

/// Work that was given up. It is kept until somebody has looked at it.
package struct DeadWork: Hashable, Sendable {
    /// What was to be done; its attempts are those that failed.
    package let work: Work
    /// When it was given up, by the clock of the work.
    package let diedAt: Instant
    /// What the last attempt failed with, cut to ``WorkLimits/errorBytes``.
    package let error: String
}

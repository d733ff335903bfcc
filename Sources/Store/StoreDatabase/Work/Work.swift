package import StoreModel

/// Something to be done later: a renewal, an expiry, another attempt.
///
/// There is at most one of a kind for a subject and clock, so scheduling it again moves it.
package struct Work: Hashable, Sendable {
    package let clock: ClockID
    /// What is to be done, such as `renewal`.
    package let kind: String
    /// What it is to be done to, such as the number of a subscription.
    package let subject: String
    package let dueAt: Instant
    /// How many attempts have failed.
    package let attempt: Int

    package init(_ kind: String, _ subject: String, dueAt: Instant, clock: ClockID = .environment) {
        self.init(kind, subject, dueAt: dueAt, clock: clock, attempt: 0)
    }

    init(_ kind: String, _ subject: String, dueAt: Instant, clock: ClockID, attempt: Int) {
        self.kind = kind
        self.subject = subject
        self.dueAt = dueAt
        self.clock = clock
        self.attempt = attempt
    }
}

/// How the delivery of a notification to a developer's server stands.
// Closed: a state comes with all that handles it.
package enum NotificationState: String, CaseIterable, Hashable, Sendable {
    /// The first attempt is to come, after those of the notifications before it in its stream.
    case waiting
    /// Another attempt is to come at once.
    case due
    /// Attempts failed, and another one comes at its time.
    case resting
    /// The server has it.
    case delivered
    /// The last attempt failed.
    case failed
    /// It is for listeners alone: the app has no address, or the address is not for its type.
    case unaddressed

    /// Whether an attempt may come by itself.
    package var isOpen: Bool { self == .waiting || self == .due || self == .resting }
}

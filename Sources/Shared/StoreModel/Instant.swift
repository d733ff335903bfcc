/// A point in time, as milliseconds since 1970-01-01T00:00:00Z.
///
/// This is the only form of time inside Till. Text forms and calendar arithmetic are derived in one place, ``StoreCalendar``.
public struct Instant: Hashable, Sendable {
    /// Milliseconds since the Unix epoch; negative before it.
    public var millisecondsSinceEpoch: Int64

    public init(millisecondsSinceEpoch: Int64) {
        self.millisecondsSinceEpoch = millisecondsSinceEpoch
    }
}

extension Instant: Comparable {
    public static func < (earlier: Instant, later: Instant) -> Bool {
        earlier.millisecondsSinceEpoch < later.millisecondsSinceEpoch
    }
}

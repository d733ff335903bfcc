/// A point in time, as milliseconds since 1970-01-01T00:00:00Z.
///
/// This is the only form of time inside Till. Text forms and calendar arithmetic are derived in one place,
/// ``StoreCalendar``.
public struct Instant: Hashable, Sendable {
    /// Milliseconds since the Unix epoch; negative before it.
    public var millisecondsSinceEpoch: Int64

    /// An instant by its distance from the Unix epoch.
    public init(millisecondsSinceEpoch: Int64) {
        self.millisecondsSinceEpoch = millisecondsSinceEpoch
    }

    /// The first instant that has a text form, 0001-01-01T00:00:00.000Z.
    public static let earliest = Instant(millisecondsSinceEpoch: -62_135_596_800_000)
    /// The last instant that has a text form, 9999-12-31T23:59:59.999Z.
    public static let latest = Instant(millisecondsSinceEpoch: 253_402_300_799_999)

    /// The same instant, or the nearest one that has a text form.
    public var clampedToText: Instant { min(max(self, .earliest), .latest) }
}

extension Instant: Comparable {
    /// Whether one instant comes before another.
    public static func < (earlier: Instant, later: Instant) -> Bool {
        earlier.millisecondsSinceEpoch < later.millisecondsSinceEpoch
    }
}

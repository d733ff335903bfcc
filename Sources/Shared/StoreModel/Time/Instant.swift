public import Foundation

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

extension Instant {
    /// The instant this many milliseconds later, or earlier if negative.
    ///
    /// A result that no `Int64` can hold becomes the nearest one that it can.
    public func adding(milliseconds: Int64) -> Instant {
        let (sum, overflow) = millisecondsSinceEpoch.addingReportingOverflow(milliseconds)
        guard overflow else { return Instant(millisecondsSinceEpoch: sum) }
        return Instant(millisecondsSinceEpoch: milliseconds < 0 ? .min : .max)
    }

    /// The instant one duration later.
    ///
    /// Fractions of a millisecond are dropped; a result that no `Int64` can hold becomes the nearest one that it can.
    public static func + (instant: Instant, duration: Duration) -> Instant {
        instant.adding(wide: wholeMilliseconds(of: duration))
    }

    /// The instant one duration earlier.
    ///
    /// Fractions of a millisecond are dropped; a result that no `Int64` can hold becomes the nearest one that it can.
    public static func - (instant: Instant, duration: Duration) -> Instant {
        instant.adding(wide: -wholeMilliseconds(of: duration))
    }

    /// The time from one instant to another, negative if the first comes later.
    public static func - (later: Instant, earlier: Instant) -> Duration {
        .milliseconds(later.millisecondsSinceEpoch) - .milliseconds(earlier.millisecondsSinceEpoch)
    }

    /// Moves the instant by a duration; see ``+(_:_:)``.
    public static func += (instant: inout Instant, duration: Duration) {
        instant = instant + duration
    }

    private static func wholeMilliseconds(of duration: Duration) -> Int128 {
        duration.attoseconds / 1_000_000_000_000_000
    }

    /// Adds milliseconds that have just been divided down from attoseconds, so that the sum cannot overflow 128 bits.
    private func adding(wide milliseconds: Int128) -> Instant {
        Instant(millisecondsSinceEpoch: Int64(clamping: Int128(millisecondsSinceEpoch) + milliseconds))
    }
}

extension Instant: Codable {
    /// Reads a JSON number of milliseconds.
    ///
    /// A fraction, as Xcode writes it, is rounded to the nearest millisecond. Instants without a text form, before
    /// ``earliest`` or after ``latest``, are refused, so that no arithmetic on received times can overflow.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let milliseconds: Int64
        if let whole = try? container.decode(Int64.self) {
            milliseconds = whole
        } else {
            let number = try container.decode(Double.self)
            guard let rounded = Int64(exactly: number.rounded()) else {
                throw Self.outOfRange(String(number)).decodingError(at: decoder.codingPath)
            }
            milliseconds = rounded
        }
        self.init(millisecondsSinceEpoch: milliseconds)
        guard self >= .earliest, self <= .latest else {
            throw Self.outOfRange(String(milliseconds)).decodingError(at: decoder.codingPath)
        }
    }

    /// Writes a JSON integer of milliseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(millisecondsSinceEpoch)
    }

    static func outOfRange(_ value: String) -> InvalidValue {
        InvalidValue(.outOfRange, subject: "instant", value: value, rule: "lies in the years 1 to 9999")
    }
}

extension Instant {
    /// The instant of a Foundation date, to the nearest millisecond; nil outside the years 1 to 9999.
    public init?(date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard let whole = Int64(exactly: milliseconds) else { return nil }
        self.init(millisecondsSinceEpoch: whole)
        guard self >= .earliest, self <= .latest else { return nil }
    }

    /// The same instant as a Foundation date.
    public var date: Date { Date(timeIntervalSince1970: Double(millisecondsSinceEpoch) / 1000) }
}

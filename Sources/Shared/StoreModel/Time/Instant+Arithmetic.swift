extension Instant {
    /// The instant so many milliseconds later, or earlier if negative.
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

import Foundation
import StoreModel

/// The one place of the store that reads a clock.
enum SystemClock {
    @Sendable static func now() -> Instant {
        Instant(date: Date()) ?? .latest
    }

    /// Nanoseconds since 1970, for the dates of responses.
    @Sendable static func nanoseconds1970() -> Int64 {
        now().millisecondsSinceEpoch * 1_000_000
    }

    /// Monotonic nanoseconds, for measuring.
    @Sendable static func nanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

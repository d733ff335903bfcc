import Foundation
import StoreModel

/// The one place of the device that reads a clock.
enum SystemClock {
    @Sendable static func now() -> Instant {
        Instant(date: Date()) ?? .latest
    }
}

import Foundation
package import StoreModel

/// The one place of the device that reads a clock.
package enum SystemClock {
    @Sendable package static func now() -> Instant {
        Instant(date: Date()) ?? .latest
    }
}

import Foundation
import StoreModel

/// The one place of the store that reads a clock.
enum SystemClock {
    static func now() -> Instant {
        Instant(date: Date()) ?? .latest
    }
}

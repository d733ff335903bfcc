package import StoreModel

/// The two times of one moment.
package struct StoreTimes: Hashable, Sendable {
    /// By the clock of the environment: when things are bought, expire and are taken back.
    package let commerce: Instant
    /// By the clock on the wall: tokens, codes, recovery.
    package let wall: Instant

    package init(commerce: Instant, wall: Instant) {
        self.commerce = commerce
        self.wall = wall
    }
}

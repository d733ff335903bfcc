package import StoreModel

/// Where an environment reads the time.
package struct StoreClocks: Sendable {
    package let commerce: @Sendable () -> Instant
    package let wall: @Sendable () -> Instant

    package init(commerce: @escaping @Sendable () -> Instant, wall: @escaping @Sendable () -> Instant) {
        self.commerce = commerce
        self.wall = wall
    }

    /// This moment, by both.
    package var now: StoreTimes { StoreTimes(commerce: commerce(), wall: wall()) }
}

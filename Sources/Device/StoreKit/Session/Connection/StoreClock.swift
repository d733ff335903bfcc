package import StoreModel

/// The clock by which the store counts what a customer buys, as one answer told it, and as the device goes on with it.
package struct StoreClock: Hashable, Sendable {
    /// What it showed at a moment of the wall clock of the device.
    package let shown: Instant
    package let wall: Instant
    /// How many of its milliseconds go by in a second: 1000 is real time, 0 stands still.
    package let rate: Int64

    package static let realTime: Int64 = 1000
    /// An answer takes a moment; only what is more than that is worth a write.
    private static let tolerance: Int64 = 5000

    package init(shown: Instant, wall: Instant, rate: Int64 = realTime) {
        (self.shown, self.wall, self.rate) = (shown, wall, rate)
    }

    /// What it shows at a moment of the wall clock.
    package func time(at wall: Instant) -> Instant {
        let passed = Int128(wall.millisecondsSinceEpoch) - Int128(self.wall.millisecondsSinceEpoch)
        let time = Int128(shown.millisecondsSinceEpoch) + passed * Int128(rate) / 1000
        return Instant(millisecondsSinceEpoch: Int64(clamping: time)).clampedToText
    }

    /// Whether a later answer tells something else than this clock would show by then.
    func isFar(from later: StoreClock) -> Bool {
        guard rate == later.rate else { return true }
        let distance = time(at: later.wall).millisecondsSinceEpoch - later.shown.millisecondsSinceEpoch
        // What runs faster is further off after the same moment.
        return Int128(abs(distance)) * 1000 > Int128(Self.tolerance) * Int128(max(rate, Self.realTime))
    }

    /// As the journal keeps it.
    var text: String { "\(shown.millisecondsSinceEpoch) \(wall.millisecondsSinceEpoch) \(rate)" }

    init?(text: String) {
        let numbers = text.split(separator: " ").map { Int64($0) }
        guard numbers.count == 3, let shown = numbers[0], let wall = numbers[1], let rate = numbers[2], rate >= 0
        else { return nil }
        self.init(
            shown: Instant(millisecondsSinceEpoch: shown), wall: Instant(millisecondsSinceEpoch: wall), rate: rate)
    }
}

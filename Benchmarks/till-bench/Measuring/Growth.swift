/// The same work on a small and on a large store: how much of the small one's speed the large one has.
final class Growth: Contestant {
    private let small: any Contestant
    private let large: any Contestant

    init(small: any Contestant, large: any Contestant) {
        self.small = small
        self.large = large
    }

    func run(seconds: Double) throws -> Rate {
        let (fast, slow) = try (small.run(seconds: seconds), large.run(seconds: seconds))
        guard slow.perSecond > 0 else { throw BenchmarkError("a store of this size does nothing") }
        // So many per cent in a second.
        return Rate(operations: 100, seconds: fast.perSecond / slow.perSecond)
    }
}

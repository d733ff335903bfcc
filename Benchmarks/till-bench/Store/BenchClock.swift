import StoreModel

/// A clock that begins at the same moment in every run.
enum BenchClock {
    private static let clock = ContinuousClock()
    private static let began = clock.now

    static let start = SampleTime.signing

    static func now() -> Instant {
        let (seconds, fraction) = (clock.now - began).components
        return start.adding(milliseconds: seconds * 1000 + fraction / 1_000_000_000_000_000)
    }
}

/// Does one thing after the other, timed by the clock on the wall. Each says itself how long of it counts.
final class WallContestant: Contestant {
    private let operation: (_ clock: ContinuousClock) throws -> Duration

    /// - Parameter operation: gives the time of what counts.
    init(_ operation: @escaping (_ clock: ContinuousClock) throws -> Duration) {
        self.operation = operation
    }

    func run(seconds: Double) throws -> Rate {
        let clock = ContinuousClock()
        let start = clock.now
        var (done, spent) = (0, Duration.zero)
        while done == 0 || (clock.now - start) / .seconds(1) < seconds {
            spent += try operation(clock)
            done += 1
        }
        return Rate(operations: done, seconds: spent / .seconds(1))
    }
}

/// Runs one operation over and over on the calling thread.
///
/// Our code and the C functions it is held against are timed by this same loop.
final class LoopContestant: Contestant {
    /// So many operations between two looks at the clock.
    private let batch: Int
    private let operation: (_ index: Int) throws -> Void
    private var index = 0

    /// The operation is given a running number, to choose a different input each time.
    init(batch: Int = 64, _ operation: @escaping (_ index: Int) throws -> Void) {
        self.batch = batch
        self.operation = operation
    }

    func run(seconds: Double) throws -> Rate {
        let start = ProcessorClock.seconds
        var operations = 0
        var elapsed = 0.0
        repeat {
            for _ in 0..<batch {
                try operation(index)
                index += 1
            }
            operations += batch
            elapsed = ProcessorClock.seconds - start
        } while elapsed < seconds
        return Rate(operations: operations, seconds: elapsed)
    }
}

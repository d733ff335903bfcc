import Foundation
import Synchronization

/// Runs one operation on as many threads as there are cores, as a server does, timed by the clock on the wall.
final class AllCoresContestant: Contestant {
    /// So many operations between two looks at the clock.
    private static let batch = 64

    private let operation: @Sendable (_ index: Int) throws -> Void

    /// The operation is given a running number, to choose a different input each time.
    init(_ operation: @escaping @Sendable (_ index: Int) throws -> Void) {
        self.operation = operation
    }

    /// Read once: the answer comes from files of the kernel.
    private static let cores = ProcessInfo.processInfo.activeProcessorCount

    func run(seconds: Double) throws -> Rate {
        let operations = Mutex(0)
        let failure = Mutex<(any Error)?>(nil)
        let clock = ContinuousClock()
        let start = clock.now
        let end = start.advanced(by: .seconds(seconds))
        let (operation, cores) = (operation, Self.cores)
        DispatchQueue.concurrentPerform(iterations: cores) { thread in
            var done = 0
            do {
                while clock.now < end {
                    for _ in 0..<Self.batch {
                        try operation(thread + done * cores)
                        done += 1
                    }
                }
            } catch {
                failure.withLock { $0 = error }
            }
            operations.withLock { $0 += done }
        }
        if let error = failure.withLock({ $0 }) { throw error }
        let elapsed = (clock.now - start) / .seconds(1)
        return Rate(operations: operations.withLock { $0 }, seconds: elapsed)
    }
}

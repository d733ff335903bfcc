import Foundation
import Synchronization

/// Counts the steps of the process, prints each as a line, and kills the process at one of them.
final class BuyerSteps: Sendable {
    private let last: Int?
    private let first: String?
    private let count = Mutex(0)

    /// - Parameters:
    ///   - last: the step at which the process is killed, counted from 1.
    ///   - first: the name of the step with which counting begins; nil for the first of all.
    init(last: Int?, countedFrom first: String? = nil) {
        (self.last, self.first) = (last, first)
    }

    func take(_ name: String) {
        count.withLock { count in
            if count > 0 || first == nil || first == name { count += 1 }
            tell(name)
            if count == last { kill(getpid(), SIGKILL) }
        }
    }

    /// Prints a line that is no step, because it comes and goes with time.
    func tell(_ line: String) {
        // One call of the system: nothing is kept back in this process.
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}

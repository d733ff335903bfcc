import StoreModel

/// How long to wait after each attempt that failed, and when to give up.
package struct RetrySchedule: Hashable, Sendable {
    /// The delay after the first, second… failure, in milliseconds. After the last there is no other attempt.
    package let delays: [Int64]

    package init(delays: [Int64]) {
        self.delays = delays
    }

    /// Delays that double from `first` up to `longest`.
    package static func doubling(from first: Int64, upTo longest: Int64, attempts: Int) -> RetrySchedule {
        let delays = (0..<max(attempts - 1, 0)).map { number in
            let (delay, isTooLong) = first.multipliedReportingOverflow(by: 1 << Int64(min(number, 40)))
            return isTooLong ? longest : min(delay, longest)
        }
        return RetrySchedule(delays: delays)
    }

    /// When to try again after so many failures; nil to give up.
    func next(after failures: Int, at instant: Instant) -> Instant? {
        guard failures >= 1, failures <= delays.count else { return nil }
        let (sum, isTooLate) = instant.millisecondsSinceEpoch.addingReportingOverflow(delays[failures - 1])
        return Instant(millisecondsSinceEpoch: isTooLate ? .max : sum)
    }
}

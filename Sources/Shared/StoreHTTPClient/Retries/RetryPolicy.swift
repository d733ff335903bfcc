/// When something that failed is tried again.
///
/// Chance and waiting are handed in, so that tests decide them.
package struct RetryPolicy: Sendable {
    /// How often a request is sent at most; for a download, how often in a row without getting anything.
    package var attempts: Int
    /// The longest wait after the first failure; doubled after each further one.
    package var firstDelay: Duration
    /// No wait gets longer than this by doubling.
    package var longestDelay: Duration
    /// The longest wait that a server may ask for; if it asks for more, it is not tried again.
    package var longestRetryAfter: Duration
    /// A number from 0 up to 1.
    package var random: @Sendable () -> Double
    /// Returns after that time, or throws when cancelled.
    package var wait: @Sendable (Duration) async throws -> Void

    package init(
        attempts: Int, firstDelay: Duration = .milliseconds(250), longestDelay: Duration = .seconds(30),
        longestRetryAfter: Duration = .seconds(120),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.attempts = attempts
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.longestRetryAfter = longestRetryAfter
        self.random = random
        self.wait = wait
    }

    /// Once, and never again.
    package static let none = RetryPolicy(attempts: 1)
    /// As long as it takes.
    package static let untilDone = RetryPolicy(attempts: .max)

    /// How long to wait after so many failures in a row; nil for giving up.
    ///
    /// Half of the wait is chance, so that those who failed together do not come back together.
    package func delay(afterFailures failures: Int, retryAfter: Duration? = nil) -> Duration? {
        guard failures < attempts else { return nil }
        let doublings = min(max(failures - 1, 0), 30)
        let longest = min(firstDelay * (1 << doublings), longestDelay)
        let delay = longest * ((1 + min(max(random(), 0), 1)) / 2)
        guard let retryAfter else { return delay }
        return retryAfter <= longestRetryAfter ? max(delay, retryAfter) : nil
    }
}

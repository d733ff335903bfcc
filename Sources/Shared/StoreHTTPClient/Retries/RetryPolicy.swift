import StoreHTTP

/// When something that failed is tried again.
///
/// Randomness and waiting are passed in, so tests control them.
package struct RetryPolicy: Sendable {
    /// The most attempts; for a download, the most in a row that receive nothing.
    package var attempts: Int
    /// The longest wait after the first failure; doubled after each further one.
    package var firstDelay: Duration
    /// The upper bound of the doubling.
    package var longestDelay: Duration
    /// The longest wait that a server may request; if it requests more, there is no retry.
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

    /// One attempt.
    package static let none = RetryPolicy(attempts: 1)
    /// Without limit.
    package static let untilDone = RetryPolicy(attempts: .max)

    /// The wait after this many failures in a row; nil to give up.
    ///
    /// Half of the wait is random, so clients that failed together do not retry together.
    package func delay(afterFailures failures: Int, retryAfter: Duration? = nil) -> Duration? {
        guard failures < attempts else { return nil }
        let doublings = min(max(failures - 1, 0), 30)
        let longest = min(firstDelay * (1 << doublings), longestDelay)
        let delay = longest * ((1 + min(max(random(), 0), 1)) / 2)
        guard let retryAfter else { return delay }
        return retryAfter <= longestRetryAfter ? max(delay, retryAfter) : nil
    }
}

/// The `Retry-After` of a response.
enum RetryAfter {
    /// The wait that a response requests. A date is relative to the server's own `Date`, so our clock does not matter.
    static func wait(_ fields: HTTPFields) -> Duration? {
        guard let text = fields["Retry-After"] else { return nil }
        if !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return Int(text).map { .seconds($0) }
        }
        guard let then = HTTPDate(parsing: text), let now = fields["Date"].flatMap(HTTPDate.init(parsing:)) else {
            return nil
        }
        return .seconds(max(0, then.secondsSince1970 - now.secondsSince1970))
    }
}

extension HTTPStatus {
    /// Whether the same request may succeed later.
    var isTemporary: Bool { [408, 425, 429, 500, 502, 503, 504].contains(rawValue) }
}

extension HTTPClientError {
    /// Whether the same request may succeed later.
    package var isTemporary: Bool {
        [
            .nameUnknown, .unreachable, .secureConnectionFailed, .timedOut, .connectionLost, .responseMalformed,
            .queueFull,
        ].contains(code)
    }
}

extension HTTPClient {
    /// Sends a request with retries after temporary failures and responses, if the request is idempotent or keyed, or
    /// was certainly not sent.
    ///
    /// If the last attempt has a response, that is returned whatever its status. The outcome of an error is that of all
    /// attempts together: once one of them may have been carried out, it stays unknown.
    @discardableResult package func send(
        _ request: ClientRequest, limit: Int? = nil, retrying policy: RetryPolicy
    ) async throws -> ClientResponse {
        var failures = 0
        var mayHaveHappened = false
        while true {
            let delay: Duration
            do {
                let response = try await send(request, limit: limit)
                failures += 1
                guard response.status.isTemporary, request.isRepeatable,
                    let wait = policy.delay(afterFailures: failures, retryAfter: RetryAfter.wait(response.fields))
                else { return response }
                mayHaveHappened = true
                delay = wait
            } catch let error as HTTPClientError {
                failures += 1
                mayHaveHappened = mayHaveHappened || error.outcome != .notSent
                let mayRepeat = request.isRepeatable || error.outcome == .notSent && request.body.isRepeatable
                guard error.isTemporary, mayRepeat, let wait = policy.delay(afterFailures: failures) else {
                    throw mayHaveHappened && error.outcome == .notSent
                        ? error.withOutcome(.unknown, status: nil) : error
                }
                delay = wait
            }
            do {
                try await policy.wait(delay)
            } catch {
                throw HTTPClientError.abandoned.withOutcome(mayHaveHappened ? .unknown : .notSent, status: nil)
            }
        }
    }
}

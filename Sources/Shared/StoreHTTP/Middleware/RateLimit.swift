import Synchronization

/// Refuses those who ask too much, and tells everybody how much is left. Of several around one route, the one that
/// refuses is told, or else the one that is nearest to it.
package final class RateLimit: Middleware {
    /// How `Retry-After` says when to come back.
    package enum RetryAfter: Sendable {
        /// The seconds to wait, as HTTP has it.
        case seconds
        /// The instant in milliseconds since 1970, as the App Store Server API has it.
        case instantInMilliseconds
    }

    private let buckets: Mutex<TokenBuckets>
    private let capacity: Int
    private let now: @Sendable () -> Int64
    private let key: @Sendable (HTTPRequest) -> String?
    private let retryAfter: RetryAfter

    /// `capacity` requests at once and `perMinute` in the long run for each key. `clock` tells nanoseconds since 1970;
    /// requests whose `key` is nil are not counted; no more than `keys` of them are remembered. Without a `key` clients
    /// are told apart by their networks.
    package init(
        capacity: Int, perMinute: Int, keys: Int = 10_000, retryAfter: RetryAfter = .seconds,
        clock: @escaping @Sendable () -> Int64, key: @escaping @Sendable (HTTPRequest) -> String? = { $0.peer.network }
    ) {
        let buckets = TokenBuckets(capacity: capacity, perMinute: perMinute, keys: keys)
        self.capacity = buckets.capacity
        self.buckets = Mutex(buckets)
        now = clock
        self.key = key
        self.retryAfter = retryAfter
    }

    package func begin(_ request: inout HTTPRequest) throws -> HTTPResponse? {
        guard let key = key(request) else { return nil }
        let instant = now()
        let outcome = buckets.withLock { $0.take(key, at: instant) }
        let standing = RateStanding(limit: capacity, remaining: outcome.remaining)
        guard outcome.isAllowed else {
            request.rate = standing
            throw refusal(outcome, instant)
        }
        request.rate = request.rate?.tightened(by: standing) ?? standing
        return nil
    }

    package func end(_ response: inout HTTPResponse, of request: HTTPRequest) {
        guard let rate = request.rate else { return }
        response.fields["X-RateLimit-Limit"] = String(rate.limit)
        response.fields["X-RateLimit-Remaining"] = String(rate.remaining)
    }

    private func refusal(_ outcome: TokenBuckets.Outcome, _ instant: Int64) -> APIError {
        let seconds = max(1, (outcome.waitNanoseconds + 999_999_999) / 1_000_000_000)
        var error = APIError(
            .tooManyRequests, code: "rate_limit_exceeded", "Too many requests came from here; wait \(seconds) s.")
        switch retryAfter {
        case .seconds: error.fields["Retry-After"] = String(seconds)
        case .instantInMilliseconds: error.fields["Retry-After"] = String(instant / 1_000_000 + seconds * 1000)
        }
        return error
    }
}

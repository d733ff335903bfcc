import Synchronization

/// Refuses clients with too many requests, and reports to all how many are left. Of several limits around one route,
/// the one that refuses is reported, or else the one closest to refusing.
package final class RateLimit: Middleware {
    /// The form of `Retry-After`.
    package enum RetryAfter: Sendable {
        /// The seconds to wait, as in HTTP.
        case seconds
        /// The instant in milliseconds since 1970, as the App Store Server API has it.
        case instantInMilliseconds
    }

    private let buckets: Mutex<TokenBuckets>
    private let capacity: Int
    private let now: @Sendable () -> Int64
    private let key: @Sendable (HTTPRequest) -> String?
    private let retryAfter: RetryAfter

    /// `capacity` requests at once and `perMinute` in the long run for each key. `clock` returns nanoseconds since
    /// 1970; requests whose `key` is nil are not counted; at most `keys` of them are remembered. Without `key`, clients
    /// are distinguished by network.
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
        let status = RateStatus(limit: capacity, remaining: outcome.remaining)
        guard outcome.isAllowed else {
            request.rate = status
            throw refusal(outcome, instant)
        }
        request.rate = request.rate?.tightened(by: status) ?? status
        return nil
    }

    /// Refuses a request whose client has nothing left, and counts none: for what is counted only afterwards, by
    /// ``count(_:)``.
    package func requireRest(for request: HTTPRequest) throws {
        guard let key = key(request) else { return }
        let instant = now()
        let outcome = buckets.withLock { $0.rest(of: key, at: instant) }
        guard outcome.isAllowed else { throw refusal(outcome, instant) }
    }

    /// Counts a request.
    package func count(_ request: HTTPRequest) {
        guard let key = key(request) else { return }
        let instant = now()
        _ = buckets.withLock { $0.take(key, at: instant) }
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

/// The state of a client's limit: how many requests at once are allowed, and how many are left.
struct RateStatus: Hashable, Sendable {
    let limit: Int
    let remaining: Int

    /// Of two limits the one that will refuse first.
    func tightened(by other: RateStatus) -> RateStatus { other.remaining < remaining ? other : self }
}

/// A bucket of tokens for each key, refilled over time. A value: the clock is an argument.
package struct TokenBuckets: Sendable {
    private struct Bucket {
        var tokens: Double
        var at: Int64
    }

    /// The result of taking a token.
    package struct Outcome: Equatable {
        package let isAllowed: Bool
        let remaining: Int
        /// The time until there is a token again.
        package let waitNanoseconds: Int64
    }

    let capacity: Int
    private let tokensPerNanosecond: Double
    private let keys: Int
    private var buckets: [String: Bucket] = [:]

    /// Buckets of `capacity` tokens, of which `perMinute` come back; at most `keys` of them are kept.
    package init(capacity: Int, perMinute: Int, keys: Int) {
        self.capacity = max(1, capacity)
        tokensPerNanosecond = Double(max(1, perMinute)) / 60e9
        self.keys = max(4, keys)
    }

    var count: Int { buckets.count }

    package mutating func take(_ key: String, at now: Int64) -> Outcome {
        if buckets[key] == nil, buckets.count >= keys { evict(at: now) }
        var bucket = buckets[key] ?? Bucket(tokens: Double(capacity), at: now)
        bucket.tokens = tokens(in: bucket, at: now)
        // A clock that was set back changes nothing.
        bucket.at = now
        let isAllowed = bucket.tokens >= 1
        if isAllowed { bucket.tokens -= 1 }
        buckets[key] = bucket
        return outcome(isAllowed, left: bucket.tokens)
    }

    /// What there is to take, of which nothing is taken.
    package func rest(of key: String, at now: Int64) -> Outcome {
        let left = buckets[key].map { tokens(in: $0, at: now) } ?? Double(capacity)
        return outcome(left >= 1, left: left)
    }

    private func outcome(_ isAllowed: Bool, left tokens: Double) -> Outcome {
        let wait = tokens >= 1 ? 0 : ((1 - tokens) / tokensPerNanosecond).rounded(.up)
        return Outcome(isAllowed: isAllowed, remaining: Int(tokens), waitNanoseconds: Int64(wait))
    }

    /// Takes back what was taken for something that turned out not to count.
    package mutating func giveBack(_ key: String) {
        guard let bucket = buckets[key] else { return }
        buckets[key]?.tokens = min(Double(capacity), bucket.tokens + 1)
    }

    private func tokens(in bucket: Bucket, at now: Int64) -> Double {
        let (passed, overflow) = now.subtractingReportingOverflow(bucket.at)
        guard now > bucket.at else { return bucket.tokens }
        return overflow ? Double(capacity) : min(Double(capacity), bucket.tokens + Double(passed) * tokensPerNanosecond)
    }

    /// Removes full buckets, which does not change anything for their keys; if those are few, the fullest quarter of
    /// all. Removing many at once costs each request little.
    private mutating func evict(at now: Int64) {
        buckets = buckets.filter { tokens(in: $0.value, at: now) < Double(capacity) }
        guard buckets.count > keys * 3 / 4 else { return }
        let levels = buckets.map { (key: $0.key, tokens: tokens(in: $0.value, at: now)) }
        for (key, _) in levels.sorted(by: { ($0.tokens, $0.key) > ($1.tokens, $1.key) }).prefix(keys / 4) {
            buckets[key] = nil
        }
    }
}

/// Who may do how much: a bucket of tokens for each key, filled again with time. A value: the clock is an argument.
struct TokenBuckets: Sendable {
    private struct Bucket {
        var tokens: Double
        var at: Int64
    }

    /// What became of an attempt.
    struct Outcome: Equatable {
        let isAllowed: Bool
        let remaining: Int
        /// Until there is a token again.
        let waitNanoseconds: Int64
    }

    let capacity: Int
    private let tokensPerNanosecond: Double
    private let keys: Int
    private var buckets: [String: Bucket] = [:]

    /// Buckets of `capacity` tokens, of which `perMinute` come back; no more than `keys` of them are kept.
    init(capacity: Int, perMinute: Int, keys: Int) {
        self.capacity = max(1, capacity)
        tokensPerNanosecond = Double(max(1, perMinute)) / 60e9
        self.keys = max(4, keys)
    }

    var count: Int { buckets.count }

    mutating func take(_ key: String, at now: Int64) -> Outcome {
        if buckets[key] == nil, buckets.count >= keys { evict(at: now) }
        var bucket = buckets[key] ?? Bucket(tokens: Double(capacity), at: now)
        bucket.tokens = tokens(in: bucket, at: now)
        // A clock that was set back gives nothing and takes nothing.
        bucket.at = now
        let isAllowed = bucket.tokens >= 1
        if isAllowed { bucket.tokens -= 1 }
        buckets[key] = bucket
        let wait = bucket.tokens >= 1 ? 0 : ((1 - bucket.tokens) / tokensPerNanosecond).rounded(.up)
        return Outcome(isAllowed: isAllowed, remaining: Int(bucket.tokens), waitNanoseconds: Int64(wait))
    }

    private func tokens(in bucket: Bucket, at now: Int64) -> Double {
        let (passed, overflow) = now.subtractingReportingOverflow(bucket.at)
        guard now > bucket.at else { return bucket.tokens }
        return overflow ? Double(capacity) : min(Double(capacity), bucket.tokens + Double(passed) * tokensPerNanosecond)
    }

    /// Forgets whose buckets are full, for whom that changes nothing; and if those are few, a quarter of all, those who
    /// are nearest to it. Done for many at once, it costs each request little.
    private mutating func evict(at now: Int64) {
        buckets = buckets.filter { tokens(in: $0.value, at: now) < Double(capacity) }
        guard buckets.count > keys * 3 / 4 else { return }
        let levels = buckets.map { (key: $0.key, tokens: tokens(in: $0.value, at: now)) }
        for (key, _) in levels.sorted(by: { ($0.tokens, $0.key) > ($1.tokens, $1.key) }).prefix(keys / 4) {
            buckets[key] = nil
        }
    }
}

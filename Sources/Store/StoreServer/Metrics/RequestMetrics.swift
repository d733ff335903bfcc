import Synchronization

/// Counts requests and their times, by route and status.
///
/// Routes are few, and what no route answers counts as one, so that no client can make the figures grow.
package final class RequestMetrics: Sendable {
    private struct Key: Hashable {
        let method: String
        let route: String
        let status: Int
    }

    private struct Times {
        var counts = [Int](repeating: 0, count: RequestMetrics.bounds.count + 1)
        var seconds = 0.0

        mutating func add(_ seconds: Double, _ bucket: Int) {
            counts[bucket] += 1
            self.seconds += seconds
        }
    }

    /// The upper bounds of the buckets, in seconds. A long poll fills the last but one.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]

    private let times = Mutex<[Key: Times]>([:])

    package init() {}

    /// Takes in a request that was answered; `route` is the pattern that it matched, if any.
    package func record(method: String, route: String?, status: Int, nanoseconds: Int64) {
        // A method without a route is whatever a client made up.
        let key = Key(method: route == nil ? "" : method, route: route ?? "", status: status)
        let seconds = Double(nanoseconds) / 1e9
        let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        times.withLock { $0[key, default: Times()].add(seconds, bucket) }
    }

    package var family: MetricFamily {
        let sorted = times.withLock { $0 }.sorted { left, right in
            (left.key.route, left.key.method, left.key.status) < (right.key.route, right.key.method, right.key.status)
        }
        return MetricFamily(
            "till_http_request_seconds", .histogram, help: "Time until a request was answered.",
            sorted.flatMap { Self.samples($0.key, $0.value) })
    }

    private static func samples(_ key: Key, _ times: Times) -> [MetricFamily.Sample] {
        let labels = [("method", key.method), ("route", key.route), ("status", String(key.status))]
            .map { (name: $0.0, value: $0.1) }
        var total = 0
        var samples: [MetricFamily.Sample] = []
        for (bound, count) in zip(bounds + [.infinity], times.counts) {
            total += count
            samples.append(
                .init(
                    Double(total), labels: labels + [(name: "le", value: MetricsText.text(of: bound))],
                    suffix: "_bucket"))
        }
        return samples + [
            .init(times.seconds, labels: labels, suffix: "_sum"),
            .init(Double(total), labels: labels, suffix: "_count"),
        ]
    }
}

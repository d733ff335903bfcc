import Synchronization

/// Figures of one name, as the monitoring of an operator collects them.
package struct MetricFamily: Sendable {
    /// How figures of a name develop, which decides what may be computed from them.
    // Closed: these are the kinds that the text format knows and we use.
    package enum Kind: String, Sendable {
        /// Only grows, but for restarts.
        case counter
        /// Goes up and down.
        case gauge
        case histogram
    }

    /// One figure.
    package struct Sample: Sendable {
        /// What follows the name: `_bucket`, `_sum`, `_count`, or nothing.
        package let suffix: String
        package let labels: [(name: String, value: String)]
        package let value: Double

        package init(_ value: Double, labels: [(name: String, value: String)] = [], suffix: String = "") {
            self.suffix = suffix
            self.labels = labels
            self.value = value
        }
    }

    /// With its unit at the end, and `_total` after that for a counter.
    package let name: String
    package let help: String
    package let kind: Kind
    package let samples: [Sample]

    package init(_ name: String, _ kind: Kind, help: String, _ samples: [Sample]) {
        self.name = name
        self.help = help
        self.kind = kind
        self.samples = samples
    }

    /// A family of a single figure.
    package init(_ name: String, _ kind: Kind, help: String, _ value: Double) {
        self.init(name, kind, help: help, [Sample(value)])
    }
}

/// Figures in the text format 0.0.4 of Prometheus, which every collector reads.
package struct MetricsText: CustomStringConvertible {
    package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    private let families: [MetricFamily]

    package init(_ families: [MetricFamily]) {
        self.families = families
    }

    package var description: String {
        families.map { family in
            let lead =
                "# HELP \(family.name) \(Self.escaped(family.help, quotes: false))\n"
                + "# TYPE \(family.name) \(family.kind.rawValue)\n"
            return lead + family.samples.map { Self.line($0, of: family) }.joined()
        }.joined()
    }

    private static func line(_ sample: MetricFamily.Sample, of family: MetricFamily) -> String {
        let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }.joined(separator: ",")
        return "\(family.name)\(sample.suffix)\(labels.isEmpty ? "" : "{\(labels)}") \(text(of: sample.value))\n"
    }

    static func text(of value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

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

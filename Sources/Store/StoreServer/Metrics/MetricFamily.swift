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

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

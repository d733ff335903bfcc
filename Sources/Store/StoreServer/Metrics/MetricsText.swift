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

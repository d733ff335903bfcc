import Foundation

/// The results of a run, for people.
struct Table {
    private static let headings = ["row", "ours/s", "reference/s", "ratio", "spread", "at least", "", "reference"]
    /// Columns of figures are set flush right.
    private static let figures = 1...5

    let results: [RowResult]

    var text: String {
        let rows = [Self.headings] + results.map(Self.cells)
        let widths = Self.headings.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { Self.line($0, widths) }
        let failures = results.compactMap { result in result.failure.map { "\(result.name): \($0)" } }
        return (lines + results.compactMap(Self.conflicts) + failures).joined(separator: "\n")
    }

    private static func cells(of result: RowResult) -> [String] {
        let verdict = result.passed ? "pass" : "FAIL"
        guard let ours = result.oursPerSecond, let other = result.referencePerSecond, let ratio = result.ratio,
            let smallest = result.smallestRatio, let largest = result.largestRatio
        else { return [result.name, "", "", "", "", fixed(result.threshold, 2), verdict, result.reference] }
        return [
            result.name, fixed(ours, 0), fixed(other, 0), fixed(ratio, 2),
            "\(fixed(smallest, 2))–\(fixed(largest, 2))", fixed(result.threshold, 2), verdict, result.reference,
        ]
    }

    private static func conflicts(of result: RowResult) -> String? {
        guard let ours = result.oursConflicts, let other = result.referenceConflicts else { return nil }
        return "\(result.name): \(fixed(100 * ours, 1)) % of our transactions ran again, "
            + "\(fixed(100 * other, 1)) % of the reference's"
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).enumerated().map { column, pair in
            let space = String(repeating: " ", count: pair.1 - pair.0.count)
            return figures.contains(column) ? space + pair.0 : pair.0 + space
        }
        return padded.joined(separator: "  ").replacing(/\ +$/, with: "")
    }

    private static func fixed(_ number: Double, _ digits: Int) -> String {
        String(format: "%.\(digits)f", number)
    }
}

import Foundation

/// The least ratio of each row: data, so that a change of what is demanded is not a change of code.
struct Thresholds {
    private let byName: [String: Double]

    /// Reads `thresholds.json`, one number for each row's name.
    init() throws {
        guard let url = Bundle.module.url(forResource: "thresholds", withExtension: "json") else {
            throw BenchmarkError("thresholds.json is not among the benchmark's resources")
        }
        byName = try JSONDecoder().decode([String: Double].self, from: Data(contentsOf: url))
    }

    subscript(row: any BenchmarkRow) -> Double {
        get throws {
            guard let threshold = byName[row.name] else {
                throw BenchmarkError("thresholds.json has no threshold for \(row.name)")
            }
            return threshold
        }
    }
}

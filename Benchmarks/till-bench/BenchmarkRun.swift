/// Measures some rows, one after another.
struct BenchmarkRun {
    let rounds: Int
    let seconds: Int

    func measure(_ rows: [any BenchmarkRow]) throws -> [RowResult] {
        let thresholds = try Thresholds()
        return try rows.map { row in
            let threshold = try thresholds[row]
            do {
                return try RowResult(row, rounds: measure(row), threshold: threshold)
            } catch {
                StandardError.print("till-bench: \(row.name): \(error)")
                return RowResult(row, failure: error, threshold: threshold)
            }
        }
    }

    private func measure(_ row: any BenchmarkRow) throws -> [Round] {
        StandardError.print("\(row.name): preparing")
        return try row.prepare().rounds(rounds, seconds: Double(seconds)) { round in
            StandardError.print("\(row.name): round \(round + 1) of \(rounds)")
        }
    }
}

import Foundation

/// The results of a run, as JSON for programs.
struct Report: Encodable {
    let rounds: Int
    let secondsPerRound: Int
    let passed: Bool
    let rows: [RowResult]

    init(_ rows: [RowResult], rounds: Int, secondsPerRound: Int) {
        self.rounds = rounds
        self.secondsPerRound = secondsPerRound
        self.rows = rows
        passed = rows.allSatisfy(\.passed)
    }

    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self) + Data("\n".utf8)
        }
    }
}

package import StoreDatabase

/// What must be there after a ``CrashWriter`` was killed, however often.
package struct CrashJudge: Sendable {
    /// The highest number that each writer was told to be durable.
    private var acknowledged: [Int: Int] = [:]
    /// How many acknowledgements there were.
    package private(set) var count = 0

    package init() {}

    /// Notes a line of the writer; a line that the kill has cut is none.
    package mutating func note(_ line: String) {
        let words = line.split(separator: " ").compactMap { Int($0) }
        guard words.count == 2 else { return }
        acknowledged[words[0]] = max(acknowledged[words[0]] ?? 0, words[1])
        count += 1
    }

    /// What is lost, half, or there though it was never to be; nothing if all is well.
    package func faults(in database: any Database) async throws -> [String] {
        let (tallies, parts) = try await database.read { transaction in
            (
                try transaction.query("SELECT writer, count FROM tally") {
                    (try $0.value(0, as: Int.self), try $0.value(1, as: Int.self))
                },
                try transaction.query(
                    """
                    SELECT writer, count(DISTINCT number), min(number), max(number), count(*), sum(part)
                    FROM part GROUP BY writer
                    """
                ) { row in try (0..<6).map { try row.value($0, as: Int.self) } }
            )
        }
        let counts = Dictionary(uniqueKeysWithValues: tallies)
        var faults: [String] = []
        for (writer, number) in acknowledged where (counts[writer] ?? 0) < number {
            faults.append("writer \(writer) was told of \(number), and \(counts[writer] ?? 0) are there")
        }
        for (writer, count) in counts {
            // A write that was committed as the kill came may be one more than was told, and no others.
            if count > (acknowledged[writer] ?? 0) + 1 {
                faults.append("writer \(writer) was told of \(acknowledged[writer] ?? 0), and \(count) are there")
            }
            let size = CrashWriter.partCount
            let whole = [writer, count, 1, count, count * size, count * size * (size + 1) / 2]
            let found = parts.first { $0[0] == writer } ?? []
            if found != whole { faults.append("writer \(writer) has \(found) instead of \(whole)") }
        }
        if Set(counts.keys) != Set(parts.map { $0[0] }) { faults.append("there are parts without a tally") }
        return faults
    }

    /// Takes what is there for what was told: the writer of the next round begins from it.
    package mutating func acceptState(of database: any Database) async throws {
        let tallies = try await database.read { transaction in
            try transaction.query("SELECT writer, count FROM tally") {
                (try $0.value(0, as: Int.self), try $0.value(1, as: Int.self))
            }
        }
        acknowledged = Dictionary(uniqueKeysWithValues: tallies)
    }
}

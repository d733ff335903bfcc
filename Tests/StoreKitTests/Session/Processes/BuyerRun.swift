/// How a `store-buyer` ended, and by what steps it came there.
struct BuyerRun: Sendable {
    var lines: [String]
    var wasKilled: Bool

    /// The transactions that the app was told of, that it has delivered, and those whose finish is in the journal.
    var told: [String] { words(after: "told of ") }
    var delivered: [String] { words(after: "delivered ") }
    var finished: [String] { words(after: "finished ") }

    private func words(after start: String) -> [String] {
        lines.filter { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
    }

    /// How many payments of this process come to something: those that were added do, whatever happens afterwards, and of
    /// one that was being written down nobody knows.
    var sold: ClosedRange<Int> {
        let begun = lines.count { $0.hasPrefix(Self.keeping) }
        let added = lines.count { $0 == "added" }
        let known = max(added, begun - (isLastUncertain ? 1 : 0))
        return known...max(known, begun)
    }

    private static let keeping = "journal INSERT INTO payment"

    /// Whether the last payment that it has begun to write down may not be written down.
    private var isLastUncertain: Bool {
        guard let begun = lines.lastIndex(where: { $0.hasPrefix(Self.keeping) }) else { return false }
        // The statement after the COMMIT says that this was carried out.
        return lines[begun...].count { $0.hasPrefix("journal ") } < 3
    }
}

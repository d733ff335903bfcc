/// One line of the table. A new row is a type in a file of its own, a line in ``BenchmarkRows/all`` and a threshold.
protocol BenchmarkRow: Sendable {
    /// A short name in kebab case, by which thresholds and `--filter` know the row.
    var name: String { get }
    /// What one operation of ours is, in one sentence.
    var summary: String { get }
    /// What the reference does, in a few words.
    var reference: String { get }

    /// Makes keys, inputs and child processes; nothing of this is measured.
    func prepare() throws -> Contest
}

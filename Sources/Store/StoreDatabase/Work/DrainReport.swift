/// What happened while a clock was advanced.
package struct DrainReport: Hashable, Sendable {
    /// How many turns there were.
    package private(set) var turns = 0
    /// How many turns of each kind ended in each way.
    package private(set) var endings: [String: [WorkResult.Ending: Int]] = [:]
    /// The kind of work that was still due at the end; nil once all is quiet.
    package internal(set) var keptBusyBy: String?

    mutating func count(_ result: WorkResult) {
        turns += 1
        endings[result.turn.work.kind, default: [:]][result.ending, default: 0] += 1
    }
}

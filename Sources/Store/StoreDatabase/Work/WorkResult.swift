/// What became of one turn.
package struct WorkResult: Hashable, Sendable {
    /// The ways a turn can end; more may be added.
    package struct Ending: Hashable, Sendable {
        package let name: String

        /// It was done.
        package static let done = Ending(name: "done")
        /// It failed and will be tried again.
        package static let failed = Ending(name: "failed")
        /// It failed for the last time and is kept among the dead.
        package static let gaveUp = Ending(name: "gave up")
        /// It was scheduled anew meanwhile, or somebody else has it: what was done in the turn did not count.
        package static let overtaken = Ending(name: "overtaken")
    }

    package let turn: WorkTurn
    package let ending: Ending
    /// What it failed with.
    package let error: String?

    init(_ turn: WorkTurn, _ ending: Ending, _ error: String? = nil) {
        self.turn = turn
        self.ending = ending
        self.error = error
    }
}

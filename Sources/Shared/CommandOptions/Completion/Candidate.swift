/// One word a shell may offer, and what it stands for.
package struct Candidate: Hashable, Sendable {
    package let word: String
    /// A sentence, or empty where the word says it all.
    package let explanation: String

    init(_ word: String, _ explanation: String = "") {
        self.word = word
        self.explanation = explanation
    }
}

/// What a shell may offer for the word under the cursor.
package struct Completion: Hashable, Sendable {
    /// Names the shell has to find out itself.
    // Closed: a shell knows no others.
    package enum Names: String, Hashable, Sendable {
        case none
        case files
        case directories
    }

    package var candidates: [Candidate]
    package var names: Names

    init(_ candidates: [Candidate] = [], names: Names = .none) {
        self.candidates = candidates
        self.names = names
    }
}

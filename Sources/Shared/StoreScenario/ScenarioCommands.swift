package import StoreFoundation

/// What runs the commands of a scenario: the table of commands of `till`, over one store.
package protocol ScenarioCommands: Sendable {
    /// What is wrong with a command as it is written; nil if it would be understood. Nothing is run.
    ///
    /// - Parameter words: the words, `till` first.
    func complaint(about words: [String]) -> ScenarioComplaint?

    /// Runs a command, and returns when it is over.
    func answer(to words: [String]) async -> ScenarioAnswer
}

/// What is wrong with a command before it is run.
package struct ScenarioComplaint: Hashable, Sendable {
    /// The word that it is about; nil if it is about all of them.
    package let word: String?
    package let message: String

    package init(word: String?, _ message: String) {
        self.word = word
        self.message = message
    }
}

/// What came of a command.
package enum ScenarioAnswer: Hashable, Sendable {
    // Closed: a command ends in one of these ways.
    /// What it printed with `--json`.
    case output([UInt8])
    /// The code by which it was refused, why, and what it printed nevertheless.
    case failure(code: String, message: String, output: [UInt8] = [])
}

/// What a scenario tells while it runs.
package enum ScenarioNews: Hashable, Sendable {
    // Closed: a step begins, and it ends well.
    case began(ScenarioStep)
    case done(ScenarioStep, ScenarioOutcome)
}

/// What came of a step that went well.
package enum ScenarioOutcome: Hashable, Sendable {
    // Closed: there are these kinds of steps.
    case ran
    case failedAsExpected(code: String, message: String)
    case held
    case captured(name: String, value: JSONNode)
}

/// What came of a scenario, for programs.
package struct ScenarioReport: Hashable, Sendable, Codable {
    package struct Step: Hashable, Sendable, Codable {
        package let line: Int
        package let text: String
        /// The code by which a command failed as expected.
        package let refusedBy: String?
        /// What a line gave a name.
        package let captured: JSONNode?
    }

    package let scenario: String
    package let passed: Bool
    /// The steps that went well.
    package let steps: [Step]
    package let fault: ScenarioFault?
}

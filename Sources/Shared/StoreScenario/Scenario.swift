/// A scenario: commands of `till`, and what is expected of their answers, one on each line.
///
/// ```
/// # A refund takes the purchase back.
/// till testers add ada@example.com
/// till buy com.example.weather.themes
/// expect .state == "purchased"
/// let bought = .transactionId
/// till transactions refund $bought
/// till transactions show $bought
/// expect .transaction.revocationReason exists
/// ```
///
/// There is no other vocabulary: a line that begins with `till` is a command as it is typed, and the rest is about the JSON
/// that it prints with `--json`.
package struct Scenario: Hashable, Sendable {
    /// What faults and reports call it, usually the path of its file.
    package let name: String
    package let steps: [ScenarioStep]

    /// Reads a scenario, all of it, before anything is run.
    package init(_ bytes: [UInt8], named name: String) throws(ScenarioFault) {
        self.name = name
        func fault(_ line: Int, _ message: String) -> ScenarioFault {
            ScenarioFault(scenario: name, place: ScenarioPlace(line: line, column: 1), word: "", message)
        }
        guard bytes.count <= ScenarioLimits.fileBytes else {
            throw fault(1, "a scenario has at most \(ScenarioLimits.fileBytes) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw fault(1, "this is not UTF-8") }
        var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        // The line break at the end begins no line.
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard lines.count <= ScenarioLimits.lines else {
            throw fault(ScenarioLimits.lines + 1, "a scenario has at most \(ScenarioLimits.lines) lines")
        }
        var steps: [ScenarioStep] = []
        for (index, line) in lines.enumerated() {
            do throws(ScenarioScanner.Fault) {
                var scanner = try ScenarioScanner(line)
                guard let work = try scanner.work() else { continue }
                let text = line.drop { $0.isWhitespace }
                steps.append(ScenarioStep(line: index + 1, text: Self.trimmed(text), work: work))
            } catch {
                throw ScenarioFault(
                    scenario: name, place: ScenarioPlace(line: index + 1, column: error.column), word: error.word,
                    error.message)
            }
        }
        self.steps = try ScenarioOrder(name, steps).checked()
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

/// How much a scenario may be and may take.
package enum ScenarioLimits {
    package static let fileBytes = 256 * 1024
    package static let lines = 2000
    package static let lineCharacters = 2000
    package static let words = 64
    /// Names of captured values.
    package static let names = 100
    package static let nameCharacters = 64
    /// The members, indices and conditions of a path.
    package static let pathParts = 16
    /// How long a command may take.
    package static let commandTime = Duration.seconds(60)
    /// How long `within` may wait.
    package static let longestWait = Duration.seconds(60)
    /// How long it is until `within` asks again.
    package static let pause = Duration.milliseconds(50)
    package static let answerBytes = 8 * 1024 * 1024
    package static let answerDepth = 64
    /// How much of an answer a fault shows.
    package static let shownCharacters = 200
}

/// One line of a scenario that does something.
package struct ScenarioStep: Hashable, Sendable {
    /// What a line does.
    package enum Work: Hashable, Sendable {
        // Closed: these are the three kinds of lines.
        /// Runs a command of `till`; it has to fail if one of the expectations about it says so.
        case command([ScenarioWord], fails: Bool)
        case expectation(ScenarioExpectation)
        /// Gives a value of the answer a name.
        case capture(String, ScenarioPath, Int)
    }

    package let line: Int
    /// The line as it is written.
    package let text: String
    package var work: Work
}

extension ScenarioStep: CustomStringConvertible {
    /// The line as this module would write it.
    package var description: String {
        switch work {
        case .command(let words, _): words.map(\.description).joined(separator: " ")
        case .expectation(let expectation): "expect \(expectation)"
        case .capture(let name, let path, _): "let \(name) = \(path)"
        }
    }
}

/// A line and a column of a scenario, counted from 1.
package struct ScenarioPlace: Hashable, Sendable, Codable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// What is wrong with a scenario, or with what it found: where, and what stood there.
package struct ScenarioFault: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    package let scenario: String
    package let place: ScenarioPlace
    /// The word that it is about; empty if it is about the line.
    package let word: String
    package let message: String

    package init(scenario: String, place: ScenarioPlace, word: String, _ message: String) {
        self.scenario = scenario
        self.place = place
        self.word = word
        self.message = message
    }

    /// As compilers write it, so that editors find the place.
    package var description: String {
        let word = word.isEmpty ? "" : "\(word): "
        return "\(scenario):\(place.line):\(place.column): \(word)\(message)"
    }
}

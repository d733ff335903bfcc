import StoreFoundation

/// What an answer is to be like.
package struct ScenarioExpectation: Hashable, Sendable {
    package enum Test: String, Hashable, Sendable, CaseIterable {
        // Closed: this is the language.
        case equals = "=="
        case differs = "!="
        case atMost = "<="
        case atLeast = ">="
        case less = "<"
        case more = ">"
        case count
        case contains
        case exists
        case missing
        /// The command has to fail, with this code.
        case error

        /// Whether a value stands behind it.
        var takesValue: Bool { self != .exists && self != .missing }
    }

    package let test: Test
    package let path: ScenarioPath
    package let value: ScenarioOperand?
    let valueColumn: Int
    /// How long the command above is asked again until it holds; nil if it has to hold at once.
    package let within: Duration?

    package static func == (left: ScenarioExpectation, right: ScenarioExpectation) -> Bool {
        (left.test, left.path, left.value, left.within) == (right.test, right.path, right.value, right.within)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(test)
        hasher.combine(path)
        hasher.combine(value)
        hasher.combine(within)
    }

    var isError: Bool { test == .error }
}

extension ScenarioExpectation {
    /// What is wrong with an answer; nil if it is as expected.
    func problem(with answer: JSONNode, _ values: [String: JSONNode]) -> ScenarioProblem? {
        let finding = path.find(in: answer, values)
        let found: JSONNode
        switch (finding, test) {
        case (.missing, .missing): return nil
        case (.missing(let why), _): return problem("there is no \(path): \(why)")
        case (.found, .exists): return nil
        case (.found(let value), .missing): return problem("expected nothing, found \(value.brief())")
        case (.found(let value), _): found = value
        }
        let wanted = value?.value(values) ?? .null
        let holds: Bool
        switch test {
        case .equals: holds = found.isEqual(to: wanted)
        case .differs: holds = !found.isEqual(to: wanted)
        case .atMost, .atLeast, .less, .more:
            guard case .number(let text) = found, let left = ScenarioNumber(text) else {
                return problem("expected a number, found \(found.brief())")
            }
            guard case .number(let text) = wanted, let right = ScenarioNumber(text) else {
                return problem("\(wanted.brief()) is no number to compare with")
            }
            holds = compare(left, right)
        case .count:
            guard let count = found.elementCount else { return problem("expected a list, found \(found.brief())") }
            return wanted.isEqual(to: .number("\(count)"))
                ? nil : problem("expected \(wanted.brief()) elements, found \(count): \(found.brief())")
        case .contains:
            guard let contains = found.contains(wanted) else {
                return problem("expected a list or a text, found \(found.brief())")
            }
            holds = contains
        default: holds = true
        }
        return holds ? nil : problem("expected \(test.rawValue) \(wanted.brief()), found \(found.brief())")
    }

    private func compare(_ left: ScenarioNumber, _ right: ScenarioNumber) -> Bool {
        switch test {
        case .atMost: left <= right
        case .atLeast: left >= right
        case .less: left < right
        default: left > right
        }
    }

    private func problem(_ message: String) -> ScenarioProblem {
        ScenarioProblem(column: path.column, word: "\(path)", message: message)
    }
}

/// What is wrong at a place in a line.
struct ScenarioProblem {
    let column: Int
    let word: String
    let message: String
}

extension ScenarioExpectation: CustomStringConvertible {
    package var description: String {
        var words: [String] = []
        if let within { words += ["within", "\(within.wholeMilliseconds)ms"] }
        if isError {
            words.append("error")
        } else {
            words += ["\(path)", test.rawValue]
        }
        if let value {
            if isError, case .value(.text(let code)) = value { words.append(code) } else { words.append("\(value)") }
        }
        return words.joined(separator: " ")
    }
}

extension JSONNode {
    fileprivate var elementCount: Int? {
        switch self {
        case .list(let nodes): nodes.count
        case .object(let members): members.count
        default: nil
        }
    }

    /// Whether a list has an element, or a text another one in it; nil for other values.
    fileprivate func contains(_ other: JSONNode) -> Bool? {
        switch (self, other) {
        case (.list(let nodes), _): nodes.contains { $0.isEqual(to: other) }
        case (.text(let text), .text(let part)): part.isEmpty || text.contains(part)
        case (.text, _): false
        default: nil
        }
    }
}

extension Duration {
    /// The time in milliseconds, without what is left of one.
    var wholeMilliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}

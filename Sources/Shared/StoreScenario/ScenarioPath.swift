package import StoreFoundation

/// The way to a value in an answer: `.items[0].state`, `.items[.productId == "gold"][0]`.
package struct ScenarioPath: Hashable, Sendable {
    package indirect enum Part: Hashable, Sendable {
        // Closed: a path has nothing else.
        case member(String)
        /// The place in a list; negative counts from its end.
        case index(Int)
        /// Those elements of a list in which a value is equal to another.
        case those(ScenarioPath, ScenarioOperand)
    }

    package let parts: [Part]
    package let column: Int

    package static func == (left: ScenarioPath, right: ScenarioPath) -> Bool { left.parts == right.parts }

    package func hash(into hasher: inout Hasher) { hasher.combine(parts) }

    var names: [(name: String, column: Int)] {
        parts.flatMap { part -> [(String, Int)] in
            guard case .those(let path, let operand) = part else { return [] }
            return path.names + operand.names(at: column)
        }
    }
}

/// What a value is compared with.
package enum ScenarioOperand: Hashable, Sendable {
    // Closed: a value that is written, or one that was captured.
    case value(JSONNode)
    case name(String)

    func names(at column: Int) -> [(name: String, column: Int)] {
        if case .name(let name) = self { [(name, column)] } else { [] }
    }

    /// The value; a name is known to have one.
    func value(_ values: [String: JSONNode]) -> JSONNode {
        switch self {
        case .value(let value): value
        case .name(let name): values[name] ?? .null
        }
    }
}

/// What a path leads to.
enum ScenarioFinding {
    // Closed: it is there, or it is not.
    case found(JSONNode)
    /// Why there is nothing, such as which members there are.
    case missing(String)
}

extension ScenarioPath {
    /// Follows the path through an answer.
    func find(in answer: JSONNode, _ values: [String: JSONNode]) -> ScenarioFinding {
        var node = answer
        for (count, part) in parts.enumerated() {
            let here = "\(ScenarioPath(parts: Array(parts.prefix(count)), column: column))"
            switch part {
            case .member(let name):
                guard case .object(let members) = node else {
                    return .missing("\(here) is \(node.kind), which has no members")
                }
                guard let value = members[name] else {
                    let known = members.keys.sorted().joined(separator: ", ")
                    return .missing("\(here) has no member \(name); it has \(known.isEmpty ? "none" : known)")
                }
                node = value
            case .index(let index):
                guard case .list(let nodes) = node else {
                    return .missing("\(here) is \(node.kind), which has no elements")
                }
                let place = index < 0 ? nodes.count + index : index
                guard nodes.indices.contains(place) else {
                    return .missing("\(here) has \(nodes.count) elements")
                }
                node = nodes[place]
            case .those(let path, let operand):
                guard case .list(let nodes) = node else {
                    return .missing("\(here) is \(node.kind), which has no elements")
                }
                let wanted = operand.value(values)
                node = .list(
                    nodes.filter { element in
                        guard case .found(let value) = path.find(in: element, values) else { return false }
                        return value.isEqual(to: wanted)
                    })
            }
        }
        return .found(node)
    }
}

extension ScenarioPath: CustomStringConvertible {
    package var description: String {
        var text = ""
        for part in parts {
            switch part {
            case .member(let name):
                let isPlain = ScenarioScanner.isName(name)
                text += isPlain ? ".\(name)" : (text.isEmpty ? "." : "") + "[\(JSONNode.text(name).brief(.max))]"
            case .index(let index): text += (text.isEmpty ? "." : "") + "[\(index)]"
            case .those(let path, let operand): text += (text.isEmpty ? "." : "") + "[\(path) == \(operand)]"
            }
        }
        return text.isEmpty ? "." : text
    }
}

extension ScenarioOperand: CustomStringConvertible {
    package var description: String {
        switch self {
        case .value(let value): value.brief(.max)
        case .name(let name): "$\(name)"
        }
    }
}

extension JSONNode {
    /// What kind of value it is, in words.
    var kind: String {
        switch self {
        case .null: "null"
        case .flag: "true or false"
        case .number: "a number"
        case .text: "a text"
        case .list: "a list"
        case .object: "an object"
        }
    }

    /// Whether both are the same value; numbers are by what they mean.
    func isEqual(to other: JSONNode) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)): left == right || ScenarioNumber(left) == ScenarioNumber(right)
        case (.list(let left), .list(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isEqual(to: $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count && left.allSatisfy { name, value in right[name].map(value.isEqual) ?? false }
        default: self == other
        }
    }

    /// The value on one line, cut where it is longer than a limit.
    package func brief(_ limit: Int = ScenarioLimits.shownCharacters) -> String {
        var line = ""
        write(to: &line, limit)
        return line.count > limit ? line.prefix(limit) + "…" : line
    }

    private func write(to line: inout String, _ limit: Int) {
        guard line.utf8.count <= limit else { return }
        switch self {
        case .null: line += "null"
        case .flag(let flag): line += flag ? "true" : "false"
        case .number(let number): line += number
        case .text:
            // Its own writing breaks no line within a text.
            line += text
        case .list(let nodes):
            line += "["
            for (index, node) in nodes.enumerated() {
                line += index == 0 ? "" : ", "
                node.write(to: &line, limit)
            }
            line += "]"
        case .object(let members):
            line += "{"
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                line += (index == 0 ? "" : ", ") + JSONNode.text(member.key).text + ": "
                member.value.write(to: &line, limit)
            }
            line += "}"
        }
    }
}

/// A number by what it means: whole numbers exactly.
enum ScenarioNumber: Hashable, Comparable {
    case whole(Int64)
    case fraction(Double)

    init?(_ text: String) {
        if let whole = Int64(text) {
            self = .whole(whole)
        } else if let fraction = Double(text) {
            self = .fraction(fraction)
        } else {
            return nil
        }
    }

    private var double: Double {
        switch self {
        case .whole(let whole): Double(whole)
        case .fraction(let fraction): fraction
        }
    }

    static func == (left: ScenarioNumber, right: ScenarioNumber) -> Bool {
        if case .whole(let left) = left, case .whole(let right) = right { return left == right }
        return left.double == right.double
    }

    func hash(into hasher: inout Hasher) { hasher.combine(double) }

    static func < (left: ScenarioNumber, right: ScenarioNumber) -> Bool {
        if case .whole(let left) = left, case .whole(let right) = right { return left < right }
        return left.double < right.double
    }
}

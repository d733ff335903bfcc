/// A JSON value that was read whole, for texts of which every member counts.
package indirect enum JSONNode: Hashable, Sendable {
    // Closed: these are the kinds of values that JSON has.
    case null
    case flag(Bool)
    /// As it is written.
    case number(String)
    case text(String)
    case list([JSONNode])
    case object([String: JSONNode])

    /// Reads one value, strictly.
    ///
    /// - Parameter depth: how many values may lie within one another.
    package init(_ bytes: [UInt8], depth: Int) throws(JSONReader.Fault) {
        // This bounds the recursion below, too.
        try JSONReader.check(bytes, depth: depth)
        var reader = JSONReader(bytes, depth: depth, isStrict: true)
        self = try reader.node()
    }

    /// Whether the value is null, false, zero or empty.
    package var isBlank: Bool {
        switch self {
        case .null, .flag(false): true
        case .flag: false
        case .number(let number): number.allSatisfy { "-0.".contains($0) }
        case .text(let text): text.allSatisfy(\.isWhitespace)
        case .list(let nodes): nodes.allSatisfy(\.isBlank)
        case .object(let members): members.values.allSatisfy(\.isBlank)
        }
    }
}

extension JSONReader {
    fileprivate mutating func node() throws(Fault) -> JSONNode {
        switch next {
        case UInt8(ascii: "{"):
            _ = take("{")
            var members: [String: JSONNode] = [:]
            if take("}") { return .object(members) }
            repeat {
                let name = meaning(of: try name())
                members[name] = try node()
            } while take(",")
            guard take("}") else { throw fault("',' or '}' is expected") }
            return .object(members)
        case UInt8(ascii: "["):
            _ = take("[")
            var nodes: [JSONNode] = []
            if take("]") { return .list(nodes) }
            repeat { nodes.append(try node()) } while take(",")
            guard take("]") else { throw fault("',' or ']' is expected") }
            return .list(nodes)
        case UInt8(ascii: "\""):
            return .text(meaning(of: try string()))
        default:
            switch String(decoding: bytes[try word()], as: UTF8.self) {
            case "null": return .null
            case "true": return .flag(true)
            case "false": return .flag(false)
            case let number: return .number(number)
            }
        }
    }

    private func meaning(of text: Text) -> String {
        String(decoding: Self.meaning(of: text, in: bytes) ?? [], as: UTF8.self)
    }
}

// MARK: Writing

extension JSONNode {
    /// The value as text over several lines, members in alphabetical order whatever their case; as Xcode writes its files.
    package var text: String {
        var text = ""
        write(to: &text, indented: 0)
        return text
    }

    private func write(to text: inout String, indented depth: Int) {
        func line(_ depth: Int) -> String { "\n" + String(repeating: "  ", count: depth) }
        switch self {
        case .null: text += "null"
        case .flag(let flag): text += flag ? "true" : "false"
        case .number(let number): text += number
        case .text(let content): text += Self.quoted(content)
        case .list(let nodes):
            text += nodes.isEmpty ? "[\n" : "["
            for (index, node) in nodes.enumerated() {
                text += (index == 0 ? "" : ",") + line(depth + 1)
                node.write(to: &text, indented: depth + 1)
            }
            text += line(depth) + "]"
        case .object(let members):
            text += members.isEmpty ? "{\n" : "{"
            let sorted = members.sorted { ($0.key.lowercased(), $0.key) < ($1.key.lowercased(), $1.key) }
            for (index, member) in sorted.enumerated() {
                text += (index == 0 ? "" : ",") + line(depth + 1) + Self.quoted(member.key) + " : "
                member.value.write(to: &text, indented: depth + 1)
            }
            text += line(depth) + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case ..<" ":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension JSONNode {
    /// The members of an object; none of any other value.
    package var members: [String: JSONNode] {
        if case .object(let members) = self { members } else { [:] }
    }

    /// The values of a list; none of any other value.
    package var nodes: [JSONNode] {
        if case .list(let nodes) = self { nodes } else { [] }
    }

    /// The text that it is; nil for any other value.
    package var string: String? {
        if case .text(let text) = self { text } else { nil }
    }
}

// MARK: Lines

extension JSONReader {
    /// The lines in which values begin, counted from 1, by their paths: `products[3].displayPrice`.
    ///
    /// - Parameters:
    ///   - paths: those of the values around them are among them.
    ///   - bytes: a text that was found to be JSON.
    package static func lines(of paths: Set<String>, in bytes: [UInt8], depth: Int) -> [String: Int] {
        var reader = JSONReader(bytes, depth: depth)
        var positions: [String: Int] = [:]
        try? reader.walk("", paths, &positions)
        var (counted, line) = (0, 1)
        return positions.sorted { $0.value < $1.value }.reduce(into: [:]) { lines, place in
            line += bytes[counted..<place.value].count { $0 == UInt8(ascii: "\n") }
            counted = place.value
            lines[place.key] = line
        }
    }

    /// Notes where values begin that are wanted, and goes no further once all of them were met.
    private mutating func walk(
        _ path: String, _ wanted: Set<String>, _ positions: inout [String: Int]
    ) throws(Fault) {
        _ = next
        if !path.isEmpty {
            guard wanted.contains(path) else {
                try value()
                return
            }
            positions[path] = position
        }
        switch next {
        case UInt8(ascii: "{"):
            _ = take("{")
            if take("}") { return }
            repeat {
                let name = meaning(of: try name())
                try walk(path.isEmpty ? name : "\(path).\(name)", wanted, &positions)
            } while positions.count < wanted.count && take(",")
            _ = take("}")
        case UInt8(ascii: "["):
            _ = take("[")
            if take("]") { return }
            var index = 0
            repeat {
                try walk("\(path)[\(index)]", wanted, &positions)
                index += 1
            } while positions.count < wanted.count && take(",")
            _ = take("]")
        case UInt8(ascii: "\""): _ = try string()
        default: _ = try word()
        }
    }
}

extension JSONNode: Codable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Name.self) {
            let pairs = try members.allKeys.map { ($0.stringValue, try members.decode(JSONNode.self, forKey: $0)) }
            self = .object(Dictionary(uniqueKeysWithValues: pairs))
        } else if var list = try? decoder.unkeyedContainer() {
            var nodes: [JSONNode] = []
            while !list.isAtEnd { nodes.append(try list.decode(JSONNode.self)) }
            self = .list(nodes)
        } else {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? value.decode(Int64.self) {
                self = .number(String(number))
            } else if let number = try? value.decode(Double.self) {
                self = .number(String(number))
            } else {
                self = .text(try value.decode(String.self))
            }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: Name.self)
            for (name, node) in members { try container.encode(node, forKey: Name(stringValue: name)) }
        case .list(let nodes):
            var container = encoder.unkeyedContainer()
            for node in nodes { try container.encode(node) }
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .flag(let flag): try container.encode(flag)
            case .number(let text):
                if let number = Int64(text) { try container.encode(number) } else { try container.encode(Double(text)) }
            case .text(let text): try container.encode(text)
            default: try container.encodeNil()
            }
        }
    }
}

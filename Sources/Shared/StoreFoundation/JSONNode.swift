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

    /// Whether it says nothing: null, false, zero, or empty.
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

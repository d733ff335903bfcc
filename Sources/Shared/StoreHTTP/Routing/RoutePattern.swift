/// The form of the paths that a route answers: `/device/v1/transactions/{id}/finish`.
package struct RoutePattern: Hashable, Sendable, ExpressibleByStringLiteral {
    enum Segment: Hashable, Sendable {
        case word(String)
        case parameter(String)
        /// The whole rest of the path, at least one segment: `{name…}`, at the end only.
        case rest(String)
    }

    package let text: String
    let segments: [Segment]

    package init(stringLiteral text: String) {
        self.init(text)
    }

    package init(_ text: String) {
        self.text = text
        segments = text.split(separator: "/").map { piece in
            guard piece.first == "{", piece.last == "}" else { return .word(String(piece)) }
            let name = piece.dropFirst().dropLast()
            return name.last == "…" ? .rest(String(name.dropLast())) : .parameter(String(name))
        }
    }

    /// The names of its parameters, in their order.
    package var parameterNames: [String] {
        segments.compactMap { segment in
            switch segment {
            case .word: nil
            case .parameter(let name), .rest(let name): name
            }
        }
    }

    /// Its segments without the names: equal for patterns that match the same paths.
    var shape: [Segment] {
        segments.map { segment in
            switch segment {
            case .word: segment
            case .parameter: .parameter("")
            case .rest: .rest("")
            }
        }
    }

    /// Why it cannot match as it is meant, a sentence each.
    var problems: [String] {
        var found: [String] = []
        if text.first != "/" { found.append("a pattern begins with a slash.") }
        if text.contains("//") || text.count > 1 && text.last == "/" { found.append("a segment is empty.") }
        if segments.count > HTTPLimits.pathSegments { found.append("no path has so many segments.") }
        for (index, segment) in segments.enumerated() {
            switch segment {
            case .word(let word):
                if word.contains("{") || word.contains("}") || word.contains("%") || word == "." || word == ".." {
                    found.append("\(word) is neither a word nor a parameter.")
                }
            case .rest where index < segments.count - 1: found.append("a rest stands at the end.")
            case .rest(let name), .parameter(let name):
                if !HTTPToken.isToken(name) { found.append("a parameter has no proper name.") }
            }
        }
        let names = parameterNames
        if Set(names).count < names.count { found.append("two parameters have one name.") }
        return found
    }
}

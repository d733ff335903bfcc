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

    /// Why the pattern is invalid, a sentence each.
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

/// A part of a path that a route reads by type: `{transactionId}` in its pattern, `request[Paths.transaction]` in its
/// handler.
package struct PathParameter<Value: Sendable>: Sendable {
    package let name: String
    /// What a valid value is, for errors and for the description of the interface.
    package let rule: String
    private let parse: @Sendable (String) -> Value?

    package init(_ name: String, rule: String, parse: @escaping @Sendable (String) -> Value?) {
        self.name = name
        self.rule = rule
        self.parse = parse
    }

    func value(of text: String) throws(APIError) -> Value {
        guard let value = parse(text) else {
            throw APIError(
                .notFound, code: "parameter_invalid", "\(name) in the path must be \(rule).", parameter: name)
        }
        return value
    }
}

extension PathParameter where Value: LosslessStringConvertible {
    /// A value that has one form as text.
    package init(_ name: String, rule: String) {
        self.init(name, rule: rule) { Value($0) }
    }
}

/// The path parameters that a pattern found.
package struct PathParameters: Hashable, Sendable {
    var texts: [String: String] = [:]

    /// The decoded text of a path parameter, for callers that read it without a type.
    package func text(_ name: String) -> String? { texts[name] }
}

extension HTTPRequest {
    /// The value of a path parameter; throws the error response for an invalid text.
    package subscript<Value>(parameter: PathParameter<Value>) -> Value {
        get throws(APIError) {
            guard let text = parameters.texts[parameter.name] else {
                let message = "This operation reads \(parameter.name) from a path that has no such part."
                throw APIError(.internalError, code: "internal", message, parameter: parameter.name)
            }
            return try parameter.value(of: text)
        }
    }
}

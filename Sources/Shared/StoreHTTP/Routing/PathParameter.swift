/// A part of a path that a route reads by type: `{transactionId}` in its pattern, `request[Paths.transaction]` in its
/// handler.
package struct PathParameter<Value: Sendable>: Sendable {
    package let name: String
    /// What a good value is, for the answer to a bad one and for the description of the interface.
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

/// The texts that a pattern found in a path.
package struct PathParameters: Hashable, Sendable {
    var texts: [String: String] = [:]

    /// What stands in the path for a name of the pattern, decoded; for those that read it without a type.
    package func text(_ name: String) -> String? { texts[name] }
}

extension HTTPRequest {
    /// The value of a part of the path; throws the answer to a text that is none.
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

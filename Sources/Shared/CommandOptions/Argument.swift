/// A positional argument of a command, and the key that reads its value: `arguments[file]`.
///
/// The factories read as those of ``Option``: ``required(_:help:)`` gives the value, ``optional(_:help:)`` nil where
/// there is none, ``rest(_:atLeastOne:help:)`` everything that is left.
package struct Argument<Result: Sendable>: ArgumentDeclaration {
    package let name: String
    package let help: String
    package let explainedRule: String?
    package let defaultText: String?
    package let completion: ValueCompletion
    package let isRequired: Bool
    package let takesRest: Bool

    private let read: @Sendable ([String]) throws(ValueRefusal) -> Result?

    package func anyValue(of texts: [String]) throws -> (any Sendable)? { try read(texts) }

    private init<Value>(
        format: ValueFormat<Value>, help: String, defaultText: String? = nil, isRequired: Bool = false,
        takesRest: Bool = false, read: @escaping @Sendable ([String]) throws(ValueRefusal) -> Result?
    ) {
        self.name = format.placeholder
        self.help = help
        self.explainedRule = format.explainsRule ? format.rule : nil
        self.defaultText = defaultText
        self.completion = format.completion
        self.isRequired = isRequired
        self.takesRest = takesRest
        self.read = read
    }
}

extension Argument {
    /// An argument that has to be there; the placeholder of its format is its name.
    package static func required(_ format: ValueFormat<Result>, help: String) -> Argument {
        Argument(format: format, help: help, isRequired: true) { (texts) throws(ValueRefusal) in
            guard let text = texts.first else { return nil }
            return try format.value(of: text)
        }
    }

    /// An argument with a default value.
    package static func defaulted(_ format: ValueFormat<Result>, to value: Result, help: String) -> Argument {
        Argument(format: format, help: help, defaultText: format.text(of: value)) { (texts) throws(ValueRefusal) in
            guard let text = texts.first else { return value }
            return try format.value(of: text)
        }
    }

    /// An argument that may be left out; it is then nil.
    package static func optional<Value>(
        _ format: ValueFormat<Value>, help: String
    ) -> Argument where Result == Value? {
        Argument(format: format, help: help) { (texts) throws(ValueRefusal) in
            guard let text = texts.first else { return .some(nil) }
            return .some(try format.value(of: text))
        }
    }

    /// All arguments that are left, in their order.
    package static func rest<Value>(
        _ format: ValueFormat<Value>, atLeastOne: Bool = false, help: String
    ) -> Argument where Result == [Value] {
        Argument(format: format, help: help, isRequired: atLeastOne, takesRest: true) { (texts) throws(ValueRefusal) in
            if texts.isEmpty && atLeastOne { return nil }
            var values: [Value] = []
            for text in texts { values.append(try format.value(of: text)) }
            return values
        }
    }
}

/// A positional argument without its type; the one conforming type is ``Argument``.
package protocol ArgumentDeclaration: Sendable {
    /// The name in help, in capitals: `FILE`.
    var name: String { get }
    var help: String { get }
    /// What a valid value is; nil if the name is enough.
    var explainedRule: String? { get }
    var defaultText: String? { get }
    var completion: ValueCompletion { get }
    /// How many there must be at least: none or one.
    var isRequired: Bool { get }
    /// Whether it takes every argument that is left.
    var takesRest: Bool { get }

    /// The value of the texts that it was given.
    ///
    /// - Returns: nil when there is no text and there has to be one.
    func anyValue(of texts: [String]) throws -> (any Sendable)?
}

/// An option of a command, and the key that reads its value: `arguments[Options.data]`.
///
/// The factory says how often the option may appear, and with that what reading it gives:
///
/// ```swift
/// static let data = Option.defaulted("data", short: "d", .directory(), to: "./till_data", environment: "TILL_DATA",
///     help: "The folder of the store.")                                             // String
/// static let port = Option.optional("port", .integer(in: 1...65535), help: "…")     // Int?
/// static let owner = Option.required("owner", .text("NAME"), help: "…")             // String
/// static let tags = Option.repeated("tag", .text("TAG"), help: "…")                 // [String]
/// static let der = Option.flag("der", help: "…")                                    // Bool
/// ```
package struct Option<Result: Sendable>: OptionDeclaration {
    package let name: String
    package let short: Character?
    package let placeholder: String?
    package let help: String
    package let explainedRule: String?
    package let defaultText: String?
    package let environment: String?
    package let completion: ValueCompletion
    package let isRequired: Bool
    package let isRepeated: Bool

    private let read: @Sendable ([String]) throws(ValueRefusal) -> Result?

    package func anyValue(of texts: [String]) throws -> (any Sendable)? { try read(texts) }

    private init<Value>(
        name: String, short: Character?, format: ValueFormat<Value>, isFlag: Bool = false, help: String,
        defaultText: String? = nil, environment: String? = nil, isRequired: Bool = false, isRepeated: Bool = false,
        read: @escaping @Sendable ([String]) throws(ValueRefusal) -> Result?
    ) {
        self.name = name
        self.short = short
        self.placeholder = isFlag ? nil : format.placeholder
        self.help = help
        self.explainedRule = format.explainsRule && !isFlag ? format.rule : nil
        self.defaultText = defaultText
        self.environment = environment
        self.completion = isFlag ? .nothing : format.completion
        self.isRequired = isRequired
        self.isRepeated = isRepeated
        self.read = read
    }
}

extension Option {
    /// An option that has to be given, by the command line or the environment.
    package static func required(
        _ name: String, short: Character? = nil, _ format: ValueFormat<Result>, environment: String? = nil,
        help: String
    ) -> Option {
        Option(
            name: name, short: short, format: format, help: help, environment: environment, isRequired: true
        ) { (texts) throws(ValueRefusal) in
            guard let text = texts.last else { return nil }
            return try format.value(of: text)
        }
    }

    /// An option with a value for those who do not give one.
    package static func defaulted(
        _ name: String, short: Character? = nil, _ format: ValueFormat<Result>, to value: Result,
        environment: String? = nil, help: String
    ) -> Option {
        Option(
            name: name, short: short, format: format, help: help, defaultText: format.text(of: value),
            environment: environment
        ) { (texts) throws(ValueRefusal) in
            guard let text = texts.last else { return value }
            return try format.value(of: text)
        }
    }

    /// An option that may be left out; it is then nil.
    package static func optional<Value>(
        _ name: String, short: Character? = nil, _ format: ValueFormat<Value>, environment: String? = nil,
        help: String
    ) -> Option where Result == Value? {
        Option(
            name: name, short: short, format: format, help: help, environment: environment
        ) { (texts) throws(ValueRefusal) in
            guard let text = texts.last else { return .some(nil) }
            return .some(try format.value(of: text))
        }
    }

    /// An option that may be given any number of times; the values keep their order.
    package static func repeated<Value>(
        _ name: String, short: Character? = nil, _ format: ValueFormat<Value>, help: String
    ) -> Option where Result == [Value] {
        Option(
            name: name, short: short, format: format, help: help, isRepeated: true
        ) { (texts) throws(ValueRefusal) in
            var values: [Value] = []
            for text in texts { values.append(try format.value(of: text)) }
            return values
        }
    }
}

extension Option where Result == Bool {
    /// An option without a value: true when given. `--flag=false` takes back what the environment says.
    package static func flag(
        _ name: String, short: Character? = nil, environment: String? = nil, help: String
    ) -> Option {
        let format = ValueFormat<Bool>.boolean
        return Option(
            name: name, short: short, format: format, isFlag: true, help: help, environment: environment
        ) { (texts) throws(ValueRefusal) in
            guard let text = texts.last else { return false }
            return try format.value(of: text)
        }
    }
}

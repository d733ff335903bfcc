/// An option of a command, and the key that reads its value: `arguments[Options.data]`.
///
/// The factory sets how often the option may appear, and thereby the type of its value:
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
    package let isSecret: Bool

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
        isSecret = format.isSecret
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

    /// An option with a default value.
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
    /// An option without a value: true when given. `--flag=false` overrides the environment.
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

/// An option without its type: what help, completion and the parser need.
///
/// The one conforming type is ``Option``; the protocol lets options of different types be in one list.
package protocol OptionDeclaration: Sendable {
    /// The long name, without dashes.
    var name: String { get }
    /// The letter of the short form, if it has one.
    var short: Character? { get }
    /// What stands for the value in help; nil for a flag, which takes none.
    var placeholder: String? { get }
    var help: String { get }
    /// What a valid value is; nil if the placeholder is enough.
    var explainedRule: String? { get }
    var defaultText: String? { get }
    /// The variable that gives the value when the command line does not.
    var environment: String? { get }
    var completion: ValueCompletion { get }
    var isRequired: Bool { get }
    var isRepeated: Bool { get }
    /// Whether its text may never be shown.
    var isSecret: Bool { get }

    /// The value of all texts that were given, or of none of them.
    ///
    /// - Returns: nil when there is no text and there has to be one.
    func anyValue(of texts: [String]) throws -> (any Sendable)?
}

extension OptionDeclaration {
    /// The name as typed: `--data`.
    package var longForm: String { "--\(name)" }
}

/// A rule for the options of one command.
package struct OptionRule: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case atMostOne
        case exactlyOne
        /// The first needs the others.
        case needs
    }

    let kind: Kind
    let names: [String]

    /// Options that exclude each other.
    ///
    /// One on the command line also overrides the others in the environment.
    package static func atMostOne(_ options: any OptionDeclaration...) -> OptionRule {
        OptionRule(kind: .atMostOne, names: options.map(\.name))
    }

    /// Options of which one, and no second, has to be given.
    package static func exactlyOne(_ options: any OptionDeclaration...) -> OptionRule {
        OptionRule(kind: .exactlyOne, names: options.map(\.name))
    }

    /// An option that makes no sense without another.
    package static func option(
        _ option: any OptionDeclaration, needs other: any OptionDeclaration
    ) -> OptionRule {
        OptionRule(kind: .needs, names: [option.name, other.name])
    }

    /// The options that may not be given beside one of this name.
    func namesExcluded(by name: String) -> [String] {
        guard kind != .needs, names.contains(name) else { return [] }
        return names.filter { $0 != name }
    }
}

/// Options with the same meaning in all our programs.
package enum StandardOptions {
    /// Output for programs; declare it on the root so that every command has it.
    package static let json = Option.flag("json", help: "Print the result as JSON, for programs.")

    /// Known to the parser everywhere; never declared.
    static let help = Option.flag("help", short: "h", help: "Show this help.")

    /// Known to the parser at the root of a program that has a version; never declared.
    static let version = Option.flag("version", help: "Show the version.")
}

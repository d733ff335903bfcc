/// The values of one command line, read by the options and arguments that declared them.
package struct ParsedArguments: Sendable {
    private let values: [String: any Sendable]
    private let sources: [String: ValueSource]

    init(values: [String: any Sendable], sources: [String: ValueSource]) {
        self.values = values
        self.sources = sources
    }

    package subscript<Result>(option: Option<Result>) -> Result {
        value(of: option.longForm, as: Result.self)
    }

    package subscript<Result>(argument: Argument<Result>) -> Result {
        value(of: argument.name, as: Result.self)
    }

    /// Whether the command declares an option, for what all commands of a program share.
    package func declares<Result>(_ option: Option<Result>) -> Bool { sources[option.longForm] != nil }

    /// Where the value of an option came from, for messages that have to say so.
    package func source<Result>(of option: Option<Result>) -> ValueSource {
        sources[option.longForm] ?? .declaration
    }

    private func value<Result>(of key: String, as type: Result.Type) -> Result {
        guard let value = values[key] as? Result else {
            // Safe: no input reaches this. The parser stores a value of the declared type for every declaration of the
            // chosen command, so only a command that reads what it does not declare stops here, at its first run.
            preconditionFailure("a command reads \(key) but does not declare it")
        }
        return value
    }
}

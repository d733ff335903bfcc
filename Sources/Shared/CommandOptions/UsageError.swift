/// A command line that is wrong.
///
/// The description is safe to print and to log: values are escaped and shortened, secrets left out.
package struct UsageError: Error, Hashable, Sendable {
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        package let description: String

        package static let unknownCommand = Code(description: "unknown-command")
        package static let missingCommand = Code(description: "missing-command")
        package static let unknownOption = Code(description: "unknown-option")
        package static let missingValue = Code(description: "missing-value")
        package static let invalidValue = Code(description: "invalid-value")
        package static let repeatedOption = Code(description: "repeated-option")
        package static let missingOption = Code(description: "missing-option")
        package static let missingArgument = Code(description: "missing-argument")
        package static let unexpectedArgument = Code(description: "unexpected-argument")
        package static let conflict = Code(description: "conflict")
        package static let settings = Code(description: "settings")
    }

    package let code: Code
    /// The option, argument or word it is about, as the declaration writes it or as it was typed, made printable.
    package let subject: String
    /// What is wrong, in one sentence.
    package let message: String
    /// What to do about it, if known.
    package let advice: String?
    /// The words that lead to the command, the program's name first.
    package let path: [String]

    /// A mistake in the settings file is not a mistake in the command.
    package var exitCode: ExitCode { code == .settings ? .configuration : .usage }
}

extension UsageError: CustomStringConvertible {
    package var description: String {
        let command = path.joined(separator: " ")
        let sentence = [message, advice].compactMap { $0 }.joined(separator: " ")
        return "\(command): \(sentence)\nSee '\(command) --help'."
    }
}

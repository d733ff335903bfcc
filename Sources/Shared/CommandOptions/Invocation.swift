/// The command a person chose, ready to run.
package struct Invocation<Action: Sendable>: Sendable {
    /// The words that lead to the command, the program's name first: `["till", "keys", "init"]`.
    package let path: [String]
    package let arguments: ParsedArguments
    package let action: Action
}

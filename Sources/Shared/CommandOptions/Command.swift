/// A command of a program, or a group of commands, as data: parsing, help and completion all read this one value.
///
/// `Action` is whatever the program does with a chosen command, usually a closure over a context of its own. A group
/// has subcommands and mostly no action; options declared on it also belong to every command below it.
///
/// ```swift
/// Command("show", "Show the keys of a store.", options: [Options.data], action: showKeys)
/// ```
package struct Command<Action: Sendable>: Sendable {
    package var name: String
    /// One sentence with a full stop.
    package var abstract: String
    /// Paragraphs with an empty line between them; help wraps them.
    package var discussion: String
    package var options: [any OptionDeclaration]
    package var arguments: [any ArgumentDeclaration]
    package var rules: [OptionRule]
    package var examples: [Example]
    /// What it may end with beside success, failure and usage, which every command has.
    package var exitCodes: [ExitCode]
    /// Other commands or documents worth reading.
    package var seeAlso: [String]
    package var subcommands: [Command]
    package var action: Action?

    package init(
        _ name: String, _ abstract: String, discussion: String = "", options: [any OptionDeclaration] = [],
        arguments: [any ArgumentDeclaration] = [], rules: [OptionRule] = [], examples: [Example] = [],
        exitCodes: [ExitCode] = [], seeAlso: [String] = [], subcommands: [Command] = [], action: Action? = nil
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.options = options
        self.arguments = arguments
        self.rules = rules
        self.examples = examples
        self.exitCodes = exitCodes
        self.seeAlso = seeAlso
        self.subcommands = subcommands
        self.action = action
    }
}

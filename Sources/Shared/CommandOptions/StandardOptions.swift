/// Options that mean the same in every program of ours.
package enum StandardOptions {
    /// Output for programs; declare it on the root so that every command has it.
    package static let json = Option.flag("json", help: "Print the result as JSON, for programs.")

    /// Known to the parser everywhere; never declared.
    static let help = Option.flag("help", short: "h", help: "Show this help.")

    /// Known to the parser at the root of a program that has a version; never declared.
    static let version = Option.flag("version", help: "Show the version.")
}

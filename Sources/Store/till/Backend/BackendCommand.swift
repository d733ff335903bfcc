import CommandOptions

/// `till backend`
enum BackendCommand {
    static let command = Command<TillProgram.Action>(
        "backend", "Your own server: it verifies purchases, and gives what was paid for.",
        examples: [Example("The SQL of a server in any language", "till backend sql --dialect postgres")],
        subcommands: [BackendSQL.command])
}

import CommandOptions

/// `till keys`: the keys that a store signs with.
enum KeysCommand {
    static let command = Command<TillProgram.Action>(
        "keys", "Make, show and replace the keys that a store signs with.",
        discussion: """
            A store has two chains of certificates for each of its environments: one signs JSON (transactions, renewals, \
            notifications), the other receipts. Each is a root, an intermediate and a leaf. Whoever verifies a purchase \
            needs the root alone; the private keys never leave the data directory.
            """,
        options: [DataOptions.data, SettingsOptions.file],
        examples: [
            Example("Make the keys of a store in /srv/till", "till keys init --data /srv/till"),
            Example("Show them", "till keys show --data /srv/till"),
        ],
        subcommands: [
            KeysInit.command, KeysShow.command, KeysRotate.command, KeysRevoke.command, KeysRoot.command,
        ])
}

import CommandOptions

/// `till database`
enum DatabaseCommand {
    static let command = Command<TillProgram.Action>(
        "database", "Examine, migrate, back up and put back the databases of a store.",
        options: [DataOptions.data, DatabaseOptions.database, SettingsOptions.file],
        examples: [
            Example("Back up a store while it runs", "till database backup /backups/$(date +%F)"),
            Example("Is everything as it should be?", "till database check"),
        ],
        subcommands: [DatabaseCheck.command, DatabaseMigrate.command, DatabaseBackup.command, DatabaseRestore.command])
}

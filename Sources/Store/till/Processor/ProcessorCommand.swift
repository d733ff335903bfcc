import CommandOptions

/// `till processor`
enum ProcessorCommand {
    static let command = Command<TillProgram.Action>(
        "processor", "The test processor: payments that move no money.",
        discussion: """
            The sandbox starts one of its own. What it did is in a log of its own, beside the store's books and not in \
            them, so that each can be held against the other.
            """,
        options: [DataOptions.data, ProcessorOptions.environment, SettingsOptions.file],
        examples: [
            Example("What the sandbox's processor did so far", "till processor log"),
            Example(
                "Let the next two captures be carried out and their answers be lost",
                "curl --unix-socket till_data/processor/sandbox/processor.sock http://processor/v1/scripts "
                    + "--json '{\"step\":\"capture\",\"count\":2,\"fault\":\"lost\"}'"),
        ],
        subcommands: [ProcessorServe.command, ProcessorLog.command, ProcessorAct.command])
}

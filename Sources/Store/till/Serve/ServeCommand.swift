import CommandOptions
import StoreLog
import StoreServer

/// `till serve`
enum ServeCommand {
    static let command = Command<TillProgram.Action>(
        "serve", "Run the store: production and sandbox, each on a listener of its own.",
        discussion: """
            The first start makes what is missing: the data directory, the keys of both environments, the databases. \
            Every start brings the databases to the schema of this version.

            The log goes to standard error. Standard output says where the store is reached once it is; with \
            --log-format json in one line {"event":"ready","production":URL,"sandbox":URL,"pid":N}.

            SIGTERM and SIGINT let requests end and then stop the store; a second one stops it at once. SIGHUP reads the \
            TLS certificate again.

            The sandbox is paid through a test processor, a process of its own that this one starts and ends. Production has \
            no processor yet and so cannot sell, unless --production-processor test plays one.

            Settings are looked for on the command line, then among the TILL_ variables, then in the settings file.
            """,
        options: [
            DataOptions.data, ServeOptions.listen, ServeOptions.sandboxListen, ServeOptions.publicURL,
            ServeOptions.sandboxPublicURL,
            DatabaseOptions.database, ServeOptions.certificate, ServeOptions.key, KeysInit.organization,
            KeysOptions.passphraseFile, ServeOptions.logFormat, ServeOptions.logLevel, ServeOptions.drainSeconds,
            ServeOptions.commission, ServeOptions.productionProcessor,
            ServeOptions.demo,
            SettingsOptions.file,
        ],
        rules: ServeOptions.rules,
        examples: [
            Example("Try it: a store in ./till_data with something to buy", "till serve --demo"),
            Example(
                "For a test: ports that are free, and a line that says which",
                "till serve --data \"$(mktemp -d)\" --listen 127.0.0.1:0 --sandbox-listen 127.0.0.1:0 --log-format json"
            ),
            Example(
                "For the world",
                "till serve --data /srv/till --listen [::]:443 --tls-cert chain.pem --tls-key key.pem "
                    + "--public-url https://store.example.com"),
        ],
        exitCodes: [
            .tryAgain.when("Another process has this store open."),
            .unavailable.when("An address cannot be listened at, or the database does not answer."),
            .cannotCreate.when("The data directory cannot be made."),
            .inputMissing.when("A file that an option names cannot be read."),
            .noPermission.when("The passphrase of the keys is wrong or missing."),
            .configuration.when("A setting is wrong, or something in the data directory is damaged."),
        ],
        seeAlso: ["till doctor", "till database", "till processor"],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        ServingProcess.prepare()
        let settings = try ServeSettings(arguments)
        let log = LogWriter(format: settings.logFormat, write: context.warn).log(least: settings.logLevel)
        // Before anything is started: a signal that comes meanwhile must not cut it in half.
        var requests = ProcessSignals.requests().makeAsyncIterator()
        let process = try await StoreProcess.start(settings, at: context.now, log: log)
        context.print(settings.logFormat == .json ? process.announcement.json : process.announcement.banner)
        while let request = await requests.next(), case .reload = request { await process.reload() }
        log.info("store.stopping", "Stopping; requests may end.", ["seconds": .number(Int64(settings.drainSeconds))])
        let isImpatient = Task { [requests] in
            var requests = requests
            while let request = await requests.next() {
                if case .stop = request { return }
            }
        }
        await process.stop(within: .seconds(settings.drainSeconds), unless: isImpatient)
        log.info("store.stopped", "Stopped.")
    }
}

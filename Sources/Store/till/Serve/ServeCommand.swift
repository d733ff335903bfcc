import CommandOptions
import Foundation
import StoreCatalogue
import StoreHTTP
import StoreHTTPListener
import StoreLog
import StoreModel
import StoreServer
import StoreService

/// `till serve`
enum ServeCommand {
    static let command = Command<TillProgram.Action>(
        "serve", "Run the store: production and sandbox, each on a listener of its own.",
        discussion: """
            The first start makes what is missing: the data directory, the keys of both environments, the databases. \
            Every start brings the databases to the schema of this version.

            The log goes to standard error: in a terminal a line for each thing that happens, else one for each request too, \
            with everything that is known of it. Standard output says where the store is reached once it is; with \
            --log-format json in one line {"event":"ready","production":URL,"sandbox":URL,"pid":N}.

            SIGTERM and SIGINT let requests end and then stop the store; a second one stops it at once. SIGHUP reads the \
            TLS certificate again.

            The sandbox is paid through a test processor, a process of its own that this one starts and ends. Production has \
            no processor yet and so cannot sell, unless --production-processor test plays one. Servers that work on the same
            PostgreSQL databases need the same keys (till keys export) and one processor (--processor-data).

            Settings are looked for on the command line, then among the TILL_ variables, then in the settings file.
            """,
        options: options + [ServeOptions.demo],
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
        exitCodes: exitCodes,
        seeAlso: ["till doctor", "till database", "till processor"],
        action: run)

    static let options: [any OptionDeclaration] =
        [
            DataOptions.data, ServeOptions.listen, ServeOptions.sandboxListen, ServeOptions.publicURL,
            ServeOptions.sandboxPublicURL, OnlineChecks.listen, OnlineChecks.url,
            DatabaseOptions.database, BlobOptions.blobs, ServeOptions.contentProcessing, ServeOptions.contentQuota,
            ServeOptions.certificate, ServeOptions.key, KeysInit.organization,
            KeysOptions.passphraseFile, ServeOptions.logFormat, ServeOptions.verbose, ServeOptions.logLevel,
            ServeOptions.drainSeconds,
            ServeOptions.productionProcessor,
            SharedProcessors.directoryOption, ProcessorOptions.newsSecret,
            ServeOptions.connectionsPerAddress, ServeOptions.registrationsPerMinute,
            ServeOptions.purchasesPerMinute, ServeOptions.serverAPIRate, ServeOptions.searchRate, ServeOptions.proxies,
            ServeOptions.hosts, SystemOptions.backups,
            SettingsOptions.file,
        ] + PolicyOptions.all

    static let exitCodes: [ExitCode] = [
        .tryAgain.when("Another process has this store open."),
        .unavailable.when("An address cannot be listened at, or the database does not answer."),
        .cannotCreate.when("The data directory cannot be made."),
        .inputMissing.when("A file that an option names cannot be read."),
        .noPermission.when("The passphrase of the keys is wrong or missing."),
        .configuration.when("A setting is wrong, or something in the data directory is damaged."),
    ]

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        try await run(try ServeSettings(arguments), context)
    }

    /// Runs a store until a signal ends it.
    static func run(_ settings: ServeSettings, _ context: CommandContext) async throws {
        ServingProcess.prepare()
        let format = settings.logFormat ?? (context.errorIsTerminal ? .brief : .text)
        let serving = ServingLog(format, isVerbose: settings.isVerbose, least: settings.logLevel)
        try await serving.run { try await serve(settings, format, at: context.now, serving) }
    }

    private static func serve(
        _ settings: ServeSettings, _ format: LogFormat, at now: Instant, _ serving: ServingLog
    ) async throws {
        let log = serving.log
        // First of all, so a signal during the start does not interrupt it.
        var requests = ProcessSignals.requests().makeAsyncIterator()
        let process = try await StoreProcess.start(settings, format, at: now, serving)
        let announcement = format == .json ? process.announcement.json : process.announcement.banner
        if !StandardStream.tryOutput(Array((announcement + "\n").utf8)) {
            log.warning("store.unannounced", "Nobody takes standard output, where the store's addresses are said.")
        }
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

/// The options of `till serve`. Each is a setting: command line, variable, settings file, default, in this order.
enum ServeOptions {
    static let listen = Option<ListenAddress>.defaulted(
        "listen", ListenAddress.format, to: .loopback(port: 8080),
        environment: "TILL_LISTEN", help: "Where production listens.")

    static let sandboxListen = Option<ListenAddress>.defaulted(
        "sandbox-listen", ListenAddress.format, to: .loopback(port: 8081),
        environment: "TILL_SANDBOX_LISTEN", help: "Where the sandbox listens.")

    static let publicURL = Option<PublicURL?>.optional(
        "public-url", PublicURL.format, environment: "TILL_PUBLIC_URL",
        help: "Where the world reaches production, if not at its own address.")

    static let sandboxPublicURL = Option<PublicURL?>.optional(
        "sandbox-public-url", PublicURL.format, environment: "TILL_SANDBOX_PUBLIC_URL",
        help: "Where the world reaches the sandbox, if not at its own address.")

    static let certificate = Option<String?>.optional(
        "tls-cert", .file(), environment: "TILL_TLS_CERT",
        help: "The certificate chain of both listeners, in PEM. SIGHUP reads it again.")

    static let key = Option<String?>.optional(
        "tls-key", .file(), environment: "TILL_TLS_KEY", help: "The private key of that certificate, in PEM.")

    static let logFormat = Option<LogFormat?>.optional(
        "log-format", .choice("FORMAT", of: LogFormat.self), environment: "TILL_LOG_FORMAT",
        help:
            "How the log is written to standard error: brief in a terminal, else text; json also makes one line of the "
            + "addresses.")

    static let verbose = Option<Bool>.flag(
        "verbose", environment: "TILL_VERBOSE", help: "Show requests in the brief log too.")

    static let logLevel = Option<LogLevel>.defaulted(
        "log-level", .choice("LEVEL", of: LogLevel.self), to: .info, environment: "TILL_LOG_LEVEL",
        help: "The least level that is logged.")

    static let productionProcessor = Option<ProductionProcessor>.defaulted(
        "production-processor", .choice("PROCESSOR", of: ProductionProcessor.self), to: .none,
        environment: "TILL_PRODUCTION_PROCESSOR",
        help: "Who moves the money of production. Without one it cannot sell; test only looks as if money moved.")

    static let drainSeconds = Option<Int>.defaulted(
        "drain-seconds", .integer("SECONDS", in: 0...600), to: 25, environment: "TILL_DRAIN_SECONDS",
        help: "How long requests may take to end after SIGTERM.")

    static let connectionsPerAddress = Option<Int?>.optional(
        "connections-per-address", .integer("COUNT", in: 1...20_000), environment: "TILL_CONNECTIONS_PER_ADDRESS",
        help: "Connections at once from one address, or one /64 of IPv6. Not behind a proxy, whose address all have.")

    static let registrationsPerMinute = rate(
        "registrations-per-minute", "TILL_REGISTRATIONS_PER_MINUTE", "Registrations of devices", standardRegistrations)

    static let purchasesPerMinute = rate(
        "purchases-per-minute", "TILL_PURCHASES_PER_MINUTE", "Purchases that are opened", standardPurchases)

    /// What one address may do in a minute unless it is set; what comes from this machine is not counted then.
    static let standardRegistrations = 60
    static let standardPurchases = 600

    static let serverAPIRate = Option<Int?>.optional(
        "server-api-rate", .integer("COUNT", in: 0...1_000_000), environment: "TILL_SERVER_API_RATE",
        help:
            "How often in a second servers of an app may ask for one operation of the App Store Server API; 0 for any number. "
            + "Without it \(standardServerAPIRate) in production, and any number in the sandbox.")

    static let standardServerAPIRate = 50

    static let searchRate = Option<Int?>.optional(
        "search-rate", .integer("COUNT", in: 0...1_000_000), environment: "TILL_SEARCH_RATE",
        help:
            "How often in a minute one address may call the search API, /search and /lookup; 0 for any number. Without it "
            + "\(standardSearchRate) in production, and any number in the sandbox. Pages of the store do not count.")

    static let standardSearchRate = 20

    private static func rate(_ name: String, _ variable: String, _ what: String, _ standard: Int) -> Option<Int?> {
        .optional(
            name, .integer("COUNT", in: 0...1_000_000), environment: variable,
            help:
                "\(what) in a minute from one address, or one /64 of IPv6; 0 for as many as come. Without it \(standard), "
                + "but for those from this machine.")
    }

    static let proxies = Option<[String]?>.optional(
        "proxies",
        .list(
            of: ValueFormat("ADDRESS", rule: "a numeric address") { PeerAddress.isNumeric($0) ? $0 : nil }),
        environment: "TILL_PROXIES",
        help: "Proxies whose X-Forwarded-For is believed, for limits and the log.")

    static let contentProcessing = Option<Duration>.defaulted(
        "content-processing", .duration(allowsNone: true), to: .zero, environment: "TILL_CONTENT_PROCESSING",
        help: "How long it takes until an uploaded package of hosted content is looked at, as if there were a queue.")

    static let contentQuota = Option<Int>.defaulted(
        "content-quota", .integer("GIGABYTES", in: 1...1_000_000), to: Int(HostingLimits.quota / 1_000_000_000),
        environment: "TILL_CONTENT_QUOTA", help: "How much all hosted content may have together, in GB.")

    static let hosts = Option<[String]?>.optional(
        "hosts",
        ValueFormat(
            "NAMES", rule: "names of hosts without ports, separated by commas", describe: { $0.joined(separator: ",") },
            parse: { Self.hostNames($0) }),
        environment: "TILL_HOSTS",
        help:
            "Further names the store is reached by. Requests for others are refused, but for those of the public URLs, "
            + "localhost and numeric addresses.")

    private static func hostNames(_ text: String) -> [String]? {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        let letters = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: ".-"))
        let areNames = names.allSatisfy {
            (1...253).contains($0.utf8.count) && $0.unicodeScalars.allSatisfy(letters.contains)
        }
        return areNames ? names : nil
    }

    static let demo = Option<Bool>.flag(
        "demo", environment: "TILL_DEMO", help: "Enter five sample apps with their products, if they are not there.")

    /// A certificate needs its key.
    static let rules: [OptionRule] = [.option(certificate, needs: key), .option(key, needs: certificate)]

    /// The files of the certificate and key, if they are given.
    static func tls(_ arguments: ParsedArguments) -> TLSFiles? {
        guard let certificate = arguments[certificate], let key = arguments[key] else { return nil }
        return TLSFiles(certificate: certificate, key: key)
    }
}

/// The settings of `till serve`, read once.
struct ServeSettings: Sendable {
    let directory: DataDirectory
    let database: DatabaseAddress
    let production: ListenAddress
    let sandbox: ListenAddress
    /// Whether an environment listens at the next free port where its own is taken: nobody has asked for that one.
    let (movesProduction, movesSandbox): (Bool, Bool)
    let publicURL: PublicURL?
    let sandboxPublicURL: PublicURL?
    let onlineChecks: OnlineChecks
    let tls: TLSFiles?
    let organization: String
    let passphrase: [UInt8]?
    let logFormat: LogFormat?
    let isVerbose: Bool
    let logLevel: LogLevel
    let drainSeconds: Int
    /// Whether the store has the products of the demo.
    let isDemo: Bool
    let productionProcessor: ProductionProcessor
    let sharedProcessors: SharedProcessors?
    let connectionsPerAddress: Int?
    let registrationsPerMinute: Int?
    let purchasesPerMinute: Int?
    let serverAPIRate: Int?
    let searchRate: Int?
    let proxies: [String]
    let hosts: [String]
    let policy: StorePolicy
    let blobs: BlobPlace
    let content: ContentIntake
    /// A file of products that the store begins with.
    let catalogueFile: CatalogueImport?
    /// Whether the data directory is removed when the store ends.
    let isPassing: Bool
    /// Where backups are made and looked for.
    let backups: String
    /// What all settings are, and where each came from.
    let given: [SystemSetting]
    /// Whether a link to the console is printed each time, not only to the first owner.
    let isForDevelopment: Bool

    /// - Parameters:
    ///   - passing: a data directory that is gone afterwards, instead of the one that the options name.
    ///   - file: what the store begins with, instead of the demo.
    ///   - isForDevelopment: whether a developer has it for the moment.
    init(
        _ arguments: ParsedArguments, passing: DataDirectory? = nil, file: CatalogueImport? = nil,
        isForDevelopment: Bool = false
    ) throws {
        directory = passing ?? DataDirectory(arguments[DataOptions.data])
        isPassing = passing != nil
        backups = SystemOptions.folder(arguments, in: directory)
        given = SystemSetting.all(arguments)
        catalogueFile = file
        self.isForDevelopment = isForDevelopment
        database = arguments[DatabaseOptions.database]
        production = arguments[ServeOptions.listen]
        sandbox = arguments[ServeOptions.sandboxListen]
        movesProduction = isForDevelopment && arguments.source(of: ServeOptions.listen) == .declaration
        movesSandbox = isForDevelopment && arguments.source(of: ServeOptions.sandboxListen) == .declaration
        publicURL = arguments[ServeOptions.publicURL]
        sandboxPublicURL = arguments[ServeOptions.sandboxPublicURL]
        onlineChecks = OnlineChecks(arguments)
        tls = ServeOptions.tls(arguments)
        organization = try KeysInit.organization(arguments)
        passphrase = try Passphrase.fromFile(arguments)
        logFormat = arguments[ServeOptions.logFormat]
        isVerbose = arguments[ServeOptions.verbose]
        logLevel = arguments[ServeOptions.logLevel]
        drainSeconds = arguments[ServeOptions.drainSeconds]
        isDemo = isForDevelopment ? file == nil : arguments[ServeOptions.demo]
        productionProcessor = arguments[ServeOptions.productionProcessor]
        sharedProcessors = SharedProcessors(arguments)
        connectionsPerAddress = arguments[ServeOptions.connectionsPerAddress]
        registrationsPerMinute = arguments[ServeOptions.registrationsPerMinute]
        purchasesPerMinute = arguments[ServeOptions.purchasesPerMinute]
        serverAPIRate = arguments[ServeOptions.serverAPIRate]
        searchRate = arguments[ServeOptions.searchRate]
        proxies = arguments[ServeOptions.proxies] ?? []
        hosts = arguments[ServeOptions.hosts] ?? []
        var policy = PolicyOptions.policy(arguments)
        policy.hasLocalSandbox = sandbox.isLoopback && sandboxPublicURL?.isOfThisMachine ?? true
        self.policy = policy
        blobs = arguments[BlobOptions.blobs]
        content = ContentIntake(
            delay: arguments[ServeOptions.contentProcessing],
            quota: Int64(arguments[ServeOptions.contentQuota]) * 1_000_000_000)
        if production == sandbox && production.port != 0 {
            throw CommandFailure(.usage, "production and sandbox cannot both listen at \(production)")
        }
    }
}

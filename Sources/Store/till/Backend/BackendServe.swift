import CommandOptions
import Foundation
import StoreLog

/// `till backend serve`
enum BackendServe {
    static let command = Command<TillProgram.Action>(
        "serve", "Run your own server for an app.",
        discussion: """
            The first start makes what is missing: the data directory and the database. GET /openapi.json describes what apps \
            may ask; POST /notifications takes what the store tells.

            Proofs of payment are verified with the store, production first and the sandbox if production says so. With root \
            certificates signed transactions are verified by their signatures, and with --offline everything is.

            The log goes to standard error. Standard output says where the server is reached once it is; with --log-format json \
            in one line {"event":"ready","url":URL,"pid":N}. SIGTERM and SIGINT let requests end and then stop it. SIGHUP reads \
            the TLS certificate again.
            """,
        options: BackendOptions.place + [
            BackendOptions.bundles, BackendOptions.listen, BackendOptions.certificate, BackendOptions.certificateKey,
        ] + BackendOptions.verification + [
            BackendOptions.policy, BackendOptions.ignoresAccountTokens, BackendOptions.catchUp,
        ] + BackendOptions.limits + [
            ServeOptions.proxies, ServeOptions.logFormat, ServeOptions.verbose, ServeOptions.logLevel,
            ServeOptions.drainSeconds,
        ],
        rules: BackendOptions.rules,
        examples: [
            Example(
                "Beside a store on this machine",
                "till backend serve --bundle com.example.magazines --store http://127.0.0.1:8080 "
                    + "--store-sandbox http://127.0.0.1:8081 --root root.der --sandbox-root sandbox-root.der "
                    + "--shared-secret-file secret.txt"),
            Example(
                "For an app in the App Store",
                "till backend serve --bundle com.example.magazines --root AppleRootCA-G3.cer --key key.p8 --key-id ABC123 "
                    + "--issuer 57246542-96fe-1a63-e053-0824d011072a --listen [::]:443 --tls-cert chain.pem --tls-key key.pem"
            ),
        ],
        exitCodes: [
            .tryAgain.when("Another process serves from this data directory."),
            .unavailable.when("The address cannot be listened at."),
            .cannotCreate.when("The data directory cannot be made."),
            .inputMissing.when("A file that an option names cannot be read."),
            .badData.when("An address, a root, a key or a shared secret is none."),
            .inputOutput.when("The database does not answer."),
            .configuration.when("A setting is wrong."),
        ],
        seeAlso: ["till backend products", "till backend content", "till backend users"],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let format = arguments[ServeOptions.logFormat] ?? (context.errorIsTerminal ? .brief : .text)
        let serving = ServingLog(
            format, isVerbose: arguments[ServeOptions.verbose], least: arguments[ServeOptions.logLevel])
        try await serving.run {
            // First of all, so a signal during the start does not interrupt it.
            let requests = ProcessSignals.requests()
            let process = try await BackendProcess.start(arguments, serving.log)
            let announcement = format == .json ? process.ready : process.banner
            if !StandardStream.tryOutput(Array((announcement + "\n").utf8)) {
                serving.log.warning("backend.unannounced", "Nobody takes standard output, where the address is said.")
            }
            try await run(process, requests, arguments, serving.log)
        }
    }

    private static func run(
        _ process: BackendProcess, _ requests: AsyncStream<ProcessSignals.Request>, _ arguments: ParsedArguments,
        _ log: Log
    ) async throws {
        var requests = requests.makeAsyncIterator()
        while let request = await requests.next(), case .reload = request { await process.reload() }
        let seconds = arguments[ServeOptions.drainSeconds]
        log.info("backend.stopping", "Stopping; requests may end.", ["seconds": .number(Int64(seconds))])
        let impatient = Task { [requests] in
            var requests = requests
            while let request = await requests.next() {
                if case .stop = request { return }
            }
        }
        await process.stop(within: .seconds(seconds), unless: impatient)
        log.info("backend.stopped", "Stopped.")
    }
}

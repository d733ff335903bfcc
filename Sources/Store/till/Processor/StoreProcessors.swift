import CommandOptions
import Foundation
import StoreDatabase
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import TestProcessor

/// The payment processors of a store that runs: the sandbox's is the test processor, production has one only if
/// configured.
struct StoreProcessors: Sendable {
    private let clients: [StoreEnvironment: TestProcessorClient]
    private let launchers: [TestProcessorLauncher]
    private let folders: [SocketFolder]

    /// Starts the processes without waiting for them: calls wait for a while for one that is being started.
    ///
    /// - Parameter shared: where processors run that this process uses and does not start.
    init(
        _ directory: DataDirectory, production: ProductionProcessor, shared: SharedProcessors? = nil,
        logFormat: LogFormat, log: Log
    ) throws {
        var clients: [StoreEnvironment: TestProcessorClient] = [:]
        var launchers: [TestProcessorLauncher] = []
        var folders: [SocketFolder] = []
        for environment in StoreEnvironment.allCases where environment == .sandbox || production == .test {
            let folder = ProcessorFolder(shared?.directory ?? directory, environment)
            if shared == nil { try folder.directory.make() }
            let sockets = try SocketFolder(folder.directory)
            // Only this process and its child need it, and both end together.
            let secret = try shared?.newsSecret ?? Hexadecimal.encode(try RandomBytes()(32))
            clients[environment] = try TestProcessorClient(
                socketPath: sockets.path(of: ProcessorFolder.socketName), secret: secret)
            if shared != nil {
                folders.append(sockets)
                continue
            }
            let options = [
                "--log-format", logFormat.rawValue,
                "--news-url", "http://till/\(environment.rawValue)/processor/v1/news",
                "--news-socket", "\(directory.path)/\(directory.adminSocketName)",
            ]
            launchers.append(
                TestProcessorLauncher(directory, environment, options: options, secret: secret, log: log))
            folders.append(sockets)
        }
        if production == .test {
            log.warning(
                "processor.pretended",
                "Production sells through the TEST processor: nobody pays anything. Never let customers in like this.")
        }
        self.clients = clients
        self.launchers = launchers
        self.folders = folders
    }

    /// The processor of an environment.
    subscript(environment: StoreEnvironment) -> any PaymentProcessor {
        if let client = clients[environment] { client } else { NoProcessor() }
    }

    /// Says so if a database was paid through another test processor before: what that one did is missing in the log of
    /// this one, so that the ledger is not in order.
    func compare(with databases: StoreDatabases, _ log: Log) async {
        for (environment, client) in clients {
            let place = LogValue.text(environment.rawValue)
            do {
                let identity = try await client.identity()
                let first = try await databases[environment].write { transaction in
                    // A restored backup has a processor of its own.
                    let epoch = try StoreProperty.epoch(in: transaction) ?? ""
                    return try StoreProperty.keepFirst(identity, as: "test-processor/\(epoch)", in: transaction)
                }
                guard first != identity else { continue }
                log.warning(
                    "processor.other",
                    "This database is paid through another test processor, so till ledger check will miss payments here and "
                        + "there. Let all servers use one: --processor-data FOLDER, the data directory of the server that "
                        + "runs it, or of till processor serve.", ["environment": place])
            } catch {
                log.warning(
                    "processor.silent", "The test processor does not answer.",
                    ["environment": place, "reason": "\(error)"])
            }
        }
    }

    /// Ends every process and every call to one.
    func stop() async {
        for client in clients.values { await client.shutDown() }
        for launcher in launchers { await launcher.stop() }
        withExtendedLifetime(folders) {}
    }
}

/// Test processors that another server runs, or `till processor serve`.
struct SharedProcessors: Sendable {
    /// The data directory of who runs them.
    let directory: DataDirectory
    /// What their notifications to this process are signed with; nil if they send none.
    let newsSecret: String?

    static let directoryOption = Option<String?>.optional(
        "processor-data", .directory(), environment: "TILL_PROCESSOR_DATA",
        help: "Use the test processors of this data directory, another server's, instead of starting any.")

    init?(_ arguments: ParsedArguments) {
        guard let path = arguments[Self.directoryOption] else { return nil }
        directory = DataDirectory(path)
        newsSecret = arguments[ProcessorOptions.newsSecret]
    }
}

/// The processor of production.
enum ProductionProcessor: String, CaseIterable, Sendable {
    /// None: production cannot sell.
    case none
    /// The test processor: to try a store before it goes into operation.
    case test
}

/// Where a test processor keeps its log and listens.
struct ProcessorFolder: Sendable {
    static let socketName = "processor.sock"

    let path: String

    init(_ directory: DataDirectory, _ environment: StoreEnvironment) {
        path = "\(directory.path)/processor/\(environment.rawValue)"
    }

    var logPath: String { path + "/effects.jsonl" }
    var directory: DataDirectory { DataDirectory(path) }

    /// Opens the log, after waiting for another process that has it to end.
    func open(waiting seconds: Int) async throws -> TestProcessorLogFile {
        try directory.make()
        var attempts = seconds * Self.attemptsPerSecond
        while true {
            let failure: TestProcessorLogError
            do throws(TestProcessorLogError) {
                return try TestProcessorLogFile(path: logPath)
            } catch {
                failure = error
            }
            guard failure.code == .busy, attempts > 0 else { throw failure }
            attempts -= 1
            try await Task.sleep(for: .seconds(1) / Self.attemptsPerSecond)
        }
    }

    private static let attemptsPerSecond = 50
}

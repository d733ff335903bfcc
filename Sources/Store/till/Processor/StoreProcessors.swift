import Foundation
import StoreLog
import StoreModel
import StoreService
import StoreSigning

/// The payment processors of a store that runs: the sandbox's is the test processor, production has one only if
/// configured.
struct StoreProcessors: Sendable {
    private let clients: [StoreEnvironment: TestProcessorClient]
    private let launchers: [TestProcessorLauncher]
    private let folders: [SocketFolder]

    /// Starts the processes without waiting for them: calls wait for a while for one that is being started.
    init(_ directory: DataDirectory, production: ProductionProcessor, logFormat: LogFormat, log: Log) throws {
        var clients: [StoreEnvironment: TestProcessorClient] = [:]
        var launchers: [TestProcessorLauncher] = []
        var folders: [SocketFolder] = []
        for environment in StoreEnvironment.allCases where environment == .sandbox || production == .test {
            let folder = ProcessorFolder(directory, environment)
            try folder.directory.make()
            let sockets = try SocketFolder(folder.directory)
            // Only this process and its child need it, and both end together.
            let secret = Hexadecimal.encode(try RandomBytes()(32))
            clients[environment] = try TestProcessorClient(
                socketPath: sockets.path(of: ProcessorFolder.socketName), secret: secret)
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

    /// Ends every process and every call to one.
    func stop() async {
        for client in clients.values { await client.shutDown() }
        for launcher in launchers { await launcher.stop() }
        withExtendedLifetime(folders) {}
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

import Foundation
import StoreBackend
import StoreHTTPListener
import StoreLog
import StoreModel
import StoreSigning

/// A developer's own server as a process of its own, which asks a sandbox on this machine for each receipt, and remembers no
/// verdicts. It logs warnings only.
///
/// `till-bench serve-backend FOLDER STORE-PORT` prints its port, serves until its input ends, and is not meant for people.
enum BackendProgram {
    static let word = "serve-backend"
    static let user = #"{"name":"lisa","password":"correct horse"}"#

    static func run(_ arguments: some Sequence<String>) -> Never {
        let arguments = Array(arguments)
        do {
            guard arguments.count == 2 else { throw BenchmarkError("a folder or a port is missing") }
            let listener = try FirstThread.wait { try await start(arguments[0], storePort: arguments[1]) }
            print(listener.endpoint.port ?? 0)
            fflush(nil)
            while readLine() != nil {}
        } catch {
            StandardError.print("till-bench \(word): \(error)")
            exit(1)
        }
        exit(0)
    }

    private static func start(_ folder: String, storePort: String) async throws -> HTTPListener {
        let app = try BundleID(parsing: StoreFolder.bundle)
        let store = StoreConnection(try StoreAddresses(production: nil, sandbox: "http://127.0.0.1:\(storePort)"))
        let backend = Backend(
            database: try .sqlite(path: folder + "/backend.sqlite"),
            verifier: try StoreVerifier(store, bundleIDs: [app]), settings: BackendSettings(bundleIDs: [app]))
        try await backend.prepare(at: BenchClock.start)
        let levels = try (1...StoreFiller.purchasesPerCustomer).map {
            ListedProduct(try ProductID(parsing: "\(app).level.\($0)"), kind: .nonConsumable)
        }
        try await backend.publish(ProductList(bundleID: app, products: levels), at: BenchClock.start)
        var limits = BackendServerLimits()
        (limits.requestsPerMinute, limits.accountsPerMinute, limits.proofsPerMinute) = (nil, nil, nil)
        let log = Log(least: .warning, time: BenchClock.now) { entry in
            StandardError.print(LogFormat.text.line(of: entry))
        }
        let clock = ContinuousClock()
        let began = clock.now
        let server = BackendServer(
            backend, limits: limits, version: "bench", log: log,
            sources: BackendServer.Sources(
                now: BenchClock.now,
                nanoseconds: {
                    let (seconds, fraction) = (clock.now - began).components
                    return seconds * 1_000_000_000 + fraction / 1_000_000_000
                }, random: RandomNumbers().next))
        return try HTTPListener(
            ListenerConfiguration(.tcp(port: 0), threads: BenchServer.threads), serving: server.service())
    }
}

/// Receipts that come to a developer's own server, whose books are empty each time: each is asked about and recorded.
final class RecordedReceipts: Contestant {
    private let store: ServerProcess
    private let bodies: String

    /// - Parameter bodies: the file of the proofs; more of them than are sent in one run.
    init(_ store: ServerProcess, bodies: String) {
        self.store = store
        self.bodies = bodies
    }

    func run(seconds: Double) throws -> Rate {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(backendIn: folder, store: store)
        let answer = try server.post("/v1/users", BackendProgram.user)
        guard let token = answer.firstMatch(of: /"token":"([^"]+)"/)?.1 else {
            throw BenchmarkError("nobody can sign in:\n\(answer)")
        }
        return try WrkContestant(
            server, "/v1/purchases", clients: 64, fields: ["Authorization: Bearer \(token)"], bodies: bodies
        ).run(seconds: seconds)
    }
}

import Foundation
import StoreHTTP
import StoreLog
import StoreModel
import StoreSigning
import Synchronization
import TestSupport
import Testing

@testable import StoreBackend

/// A whole server in memory, with one app, and a store that vouches for whatever is sent as paid.
final class ServerBench: Sendable {
    static let app = BundleID("com.example.magazines")!  // Safe: a constant that keeps to the rule.
    static let now = Instant(millisecondsSinceEpoch: 1_790_000_000_000)

    let backend: Backend
    let transport: InMemoryTransport
    let document: OpenAPIDocument
    private let folder: URL
    private let sink: LogSink

    init(limits: BackendServerLimits = BackendServerLimits()) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "server-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let settings = BackendSettings(bundleIDs: [Self.app])
        let database = try BackendDatabase.sqlite(path: folder.appending(path: "backend.sqlite").path())
        backend = Backend(
            database: database, verifier: TrustingVerifier(), settings: settings,
            library: try ContentLibrary(folder: folder.appending(path: "content").path()), users: nil,
            accounts: BackendAccounts(database: database, limits: settings.limits, scrypt: .quick))
        try await backend.prepare(at: Self.now)
        let sink = LogSink()
        let server = BackendServer(
            backend, limits: limits, version: "test", log: Log(time: { Self.now }, sink: sink.add),
            sources: BackendServer.Sources(
                now: { Self.now }, nanoseconds: { 0 }, random: { UInt64.random(in: .min ... .max) }))
        let (routes, document) = server.described([])
        self.document = document
        self.sink = sink
        transport = InMemoryTransport(
            server.service(of: routes.holdingToDescriptions()), clock: { Self.now.millisecondsSinceEpoch * 1_000_000 })
    }

    deinit {
        backend.database.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The events of the log, in their order.
    var events: [String] { sink.entries.map(\.event) }

    /// What the first entry of an event is about.
    func about(_ event: String) -> String? { sink.entries.first { $0.event == event }?.what }

    /// Everything that the log has, as text.
    var logText: String { sink.entries.map { "\($0)" }.joined() }

    /// Makes a list of one product with content and one that is credited.
    func furnish(content: String = "the first page, and all the others") async throws {
        let file = folder.appending(path: "may.pdf")
        try content.write(to: file, atomically: true, encoding: .utf8)
        _ = try await backend.addContent(file.path(), as: "may", version: "1.0", at: Self.now)
        let list = ProductList(
            bundleID: Self.app,
            products: [
                ListedProduct(product("may"), kind: .nonConsumable, content: "may"),
                ListedProduct(product("coins"), kind: .consumable, credit: Balance(name: "coins", amount: 5)),
            ])
        try await backend.publish(list, at: Self.now)
    }

    func product(_ name: String) -> ProductID {
        ProductID("\(Self.app).\(name)")!  // Safe: tests name products by letters.
    }

    /// Makes an account and returns its token.
    func signUp(_ name: String = "lisa") async throws -> String {
        let answer = try await send(
            .post("/v1/users", #"{"name":"\#(name)","password":"correct horse"}"#, as: "application/json"))
        #expect(answer.status == .created)
        return try answer.json(SignedInAnswer.self).token
    }

    /// A proof that the verifier takes: a signed transaction that nobody signed.
    func proof(_ name: String, transaction: Int64 = 2_000_000_000_000_001, quantity: Int = 1) throws -> String {
        let id = try TransactionID(number: transaction)
        let verified = VerifiedTransaction(
            environment: .sandbox, transactionID: id, originalTransactionID: id, bundleID: Self.app,
            productID: product(name), kind: name == "coins" ? .consumable : .nonConsumable, quantity: quantity,
            purchaseDate: Self.now, originalPurchaseDate: Self.now, statedAt: Self.now)
        return "e30.\(Base64.encode(try JSONEncoder().encode(verified), .url)).e30"
    }

    func send(_ request: TransportRequest, token: String? = nil) async throws -> Answer {
        var request = request
        if let token { request.fields["Authorization"] = "Bearer \(token)" }
        let response = try await transport.send(request)
        return Answer(status: response.status, fields: response.fields, body: try await response.body.collect())
    }

    /// Asks for content with a proof that is sent as it is.
    func requestContent(_ name: String, proof: String?, token: String?) async throws -> Answer {
        let path = "/v1/content/\(product(name))"
        guard let proof else { return try await send(TransportRequest("POST", path), token: token) }
        return try await send(.post(path, proof, as: "application/octet-stream"), token: token)
    }

    struct Answer {
        let status: HTTPStatus
        let fields: HTTPFields
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }

        func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try JSONDecoder().decode(type, from: Data(body))
        }

        /// The code of an error.
        var code: String? {
            struct Body: Decodable {
                struct Error: Decodable { let code: String }
                let error: Error
            }
            return try? json(Body.self).error.code
        }
    }
}

/// Keeps what is logged.
private final class LogSink: Sendable {
    private let kept = Mutex<[LogEntry]>([])

    var entries: [LogEntry] { kept.withLock { $0 } }

    @Sendable func add(_ entry: LogEntry) { kept.withLock { $0.append(entry) } }
}

/// Takes the middle part of a signed transaction for true.
private struct TrustingVerifier: PaymentVerifier {
    func verify(_ proof: ProofOfPayment, at now: Instant) async throws -> VerifiedPayment {
        let parts = String(decoding: proof.bytes, as: UTF8.self).split(separator: ".")
        guard parts.count == 3, let bytes = Base64.decode(parts[1], .url),
            let transaction = try? JSONDecoder().decode(VerifiedTransaction.self, from: Data(bytes))
        else { throw BackendError(.untrustedProof, "The proof is not genuine.") }
        return VerifiedPayment(
            environment: transaction.environment, bundleID: transaction.bundleID, transactions: [transaction])
    }
}

import Foundation
import StoreBackend
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreServer
import StoreService
import StoreSigning
import StoreTestSupport
import Testing

/// A whole store that a backend asks, with both of its environments, over memory: what ``SampleStore`` has.
struct AskedStore: Sendable {
    let store: SampleStore
    let key: StoreKey
    private let places: [StoreEnvironment: StoreConnection.Place]

    init() async throws {
        let sample = try await SampleStore()
        let privateKey = try PrivateKey.p256()
        let publicKey = try privateKey.publicKey.derRepresentation
        _ = try await sample.databases.catalogue.write { transaction in
            try transaction.execute(
                """
                INSERT INTO team (team_id, name, created_at, issuer_id)
                VALUES ('my-team', 'My team', 0, '00000000-0000-4000-8000-000000000001')
                """)
            try transaction.execute(
                """
                INSERT INTO api_key (id, team_id, name, public_key, created_at, actor)
                VALUES ('BACKENDKEY', 'my-team', 'backend', $1, 0, 'owner')
                """, publicKey)
        }
        var places: [StoreEnvironment: StoreConnection.Place] = [:]
        for environment in StoreEnvironment.allCases {
            let transport = try Self.transport(environment, sample.databases)
            places[environment] = .init(receipts: transport, serverAPI: transport, host: "store.example")
        }
        store = sample
        self.places = places
        key = try StoreKey(
            issuerID: "00000000-0000-4000-8000-000000000001", keyID: "BACKENDKEY",
            privateKey: privateKey.pemRepresentation())
    }

    private static func transport(
        _ environment: StoreEnvironment, _ databases: StoreDatabases
    ) throws -> InMemoryTransport {
        let now = { @Sendable in SampleProofs.now }
        let whole = try EnvironmentStore.sample(environment, of: databases, processor: NoProcessor(), wall: now)
        let log = Log(time: now, sink: { _ in })
        let other = try SampleKeys.of(environment == .sandbox ? .production : .sandbox)
        let receipts = VerifyReceiptRoutes(
            environment, try ReceiptVerification(SampleKeys.of(environment), other: other, databases), log: log,
            clocks: whole.clocks)
        let service = HTTPService(
            receipts.routes + ServerAPIRoutes(whole, log: log).routes, middleware: [], errors: JSONErrorForm(),
            report: { _, _ in })
        #expect(service.problems == [])
        return InMemoryTransport(service, clock: { 0 })
    }

    /// A connection of a backend to it.
    func connection(
        _ environments: Set<StoreEnvironment> = [.production, .sandbox], key: StoreKey? = nil
    ) -> StoreConnection {
        StoreConnection(
            places.filter { environments.contains($0.key) }, key: key,
            sharedSecrets: [.sandbox: SampleStore.secret, .production: SampleStore.productionSecret],
            wait: { _ in })
    }

    /// A verifier that asks it, about the app that is in it.
    func verifier(_ connection: StoreConnection) throws -> StoreVerifier {
        try StoreVerifier(
            connection, bundleIDs: [SampleProofs.bundleID()],
            roots: StoreEnvironment.allCases.map { try SampleProofs.pinned($0) })
    }

    /// The receipt of the app on device 3.
    func appReceipt(in environment: StoreEnvironment = .sandbox) async throws -> ProofOfPayment {
        let device = try DeviceID(number: 3)
        let receipt = try await store.databases[environment].read { transaction in
            try Receipts.appReceipt(
                of: device, in: environment, opaqueValue: [UInt8](repeating: 5, count: Receipts.opaqueBytes),
                at: SampleProofs.receiptAt, in: transaction)
        }
        return ProofOfPayment(.appReceipt, try SampleKeys.of(environment).receiptSigner().sign(receipt))
    }

    /// The receipt of a transaction.
    func transactionReceipt(of bought: StoreTransaction) async throws -> ProofOfPayment {
        let device = try DeviceID(number: 3)
        let receipt = try await store.databases.sandbox.read { transaction in
            try Receipts.transactionReceipt(of: bought, for: device, in: .sandbox, in: transaction)
        }
        return ProofOfPayment(
            .transactionReceipt, try SampleKeys.of(.sandbox).transactionReceiptSigner().sign(receipt))
    }

    /// A transaction as the store signed it when it was bought.
    func signed(_ bought: StoreTransaction) throws -> ProofOfPayment {
        let payload = bought.payload(in: .sandbox, appTransaction: nil, signedAt: SampleProofs.receiptAt)
        return SampleProofs.proof(try SampleProofs.signed(payload))
    }

    /// Gives the money for a transaction back.
    func refund(_ id: TransactionID, at instant: Instant) async throws {
        try await store.revoke(id, .appIssue, at: instant)
        _ = try await store.databases.sandbox.write { transaction in
            try transaction.execute(
                "UPDATE transaction_revision SET refunded_at = $2 WHERE transaction_id = $1", id, instant)
        }
    }
}

/// A processor that nobody asks.
private struct NoProcessor: PaymentProcessor {
    private static let none = ProcessorError(.refused, "There is no processor.")

    func authorise(_ order: AuthorisationRequest) async throws(ProcessorError) -> AuthoriseOutcome { throw Self.none }

    func capture(key: String, reference: String, amount: Money) async throws(ProcessorError) -> CaptureOutcome {
        throw Self.none
    }

    func void(key: String, reference: String) async throws(ProcessorError) { throw Self.none }

    func refund(key: String, reference: String, amount: Money) async throws(ProcessorError) -> RefundOutcome {
        throw Self.none
    }

    func lookup(key: String) async throws(ProcessorError) -> LookupOutcome { .nothing }

    func news(
        field: (String) -> String?, body: [UInt8], at time: Instant
    ) throws(ProcessorError) -> ProcessorNews { throw Self.none }
}

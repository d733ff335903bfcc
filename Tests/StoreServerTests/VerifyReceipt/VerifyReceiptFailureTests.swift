import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import StoreServer

@Suite("verifyReceipt while the store cannot", .bounded)
struct VerifyReceiptFailureTests {
    /// A database that fails in a way.
    private struct Failing: Database {
        let error: DatabaseError
        let engine = DatabaseEngine.sqlite

        func read<Result: Sendable>(
            _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
        ) async throws -> Result { throw error }

        func write<Result: Sendable>(
            isolation: TransactionIsolation, _ body: @escaping @Sendable (any WriteTransaction) throws -> Result
        ) async throws -> Result { throw error }

        func signals(on topic: SignalTopic) async throws -> AsyncStream<Signal> { throw error }

        func close() async {}
    }

    private static let kinds: [(DatabaseError.Code, Bool, String)] = [
        (.unavailable, true, #"{"status":21005}"#), (.queueFull, true, #"{"status":21005}"#),
        (.closed, false, #"{"status":21005}"#), (.inputOutput, false, #"{"status":21009}"#),
        (.full, false, #"{"status":21009}"#), (.outOfMemory, false, #"{"status":21009}"#),
        (.busy, false, #"{"status":21100,"is-retryable":true}"#),
        (.timeout, false, #"{"status":21100,"is-retryable":true}"#),
        (.interrupted, false, #"{"status":21100,"is-retryable":true}"#),
        (.transactionFailed, true, #"{"status":21100,"is-retryable":true}"#),
        (.corrupt, false, #"{"status":21199,"is-retryable":false}"#),
        (.schema, false, #"{"status":21199,"is-retryable":false}"#),
        (.unexpectedValue, false, #"{"status":21199,"is-retryable":false}"#),
    ]

    @Test("Each kind of failure is told as what it means for the caller: again, later, or never", arguments: kinds)
    func failures(_ code: DatabaseError.Code, _ isRetryable: Bool, _ expected: String) async throws {
        let verifying = try await VerifyingStore()
        try await verifying.store.add([SampleTransaction.consumable()])
        let receipt = try await verifying.appReceipt()
        let failing = Failing(error: DatabaseError(code, "the cause", isRetryable: isRetryable))
        let broken = StoreDatabases(
            catalogue: verifying.store.databases.catalogue, production: failing, sandbox: failing)
        let answer = try await verifying.verify(receipt, databases: broken)
        #expect(answer.httpStatus == 200 && answer.text == expected)
        #expect(answer.reason?.contains("the cause") == true)
    }

    @Test("A catalogue that fails is told too, where the secret is asked for; what needs no books needs none")
    func others() async throws {
        let verifying = try await VerifyingStore()
        let failing = Failing(error: DatabaseError(.unavailable, "the cause", isRetryable: true))
        let broken = StoreDatabases(catalogue: failing, production: failing, sandbox: failing)
        #expect(try await verifying.verify(verifying.appReceipt(), databases: broken).status == 0)
        try await verifying.store.add([SampleTransaction.subscription(1)])
        let receipt = try await verifying.appReceipt()
        let answer = try await verifying.verify(receipt, password: SampleStore.secret, databases: broken)
        #expect(answer.text == #"{"status":21005}"#)
    }

    @Test("Why a receipt is refused is told in the sandbox and by a store for development, and kept for its operator")
    func reasons() async throws {
        let verifying = try await VerifyingStore()
        let cases: [(StoreEnvironment, Bool?, Bool)] = [
            (.sandbox, nil, true), (.production, nil, false), (.production, true, true),
        ]
        for (environment, tells, isTold) in cases {
            let history = RequestHistory(hiding: .none, now: { VerifyingStore.now })
            let answer = try await verifying.send(
                Array("{}".utf8), to: environment, history: history, tellsReasons: tells)
            #expect(try answer.status == 21002)
            #expect((answer.reason != nil) == isTold, "\(environment) \(tells as Any)")
            let entry = try #require(await history.list(limit: 1).first)
            #expect(entry.code == "21002" && entry.message?.contains("receipt-data") == true)
        }
        // A window shows messages alone.
        let lines = verifying.log.entries.withLock { $0.map(\.message) }
        #expect(lines.count == 3 && lines.allSatisfy { $0.contains("21002: receipt-data") }, "\(lines)")
    }
}

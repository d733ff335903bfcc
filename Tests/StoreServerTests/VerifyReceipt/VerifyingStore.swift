import Foundation
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreSigning
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreServer

/// A store whose receipts are verified, over the transport in memory.
struct VerifyingStore: Sendable {
    let store: SampleStore
    let log = LogOfReasons()
    /// They live as long as the store, as those of a process that serves.
    private let verifications: [StoreEnvironment: ReceiptVerification]

    static let now = Instant(millisecondsSinceEpoch: 1_801_000_000_789)

    init() async throws {
        let store = try await SampleStore()
        self.store = store
        verifications = try Dictionary(
            uniqueKeysWithValues: StoreEnvironment.allCases.map { ($0, try Self.verification(in: $0, store.databases)) }
        )
    }

    private static func verification(
        in environment: StoreEnvironment, _ databases: StoreDatabases
    ) throws -> ReceiptVerification {
        let other = try SampleKeys.of(environment == .sandbox ? .production : .sandbox)
        return try ReceiptVerification(SampleKeys.of(environment), other: other, databases)
    }

    /// What came back: the text as it was, and as a dictionary.
    struct Answer {
        let httpStatus: Int
        let fields: HTTPFields
        let text: String

        var reason: String? { fields["Till-Reason"] }

        var json: [String: Any] {
            get throws { try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]) }
        }

        var status: Int {
            get throws { try #require(json["status"] as? Int) }
        }

        var receipt: [String: Any] {
            get throws { try #require(json["receipt"] as? [String: Any]) }
        }

        var purchases: [[String: Any]] {
            get throws { try #require(receipt["in_app"] as? [[String: Any]]) }
        }
    }

    /// Sends a body to the listener of an environment.
    func send(
        _ body: [UInt8], to environment: StoreEnvironment = .sandbox, method: String = "POST",
        type: String = "application/json", databases: StoreDatabases? = nil, history: RequestHistory? = nil,
        tellsReasons: Bool? = nil
    ) async throws -> Answer {
        let verification =
            if let databases { try Self.verification(in: environment, databases) } else {
                try #require(verifications[environment])
            }
        let log = log
        let routes = VerifyReceiptRoutes(
            environment, verification,
            log: Log(time: { Self.now }, sink: { entry in log.entries.withLock { $0.append(entry) } }),
            history: history, tellsReasons: tellsReasons,
            clocks: StoreClocks(commerce: { Self.now }, wall: { Self.now }))
        let service = HTTPService(
            routes.routes, middleware: history.map { [RequestKeeper($0)] } ?? [], errors: JSONErrorForm(),
            report: { _, _ in })
        #expect(service.problems == [])
        let transport = InMemoryTransport(service, clock: { 0 })
        let response = try await transport.send(
            TransportRequest(method, "/verifyReceipt", fields: ["Content-Type": type], body: .collected(body)))
        return Answer(
            httpStatus: response.status.rawValue, fields: response.fields,
            text: String(decoding: try await response.body.collect(), as: UTF8.self))
    }

    /// Sends a receipt as a server would.
    func verify(
        _ receipt: [UInt8], password: String? = nil, excludingOld: Bool? = nil,
        to environment: StoreEnvironment = .sandbox,
        databases: StoreDatabases? = nil
    ) async throws -> Answer {
        var members = [("receipt-data", "\"\(Base64.encode(receipt))\"")]
        if let password { members.append(("password", "\"\(password)\"")) }
        if let excludingOld { members.append(("exclude-old-transactions", "\(excludingOld)")) }
        let body = "{" + members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}"
        return try await send(Array(body.utf8), to: environment, databases: databases)
    }

    /// The app receipt of device 3, signed.
    func appReceipt(
        in environment: StoreEnvironment = .sandbox, signedBy keys: EnvironmentKeys? = nil,
        changing change: (inout AppReceipt) -> Void = { _ in }
    ) async throws -> [UInt8] {
        let device = try DeviceID(number: 3)
        var receipt = try await store.databases[environment].read { transaction in
            try Receipts.appReceipt(
                of: device, in: environment, opaqueValue: [UInt8](repeating: 5, count: Receipts.opaqueBytes),
                at: Instant(millisecondsSinceEpoch: 1_800_900_000_000), in: transaction)
        }
        change(&receipt)
        return try (keys ?? SampleKeys.of(environment)).receiptSigner().sign(receipt)
    }

    /// The receipt of a transaction in the form of iOS 6, signed.
    func transactionReceipt(
        of purchased: StoreTransaction, in environment: StoreEnvironment = .sandbox,
        signedBy keys: EnvironmentKeys? = nil
    ) async throws -> [UInt8] {
        let device = try DeviceID(number: 3)
        let receipt = try await store.databases[environment].read { transaction in
            try Receipts.transactionReceipt(of: purchased, for: device, in: environment, in: transaction)
        }
        return try (keys ?? SampleKeys.of(environment)).transactionReceiptSigner().sign(receipt)
    }
}

/// What the log said.
final class LogOfReasons: Sendable {
    let entries = Mutex<[LogEntry]>([])

    var reasons: [LogValue] {
        entries.withLock { $0.flatMap { $0.fields.filter { $0.name == "reason" }.map(\.value) } }
    }
}

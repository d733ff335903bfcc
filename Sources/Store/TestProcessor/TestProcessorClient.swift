import Foundation
import StoreHTTP
import StoreHTTPClient
package import StoreModel
package import StoreRules

/// The test processor, reached at its socket.
package struct TestProcessorClient: PaymentProcessor, TestBank {
    package let form = PaymentForm.choices(TestPaymentMethod.all.map { ($0.token, $0.title) })
    package var bank: (any TestBank)? { self }

    package func expectation(of method: String) -> PaymentExpectation { TestPaymentMethod.named(method).expectation }

    /// How long calls wait that could not be sent, while the processor is being started.
    private static let pause = Duration.milliseconds(20)
    private static let connections = 64
    private static let queue = 20_000

    private let client: HTTPClient
    private let socketPath: String
    private let signature: NewsSignature
    private let patience: Int

    /// - Parameters:
    ///   - socketPath: where the processor listens.
    ///   - timeout: how long a call may take before its outcome counts as unknown.
    ///   - patience: how long a processor is waited for that does not listen, because it is being started.
    ///   - secret: what news are signed with.
    package init(
        socketPath: String, timeout: Duration = .seconds(10), patience: Duration = .seconds(5), secret: String
    ) throws {
        var configuration = HTTPClientConfiguration(addresses: .everywhere)
        configuration.timeouts = ClientTimeouts(connect: timeout, idle: timeout, total: timeout)
        configuration.limits.connections = Self.connections
        configuration.limits.connectionsPerHost = Self.connections
        configuration.limits.idleConnections = Self.connections
        configuration.limits.queuedRequests = Self.queue
        client = HTTPClient(configuration)
        self.socketPath = socketPath
        self.patience = Int(patience / Self.pause)
        signature = try NewsSignature(secret: secret)
    }

    /// Ends every call that is under way.
    package func shutDown() async { await client.shutDown() }

    package func authorise(_ order: AuthorisationRequest) async throws(ProcessorError) -> AuthoriseOutcome {
        let body = JSONValue.members([
            "key": .string(order.key), "amount": .integer(Int(order.amount.minorUnits)),
            "currency": .string(order.amount.currency.code), "method": .string(order.method),
            "description": .string(order.description),
        ])
        guard case .authorise(let outcome) = try await call("authorise", order.key, body) else {
            throw Self.unreadable
        }
        return outcome
    }

    package func capture(
        key: String, reference: String, amount: Money
    ) async throws(ProcessorError) -> CaptureOutcome {
        guard case .capture(let outcome) = try await call("capture", key, Self.body(key, reference, amount)) else {
            throw Self.unreadable
        }
        return outcome
    }

    package func void(key: String, reference: String) async throws(ProcessorError) {
        guard case .voided = try await call("void", key, Self.body(key, reference, nil)) else {
            throw Self.unreadable
        }
    }

    package func refund(key: String, reference: String, amount: Money) async throws(ProcessorError) -> RefundOutcome {
        guard case .refund(let outcome) = try await call("refund", key, Self.body(key, reference, amount)) else {
            throw Self.unreadable
        }
        return outcome
    }

    package func lookup(key: String) async throws(ProcessorError) -> LookupOutcome {
        try await send(ClientRequest(.get, "http://processor/v1/lookup?key=\(PercentEncoding.encode(key))"))
    }

    package func news(
        field: (String) -> String?, body: [UInt8], at time: Instant
    ) throws(ProcessorError) -> ProcessorNews {
        try signature.check(field(NewsSignature.field), body, at: time)
        guard let message = try? JSONDecoder().decode(ProcessorNewsMessage.self, from: Data(body)),
            let outcome = message.result.meaning
        else { throw ProcessorError(.newsRefused, "The news have no form that this version knows.") }
        return ProcessorNews(id: message.id, key: message.key, outcome: outcome)
    }

    /// The name of the processor, which it has for as long as its log.
    package func identity() async throws -> String {
        try await inspect(ClientRequest(.get, "http://processor/v1/identity"), as: Identity.self).id
    }

    private struct Identity: Decodable {
        let id: String
    }

    package func act(on reference: String, completed: Bool) async throws(ProcessorError) {
        let body = JSONValue.members(["result": .string(completed ? "completed" : "failed")])
        let response = try await response(
            ClientRequest(
                .post, "http://processor/v1/actions/\(PercentEncoding.encode(reference))",
                fields: ["Content-Type": "application/json", "Idempotency-Key": reference], body: .bytes(body.bytes)))
        if response.status != .noContent { throw Self.refusal(response) }
    }
}

extension TestProcessorClient {
    private static let unreadable = ProcessorError(
        .unknown, "The processor's answer is none to this call; look the key up.")

    private static func body(_ key: String, _ reference: String, _ amount: Money?) -> JSONValue {
        .members([
            "key": .string(key), "reference": .string(reference),
            "amount": amount.map { .integer(Int($0.minorUnits)) }, "currency": amount.map { .string($0.currency.code) },
        ])
    }

    private func call(_ name: String, _ key: String, _ body: JSONValue) async throws(ProcessorError) -> LookupOutcome {
        // With a key the client may use a connection that is open, and send again what it cannot have sent.
        try await send(
            ClientRequest(
                .post, "http://processor/v1/\(name)",
                fields: ["Content-Type": "application/json", "Idempotency-Key": key], body: .bytes(body.bytes)))
    }

    private func send(_ request: ClientRequest) async throws(ProcessorError) -> LookupOutcome {
        let response = try await response(request)
        guard response.status == .ok else { throw Self.refusal(response) }
        guard let answer = try? JSONDecoder().decode(ProcessorAnswer.self, from: Data(response.body)),
            let outcome = answer.meaning
        else { throw Self.unreadable }
        return outcome
    }

    func response(_ request: ClientRequest) async throws(ProcessorError) -> ClientResponse {
        var request = request
        request.socketPath = socketPath
        var attempts = 0
        while true {
            do {
                return try await client.send(request)
            } catch let error as HTTPClientError {
                attempts += 1
                let isStarting = error.code == .unreachable && error.outcome == .notSent && attempts <= patience
                guard isStarting, (try? await Task.sleep(for: Self.pause)) != nil else { throw ProcessorError(error) }
            } catch {
                throw ProcessorError(.unknown, "The call to the processor ended: \(error)")
            }
        }
    }

    static func refusal(_ response: ClientResponse) -> ProcessorError {
        let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(response.body)).error
        let reason = refusal?.message ?? "status \(response.status.rawValue)"
        // Only what the processor itself refused has certainly not happened.
        guard let refusal, [400, 404, 409, 413].contains(response.status.rawValue) else {
            return ProcessorError(.unknown, "The processor could not answer: \(reason)")
        }
        let isReuse = refusal.code == TestProcessorRefusal.Code.keyReused.rawValue
        return ProcessorError(isReuse ? .keyReused : .refused, "The processor refused: \(reason)")
    }

    private struct Refusal: Decodable {
        struct Reason: Decodable {
            let code: String
            let message: String
        }

        let error: Reason
    }
}

extension ProcessorError {
    init(_ error: HTTPClientError) {
        let code: Code = error.outcome == .notSent ? .notSent : .unknown
        self.init(code, "The processor gave no answer: \(error.message)")
    }
}

/// The processor's own log, to hold the books of the store against.
extension TestProcessorClient: ProcessorBooks {
    package func movements(after place: String?, limit: Int) async throws -> ProcessorMovementPage {
        let after = place.flatMap { Int($0) } ?? 0
        let limit = min(limit, TestProcessorLimits.page)
        let page = try await inspect(
            ClientRequest(.get, "http://processor/v1/log?after=\(after)&limit=\(limit)"), as: LogPage.self)
        return ProcessorMovementPage(
            page.records.compactMap(Self.movement),
            next: page.records.count == limit ? page.records.last.map { String($0.number) } : nil)
    }

    package func movements(of keys: [String]) async throws -> [ProcessorMovement] {
        guard !keys.isEmpty else { return [] }
        let body = JSONValue.members(["keys": .array(keys.map(JSONValue.string))])
        let page = try await inspect(
            ClientRequest(
                .post, "http://processor/v1/records", fields: ["Content-Type": "application/json"],
                body: .bytes(body.bytes)), as: LogPage.self)
        return page.records.compactMap(Self.movement)
    }

    private struct LogPage: Decodable {
        let records: [TestProcessorRecord]
    }

    private func inspect<Answer: Decodable>(_ request: ClientRequest, as type: Answer.Type) async throws -> Answer {
        let response = try await response(request)
        guard response.status == .ok else { throw Self.refusal(response) }
        return try JSONDecoder().decode(type, from: Data(response.body))
    }

    private static func movement(_ record: TestProcessorRecord) -> ProcessorMovement? {
        guard let key = record.key, let amount = record.amount else { return nil }
        switch record.result {
        case .captured: return ProcessorMovement(key: key, kind: .captured, amount: amount)
        case .refunded: return ProcessorMovement(key: key, kind: .refunded, amount: amount)
        default: return nil
        }
    }
}

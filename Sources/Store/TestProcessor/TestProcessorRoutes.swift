package import StoreHTTP
import StoreModel
package import StoreRules

/// The test processor by HTTP.
package struct TestProcessorRoutes: Sendable {
    let processor: DurableTestProcessor
    private let late: Duration
    private let crash: @Sendable () -> Void
    private let acted: @Sendable () -> Void

    /// - Parameters:
    ///   - late: how long an answer takes that is to come too late.
    ///   - crash: ends the process at once.
    ///   - acted: hears that there are news for the store.
    package init(
        _ processor: DurableTestProcessor, late: Duration, crash: @escaping @Sendable () -> Void,
        acted: @escaping @Sendable () -> Void
    ) {
        self.processor = processor
        self.late = late
        self.crash = crash
        self.acted = acted
    }

    package var routes: [Route] { calls + inspection + scripts }

    private var calls: [Route] {
        [
            call("/v1/authorise") { try $0.decode(TestProcessorOrders.Authorise.self).call },
            call("/v1/capture") {
                let order = try $0.decode(TestProcessorOrders.Amount.self)
                return .capture(key: order.key, reference: order.reference, amount: order.money)
            },
            call("/v1/void") {
                let order = try $0.decode(TestProcessorOrders.Void.self)
                return .void(key: order.key, reference: order.reference)
            },
            call("/v1/refund") {
                let order = try $0.decode(TestProcessorOrders.Amount.self)
                return .refund(key: order.key, reference: order.reference, amount: order.money)
            },
            .post(
                "/v1/actions/{reference}", body: Self.body,
                suspending: { request in
                    let order = try request.decode(TestProcessorOrders.Action.self)
                    let reference = request.parameters.text("reference") ?? ""
                    _ = try await perform { processor throws(TestProcessorRefusal) in
                        try processor.act(on: reference, completed: order.result == .completed)
                    }
                    acted()
                    return HTTPResponse(.noContent)
                }),
        ]
    }

    private static let body = BodyPolicy.collected(limit: TestProcessorLimits.bodyBytes)

    private func call(
        _ pattern: RoutePattern, _ read: @escaping @Sendable (HTTPRequest) throws -> TestProcessorCall
    ) -> Route {
        .post(
            pattern, body: Self.body,
            suspending: { request in
                let call = try read(request)
                let reply = try await perform { [url = processor.actionURL] processor throws(TestProcessorRefusal) in
                    try processor.handle(call, actionURL: url)
                }
                return try await answer(reply)
            })
    }

    /// The answer to a call, or what is to go wrong with it.
    private func answer(_ reply: TestProcessorReply) async throws -> HTTPResponse {
        let answer = reply.outcome.map { HTTPResponse.json(ProcessorAnswer($0).json) }
        switch reply.fault {
        case nil, .refuse: return answer ?? Self.brokenOff
        case .lost, .lostWithoutEffect: return Self.brokenOff
        case .late, .lateWithoutEffect:
            try await Task.sleep(for: late)
            return answer ?? Self.brokenOff
        case .crash, .crashWithoutEffect:
            crash()
            return Self.brokenOff
        case .unavailable:
            throw APIError(.unavailable, code: "unavailable", "A script says that the processor is not available.")
        }
    }

    /// An answer that ends before it says how it went. It does begin, because clients send a request again by themselves
    /// when a connection that was open ends without a word, and would never notice.
    private static var brokenOff: HTTPResponse {
        let body = BodyStream()
        _ = body.write([UInt8(ascii: "{")], drained: {})
        body.fail(CancellationError())
        return HTTPResponse(.ok, body: .stream(length: 2, body))
    }

    private func perform(
        _ body: @escaping @Sendable (inout TestProcessorState) throws(TestProcessorRefusal) -> TestProcessorReply
    ) async throws -> TestProcessorReply {
        do {
            return try await processor.perform(body)
        } catch let refusal as TestProcessorRefusal {
            throw APIError(refusal)
        }
    }
}

extension APIError {
    init(_ refusal: TestProcessorRefusal) {
        let status: HTTPStatus =
            switch refusal.code {
            case .referenceUnknown: .notFound
            case .keyReused, .stateOther, .amountTooLarge, .currencyOther: .conflict
            // Not among those that a store takes for the end of a charge: it asks again under the same key.
            case .diskFull: .unavailable
            default: .badRequest
            }
        self.init(status, code: refusal.code.rawValue, refusal.message)
    }
}

/// What the routes of the test processor read.
enum TestProcessorOrders {
    struct Authorise: Codable {
        let key: String
        let amount: Int64
        let currency: Currency
        let method: String
        let description: String

        var call: TestProcessorCall {
            .authorise(
                AuthorisationRequest(
                    key: key, amount: Money(minorUnits: amount, currency: currency), method: method,
                    description: description))
        }
    }

    /// A capture or a refund.
    struct Amount: Codable {
        let key: String
        let reference: String
        let amount: Int64
        let currency: Currency

        var money: Money { Money(minorUnits: amount, currency: currency) }
    }

    struct Void: Codable {
        let key: String
        let reference: String
    }

    struct Action: Codable {
        enum Result: String, Codable { case completed, failed }

        let result: Result
    }
}

/// An outcome as the test processor writes it: the step, the word for what came of it, and what belongs to that.
package struct ProcessorAnswer: Hashable, Sendable, Codable {
    package var step: String?
    package var outcome: String
    package var reference: String?
    package var url: String?
    package var refusal: PaymentRefusal?

    private init(_ step: String?, _ outcome: String, reference: String? = nil, refusal: PaymentRefusal? = nil) {
        self.step = step
        self.outcome = outcome
        self.reference = reference
        self.refusal = refusal
    }

    package init(_ outcome: LookupOutcome) {
        switch outcome {
        case .nothing: self.init(nil, "nothing")
        case .authorise(.approved(let reference)): self.init("authorise", "approved", reference: reference)
        case .authorise(.declined(let refusal)): self.init("authorise", "declined", refusal: refusal)
        case .authorise(.actionNeeded(let reference, let url)):
            self.init("authorise", "action_needed", reference: reference)
            self.url = url
        case .capture(.captured(let reference)): self.init("capture", "captured", reference: reference)
        case .capture(.failed(let refusal)): self.init("capture", "failed", refusal: refusal)
        case .voided: self.init("void", "voided")
        case .refund(.refunded(let reference)): self.init("refund", "refunded", reference: reference)
        case .refund(.failed(let refusal)): self.init("refund", "failed", refusal: refusal)
        }
    }

    /// What it says; nil if it says nothing that is known.
    package var meaning: LookupOutcome? {
        switch (step, outcome, reference, refusal) {
        case (nil, "nothing", _, _): .nothing
        case ("authorise", "approved", let reference?, _): .authorise(.approved(reference: reference))
        case ("authorise", "declined", _, let refusal?): .authorise(.declined(refusal))
        case ("authorise", "action_needed", let reference?, _):
            url.map { .authorise(.actionNeeded(reference: reference, url: $0)) }
        case ("capture", "captured", let reference?, _): .capture(.captured(reference: reference))
        case ("capture", "failed", _, let refusal?): .capture(.failed(refusal))
        case ("void", "voided", _, _): .voided
        case ("refund", "refunded", let reference?, _): .refund(.refunded(reference: reference))
        case ("refund", "failed", _, let refusal?): .refund(.failed(refusal))
        default: nil
        }
    }

    var json: JSONValue {
        .members([
            "step": step.map { .string($0) }, "outcome": .string(outcome), "reference": reference.map { .string($0) },
            "url": url.map { .string($0) }, "refusal": refusal.map { .string($0.rawValue) },
        ])
    }
}

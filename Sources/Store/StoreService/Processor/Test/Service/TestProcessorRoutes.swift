package import StoreHTTP
import StoreModel

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
        _ body: @escaping @Sendable (inout TestProcessor) throws(TestProcessorRefusal) -> TestProcessorReply
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
            default: .badRequest
            }
        self.init(status, code: refusal.code.rawValue, refusal.message)
    }
}

package import StoreHTTP
import StoreModel
import StoreRules
package import StoreService

/// What customers ask money back for, and the decisions of those who look after the store.
package struct RefundRoutes: Sendable {
    private let store: EnvironmentStore
    private let decisions: RefundDecisions

    package init(_ store: EnvironmentStore) {
        self.store = store
        decisions = RefundDecisions(store)
    }

    private static let id = PathParameter<RefundRequestID>("id", rule: "the number of a refund request")
    private static let path = "/control/v1/refund-requests"

    package var routes: [Route] {
        [list, show, ask, withdraw, approve, decline, reverse, answer]
    }

    private var list: Route {
        .get("/control/v1/refund-requests", suspending: { try await list($0) })
            .described(
                "listRefundRequests", "What customers ask money back for, the oldest first.", tag: "refunds",
                parameters: [
                    .query(
                        "state", "Only those in this state; waiting are those that somebody has to decide.",
                        schema: .string(among: ["waiting"] + RefundRequest.State.allCases.map(\.rawValue)))
                ] + .page(by: .integer(minimum: 1)),
                answers: [.init(.ok, "A page of them.", .of(Page<RefundRequestReport>.self))])
    }

    private var show: Route {
        .get(
            "/control/v1/refund-requests/{id}",
            suspending: { request in
                try .json(RefundRequestReport(try await decisions.details(of: request[Self.id])))
            }
        )
        .described(
            "showRefundRequest", "A request with what has to be known to decide it.", tag: "refunds",
            parameters: [.path(Self.id, schema: .integer(minimum: 1))],
            answers: [.init(.ok, "The request.", .of(RefundRequestReport.self))], refusals: [.nameUnknown])
    }

    private var ask: Route {
        .post(
            "/control/v1/refund-requests",
            suspending: { request in
                let wanted = try request.decode(RefundQuestion.self)
                return try .json(
                    RefundRequestReport(
                        try await decisions.request(
                            wanted.transactionId, for: wanted.customer, because: wanted.reason, note: wanted.note,
                            store.cause(request.actor, request: request.name))))
            }
        )
        .described(
            "requestRefund", "Ask for a customer. Asking again before it is decided gives the same request.",
            tag: "refunds", body: .of(RefundQuestion.self),
            answers: [.init(.ok, "The request.", .of(RefundRequestReport.self))],
            refusals: [.transactionUnknown, .notPaid, .alreadyRevoked, .stateWrong])
    }

    private var withdraw: Route {
        .post(
            "/control/v1/refund-requests/{id}/withdrawal", body: BodyPolicy.none,
            suspending: { request in
                try .json(
                    RefundRequestReport(
                        try await decisions.withdraw(
                            request[Self.id], store.cause(request.actor, request: request.name))))
            }
        )
        .described(
            "withdrawRefundRequest",
            "Take it back for the customer, before it is decided. The same can be asked for again later.",
            tag: "refunds", parameters: [.path(Self.id, schema: .integer(minimum: 1))],
            answers: [.init(.ok, "The request.", .of(RefundRequestReport.self))], refusals: [.nameUnknown, .stateWrong])
    }

    private var approve: Route {
        .post("/control/v1/refund-requests/{id}/approval", suspending: { try await approve($0) })
            .described(
                "approveRefundRequest",
                "Give back all that is left, an amount, a share, or the unused share of a subscription's period.",
                tag: "refunds", parameters: [.path(Self.id, schema: .integer(minimum: 1))],
                body: .of(RefundApproval.self),
                answers: [.init(.ok, "The request.", .of(RefundRequestReport.self))],
                refusals: [.nameUnknown, .stateWrong, .notPaid, .alreadyRevoked, .refundTooLarge])
    }

    private var decline: Route {
        .post(
            "/control/v1/refund-requests/{id}/refusal",
            suspending: { request in
                let reason = try request.decode(RefundDecision.self).because
                return try .json(
                    RefundRequestReport(
                        try await decisions.decline(request[Self.id], because: reason, cause(request))))
            }
        )
        .described(
            "declineRefundRequest", "Give nothing back.", tag: "refunds",
            parameters: [.path(Self.id, schema: .integer(minimum: 1))], body: .of(RefundDecision.self),
            answers: [.init(.ok, "The request.", .of(RefundRequestReport.self))], refusals: [.nameUnknown, .stateWrong])
    }

    private var reverse: Route {
        .post(
            "/control/v1/refund-requests/{id}/reversal",
            suspending: { request in
                let reason = try request.decode(RefundDecision.self).because
                return try .json(
                    RefundRequestReport(
                        try await decisions.reverse(request[Self.id], because: reason, cause(request))))
            }
        )
        .described(
            "reverseRefund",
            "Take in that a dispute ended for the store: the money comes back, and the customer has the purchase again.",
            tag: "refunds", parameters: [.path(Self.id, schema: .integer(minimum: 1))],
            body: .of(RefundDecision.self),
            answers: [.init(.ok, "The request.", .of(RefundRequestReport.self))],
            refusals: [.transactionUnknown, .nameUnknown, .notPaid, .stateWrong])
    }

    private var answer: Route {
        .put("/control/v1/refund-requests/{id}/consumption", suspending: { try await answer($0) })
            .described(
                "sendConsumption",
                "Say for the developer what was delivered and consumed, within 12 hours of the request. Every answer is "
                    + "kept; the last counts.",
                tag: "refunds", parameters: [.path(Self.id, schema: .integer(minimum: 1))],
                body: .of(ConsumptionMessage.self),
                answers: [.init(.ok, "The request.", .of(RefundRequestReport.self))],
                refusals: [.limitReached, .nameUnknown, .tooLate, .stateWrong])
    }

    private func cause(_ request: HTTPRequest) -> ChangeCause { store.cause(request.actor, request: request.name) }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let name = request.target.query["state"]
        let states = try RefundRequest.State.named(name)
        let wanted = try PageRequest<RefundRequestID>(request)
        let found = try await decisions.list(in: states, after: wanted.after, limit: wanted.rows)
        return try .json(wanted.page(of: found, by: \.request.id) { RefundRequestReport($0) })
    }

    private func approve(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (id, wanted) = (try request[Self.id], try request.decode(RefundApproval.self))
        let choice = RefundChoice(
            amount: wanted.amount, percentage: wanted.percentage, prorated: wanted.prorated ?? false,
            revokes: wanted.revokes)
        return try .json(
            RefundRequestReport(try await decisions.approve(id, choice, because: wanted.because, cause(request))))
    }

    private func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (id, told) = (try request[Self.id], try request.decode(ConsumptionMessage.self))
        let consumption = try Consumption(
            customerConsented: told.customerConsented, sampleContentProvided: told.sampleContentProvided,
            deliveryStatus: told.deliveryStatus, consumptionPercentage: told.consumptionPercentage,
            refundPreference: told.refundPreference)
        return try .json(RefundRequestReport(try await decisions.answer(id, with: consumption, cause(request))))
    }
}

extension RefundRequest.State {
    /// The states of a filter; none for all.
    fileprivate static func named(_ name: String?) throws(APIError) -> Set<RefundRequest.State> {
        guard let name else { return [] }
        if name == "waiting" { return Set(allCases.filter(\.isWaiting)) }
        guard let state = Self(rawValue: name) else {
            throw APIError(
                .valueInvalid, "the state is waiting, \(allCases.map(\.rawValue).joined(separator: ", "))",
                parameter: "state")
        }
        return [state]
    }
}

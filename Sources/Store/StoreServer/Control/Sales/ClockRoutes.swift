import StoreCatalogue
package import StoreHTTP
import StoreModel
package import StoreService

/// The clocks of the sandbox and its testers, by those who look after the store.
package struct ClockRoutes: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    package var routes: [Route] {
        pair("/control/v1/clock", "", "the environment", parameters: [], refusals: []) { _ in nil }
            + pair(
                "/control/v1/customers/{customer}/clock", "OfCustomer", "a tester",
                parameters: [.path(CustomerRoutes.customer)], refusals: [.customerUnknown]
            ) { try $0[CustomerRoutes.customer] }
    }

    /// The routes of one clock; that of the environment has no tester.
    private func pair(
        _ path: String, _ suffix: String, _ owner: String, parameters: [OperationDocumentation.Parameter],
        refusals: [RefusalCode], _ tester: @escaping @Sendable (HTTPRequest) throws -> String?
    ) -> [Route] {
        let clocks = Clocks(store)
        return [
            .get(RoutePattern(path), suspending: { try .json(ClockReport(await clocks.show(tester($0)))) })
                .described(
                    "showClock" + suffix, "The clock of \(owner); production has none that could be controlled.",
                    tag: "clocks", parameters: parameters,
                    answers: [.init(.ok, "The clock.", .of(ClockReport.self))], refusals: refusals + [.sandboxOnly]),
            .patch(
                RoutePattern(path),
                suspending: { try .json(ClockReport(await change($0, clocks, tester($0)))) }
            )
            .described(
                "changeClock" + suffix, "Freeze the clock of \(owner), set it to a later time, or let it run faster.",
                tag: "clocks", parameters: parameters, body: .of(ClockChange.self),
                answers: [.init(.ok, "The clock.", .of(ClockReport.self))],
                refusals: refusals + [.sandboxOnly, .clockBusy, .confirmationMissing, .tooLate]),
            .post(
                RoutePattern(path + "/advances"),
                suspending: { try .json(ClockAdvanceReport(await advance($0, clocks, tester($0)))) }
            )
            .described(
                "advanceClock" + suffix,
                "Advance the clock of \(owner); the answer comes when all that became due by that has been done.",
                tag: "clocks", parameters: parameters, body: .of(ClockAdvanceRequest.self),
                answers: [.init(.ok, "What happened.", .of(ClockAdvanceReport.self))],
                refusals: refusals + [.sandboxOnly, .clockBusy, .confirmationMissing, .tooLate]),
            .get(
                RoutePattern(path + "/forecast"),
                suspending: { try .json(ClockForecastReport(await forecast($0, clocks, tester($0)))) }
            )
            .described(
                "forecastClock" + suffix, "What an advance of the clock of \(owner) would do; nothing is changed.",
                tag: "clocks",
                parameters: parameters + [
                    .query("by", "How far: \(ClockStep.rule)."), .query("to", "Or until when.", schema: Instant.schema),
                ],
                answers: [.init(.ok, "What would happen.", .of(ClockForecastReport.self))],
                refusals: refusals + [.sandboxOnly, .clockBusy]),
        ]
    }

    private func forecast(_ request: HTTPRequest, _ clocks: Clocks, _ tester: String?) async throws -> ClockForecast {
        switch (request.target.query["by"], try request.moment("to")) {
        case (let text?, nil): try await clocks.forecast(tester, by: Self.step(text))
        case (nil, let goal?): try await clocks.forecast(tester, to: goal)
        default: throw ServiceError(.valueInvalid, "an advance has either a step or an end", parameter: "by")
        }
    }

    private static func step(_ text: String) throws -> ClockStep {
        guard let step = ClockStep(text: text) else {
            throw ServiceError(.valueInvalid, "the step is \(ClockStep.rule)", parameter: "by")
        }
        return step
    }

    private func change(_ request: HTTPRequest, _ clocks: Clocks, _ tester: String?) async throws -> Clocks.Shown {
        let (wanted, cause) = (try request.decode(ClockChange.self), store.cause(request.actor, request: request.id))
        switch (wanted.time, wanted.rate) {
        case (let time?, nil):
            return try await clocks.set(tester, to: time, isConfirmed: wanted.confirmed ?? false, cause)
        case (nil, 0?): return try await clocks.freeze(tester, cause)
        case (nil, let rate?): return try await clocks.run(tester, at: rate, cause)
        default:
            try store.requireSandbox("production has no clock that could be controlled")
            throw ServiceError(.valueInvalid, "a change of a clock has either a time or a rate", parameter: "time")
        }
    }

    private func advance(_ request: HTTPRequest, _ clocks: Clocks, _ tester: String?) async throws -> ClockAdvance {
        let wanted = try request.decode(ClockAdvanceRequest.self)
        let isConfirmed = wanted.confirmed ?? false
        let cause = store.cause(request.actor, request: request.id)
        switch (wanted.by, wanted.to) {
        case (let text?, nil):
            return try await clocks.advance(tester, by: Self.step(text), isConfirmed: isConfirmed, cause)
        case (nil, let goal?):
            return try await clocks.advance(tester, to: goal, isConfirmed: isConfirmed, cause)
        default:
            throw ServiceError(.valueInvalid, "an advance has either a step or an end", parameter: "by")
        }
    }
}

import Foundation
import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// What customers ask money back for: the desk, and the page of one request.
struct RefundsSection: ConsoleSection {
    let services: ConsoleServices

    var routes: [Route] {
        [
            page("/refunds", for: .customers, .here, list),
            page("/refunds/{id}", for: .customers, .here) { try await RefundPage.response($0, id($0)) },
            page("/refunds/{id}/{act}", for: .customers, .here) {
                try await RefundPage.response($0, id($0), asking: $0.act())
            },
            form("/refunds/{id}/{act}", for: .customers, .here) {
                try await decide($0, $1)
            } else: {
                try await RefundPage.response($0, id($0), asking: $0.act())
            },
        ]
    }

    private static let number = PathParameter<RefundRequestID>("id", rule: "the number of a refund request")

    private func id(_ visit: ConsoleVisit) throws -> RefundRequestID { try visit.request[Self.number] }

    private func list(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let chosen = visit.query["state"].flatMap { RefundRequest.State(rawValue: $0) }
        let isAll = visit.query["state"] == "all"
        let states = isAll ? [] : chosen.map { [$0] } ?? Set(RefundRequest.State.allCases.filter(\.isWaiting))
        let after = visit.query["after"].flatMap { RefundRequestID($0) }
        let filter = ListFilter(visit, "/refunds", choices: ["state"])
        let rows = filter.rows
        let found =
            rows == 0
            ? []
            : try await RefundDecisions(visit.store).list(
                in: states, askedIn: filter.period, after: after, limit: rows + 1)
        var page = ConsolePage(visit: visit, title: "Refund requests", place: .refunds)
        page.lede =
            found.isEmpty && !filter.isNarrow
            ? "Nothing waits for a decision." : "What customers ask money back for, the oldest first."
        let word = isAll ? "all" : chosen?.rawValue ?? "waiting"
        page.alternatives = [
            .init(
                command: "refunds list --state \(word)",
                request: "/refund-requests" + (isAll ? "" : "?state=\(word)"))
        ]
        page.exported = "refund-requests"
        if filter.problem != nil { page.status = .badRequest }
        return try await page.response {
            filter.form(by: nil, days: "Asked") {
                filter.choice(
                    "state", "How they stand",
                    [("all", "All")] + RefundRequest.State.allCases.map { ($0.rawValue, $0.rawValue.capitalized) },
                    none: "Waiting for a decision")
            }
            DataTable(
                title: "Refund requests",
                columns: [
                    .optional("Asked"), .text("What"), .optional("Who"), .optional("Why"), .amount("Can be given back"),
                    .text("State"),
                ],
                rows: found.prefix(rows).map { row($0, visit) },
                empty: [p { "A request is here from the moment a customer asks until somebody decides." }],
                next: found.count > rows && rows > 0
                    ? filter.link(("after", "\(found[rows - 1].request.id)")) : nil
            ).element
        }
    }

    private func row(_ details: RefundDecisions.Details, _ visit: ConsoleVisit) -> [[any HTML]] {
        let request = details.request
        return [
            [ago(request.askedWall, visit.now)],
            [a(.href(visit.link("/refunds/\(request.id)"))) { dotted(details.transaction.productID.text) }],
            [
                a(.href(visit.link("/customers/\(request.customer)"))) {
                    details.customer?.email ?? "\(request.customer)"
                }
            ],
            [RefundSummary.reason(request.reason)], [visit.money(details.rest, in: details.transaction.storefront)],
            [request.state.tag],
        ]
    }

    private func decide(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let (id, decisions, because) = (try id(visit), RefundDecisions(visit.store), input["because"])
        switch try visit.act(RefundAct.self) {
        case .approval:
            let decided = try await decisions.approve(id, RefundFields.choice(input), because: because, visit.cause)
            if decided.request.state == .failed {
                let reason = decided.refund?.rules.failure ?? "it gave no reason"
                throw ServiceError(.stateWrong, "the processor refused: \(reason)")
            }
            return visit.link("/refunds/\(id)", done: decided.refund.map(Notice.of) ?? .refunded)
        case .refusal: _ = try await decisions.decline(id, because: because, visit.cause)
        case .withdrawal: _ = try await decisions.withdraw(id, visit.cause)
        case .reversal: _ = try await decisions.reverse(id, because: because, visit.cause)
        case .consumption:
            let told = try Consumption(
                customerConsented: input["customerConsented"] == "yes",
                sampleContentProvided: input["sampleContentProvided"] == "yes",
                deliveryStatus: ConsumptionDeliveryStatus(rawValue: input["deliveryStatus"]),
                consumptionPercentage: try ConsumptionShare.number(input["consumptionPercentage"]),
                refundPreference: input["refundPreference"].isEmpty
                    ? nil : ConsumptionRefundPreference(rawValue: input["refundPreference"]))
            _ = try await decisions.answer(id, with: told, visit.cause)
        }
        return visit.link("/refunds/\(id)", done: .changed)
    }
}

/// How much was consumed, as people type it: in percent.
enum ConsumptionShare {
    /// The share that was typed; nil for none.
    static func number(_ text: String) throws -> Int? {
        guard !text.isEmpty else { return nil }
        guard let parts = text.wholeMatch(of: /([0-9]{1,3})(?:[.,]([0-9]{1,3}))?/), let whole = Int(parts.1),
            let rest = Int((parts.2 ?? "").padding(toLength: 3, withPad: "0", startingAt: 0))
        else {
            throw ServiceError(
                .valueInvalid, "what was consumed is a percentage such as 50 or 12.5",
                parameter: "consumptionPercentage")
        }
        return whole * 1000 + rest
    }
}

extension RefundRequest.State {
    var tag: Element {
        let mood: Mood =
            switch self {
            case .asked: .warn
            case .failed: .bad
            case .refunded: .good
            case .approved, .declined, .withdrawn, .reversed: .calm
            }
        return StoreWeb.tag(mood, rawValue)
    }
}

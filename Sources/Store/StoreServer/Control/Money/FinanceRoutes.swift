import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// What was earned in an environment: for the store as a whole, and for each team of its own apps.
struct FinanceRoutes: Sendable {
    private let store: ControlStore

    init(_ store: ControlStore) {
        self.store = store
    }

    private static let tag = "money"
    private static let month = PathParameter<ReportMonth>("month", rule: "a month, like 2026-11") { ReportMonth($0) }

    var routes: [Route] {
        [
            .get("/control/v1/finance", suspending: { try await report($0) })
                .described(
                    "reportMoney", "What was taken, given back, kept and earned in a period, from the ledger.",
                    description: """
                        By app, product, storefront, day or month; days are those of GMT by the store's clock. A token of a \
                        team reads of its own apps. Currencies are never added up.
                        """,
                    tag: Self.tag,
                    parameters: [
                        .query(
                            "by", "What the sums are told apart by; app if it is missing.",
                            schema: .string(among: FinanceReport.Grouping.allCases.map(\.rawValue))),
                        .query("team", "Only of the apps of this team.", schema: TeamID.schema),
                    ] + .period,
                    answers: [.init(.ok, "The report.", .of(FinanceAnswer.self))], refusals: [.teamUnknown]),
            .get("/control/v1/teams/{teamId}/statements/{month}", suspending: { try await statement($0) })
                .described(
                    "readStatement", "What a team has earned in a month, by product, and the accounts that it equals.",
                    tag: Self.tag,
                    parameters: TeamRoutes.one + [
                        .path(Self.month, schema: .string(pattern: #"^\d{4}-(0[1-9]|1[0-2])$"#))
                    ],
                    answers: [.init(.ok, "The statement.", .of(StatementAnswer.self))], refusals: [.teamUnknown]),
        ]
    }

    private func report(_ request: HTTPRequest) async throws -> HTTPResponse {
        let by = request.target.query["by"] ?? FinanceReport.Grouping.app.rawValue
        guard let grouping = FinanceReport.Grouping(rawValue: by) else {
            throw APIError(
                .valueInvalid, "a report is by app, product, storefront, day or month", parameter: "by")
        }
        let team = try request.target.query["team"].map { text throws(APIError) in
            guard let team = TeamID(text) else {
                throw APIError(.valueInvalid, "this is the id of a team", parameter: "team")
            }
            return team
        }
        let scope = try await store.editing(request).financed(team)
        let report = try await store.finance.report(by: grouping, in: request.period(), of: scope)
        return try .json(FinanceAnswer(report, of: scope, in: store.environment))
    }

    private func statement(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (team, month) = (try request[TeamRoutes.teamID], try request[Self.month])
        let scope = try await store.editing(request).financed(team)
        return try .json(
            StatementAnswer(await store.finance.statement(of: scope, for: month), in: store.environment))
    }
}

extension ControlStore {
    /// What was earned in the environment.
    var finance: Finance { proceeds.finance(clock: sales?.clocks.commerce ?? now) }
}

extension [OperationDocumentation.Parameter] {
    /// The two ends of a period.
    static let period: [OperationDocumentation.Parameter] = [
        .query("from", "From this day on, in GMT by the store's clock; or a moment in milliseconds.", schema: end),
        .query("until", "Until this day, with it; or before a moment.", schema: end),
    ]

    /// Between which amounts.
    static let amounts: [OperationDocumentation.Parameter] = [
        .query("currency", "Only amounts in this currency.", schema: .of(Currency.self)),
        .query("amountFrom", "At least so much; needs the currency.", schema: amount),
        .query("amountTo", "At most so much; needs the currency.", schema: amount),
    ]

    private static let end = JSONSchema.string(
        example: "2026-11-25", pattern: #"^(\d{4}-\d{2}-\d{2}|0|-?[1-9]\d{0,14})$"#)
    private static let amount = JSONSchema.string(example: "1.99", pattern: #"^(0|[1-9]\d{0,14})(\.\d{1,4})?$"#)
}

extension HTTPRequest {
    /// The period that the query names.
    func period() throws -> ReportPeriod {
        try ReportPeriod(from: target.query["from"], until: target.query["until"])
    }

    /// Between which amounts the query wants something.
    func amounts() throws -> AmountRange {
        let query = target.query
        return try AmountRange(from: query["amountFrom"], to: query["amountTo"], in: query["currency"])
    }
}

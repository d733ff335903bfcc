import StoreHTTP
import StoreModel
import StoreService

/// The books of an environment, for those who look after the store.
struct LedgerRoutes: Sendable {
    private let store: EnvironmentStore

    init(_ store: EnvironmentStore) {
        self.store = store
    }

    private static let tag = "money"

    var routes: [Route] {
        [
            .post(
                "/control/v1/ledger/check", body: BodyPolicy.none,
                suspending: { _ in
                    try .json(LedgerCheckReport(await LedgerCheck.run(of: store)))
                }
            )
            .described(
                "checkLedger", "Hold the books against transactions, refunds and the processor.", tag: Self.tag,
                answers: [.init(.ok, "What came of it.", .of(LedgerCheckReport.self))]),
            .get("/control/v1/ledger/entries", suspending: { try await entries($0) })
                .described(
                    "listLedgerEntries", "The books, the oldest entry first.", tag: Self.tag,
                    parameters: .page(by: TransactionID.schema),
                    answers: [.init(.ok, "A page of them.", .of(Page<LedgerEntryReport>.self))]),
            .get("/control/v1/ledger/balances", suspending: { try await balances($0) })
                .described(
                    "listLedgerBalances", "What each account comes to in each currency, and that all sum to nothing.",
                    tag: Self.tag, parameters: .period,
                    answers: [.init(.ok, "The balances.", .of(LedgerBalancesAnswer.self))]),
            .get("/control/v1/ledger/postings", suspending: { try await postings($0) })
                .described(
                    "listLedgerPostings", "Single lines of the books, the oldest first.", tag: Self.tag,
                    parameters: [
                        .query("account", "Only of this account.", schema: .string(example: "commission")),
                        .query(
                            "kind", "Only of entries of this kind.",
                            schema: .string(among: Ledger.Kind.all.map(\.rawValue))),
                        .query("transaction", "Only about this transaction.", schema: TransactionID.schema),
                    ] + .period + .amounts
                        + .page(by: .string(example: "1204-2", pattern: #"^[1-9]\d{0,17}-[1-9]\d{0,4}$"#)),
                    answers: [.init(.ok, "A page of them.", .of(Page<LedgerPostingReport>.self))]),
        ]
    }

    private func entries(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try PageRequest<LedgerEntryID>(request)
        let found = try await Ledger.entries(after: wanted.after, limit: wanted.rows, of: store)
        return try .json(wanted.page(of: found, by: \.id, LedgerEntryReport.init))
    }

    private func balances(_ request: HTTPRequest) async throws -> HTTPResponse {
        let period = try request.period()
        return try .json(LedgerBalancesAnswer(await LedgerBalances(in: period, of: store), in: period))
    }

    private func postings(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try PageRequest<LedgerPostings.Place>(request)
        var search = LedgerPostings(limit: wanted.rows)
        search.isOldestFirst = true
        search.after = wanted.after
        search.period = try request.period()
        search.amount = try request.amounts()
        search.account = request.target.query["account"]
        search.kind = try request.target.query["kind"].map { text throws(APIError) in
            guard let kind = Ledger.Kind.all.first(where: { $0.rawValue == text }) else {
                throw APIError(.valueInvalid, "an entry is a sale, a refund or a reversal", parameter: "kind")
            }
            return kind
        }
        search.transaction = try request.target.query["transaction"].map { text throws(APIError) in
            guard let id = TransactionID(text) else {
                throw APIError(.valueInvalid, "this is the number of a transaction", parameter: "transaction")
            }
            return id
        }
        let found = try await search.list(of: store)
        return try .json(wanted.page(of: found, by: \.place, LedgerPostingReport.init))
    }
}

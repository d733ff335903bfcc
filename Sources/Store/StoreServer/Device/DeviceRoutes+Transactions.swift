import StoreHTTP
import StoreModel
import StoreService

extension DeviceRoutes {
    static let transaction = PathParameter<TransactionID>(
        "transactionId", rule: "the id of a transaction of the customer in this app"
    ) { TransactionID($0) }

    var transactionRoutes: [Route] {
        [
            .get("/device/v1/transactions", suspending: { try await list($0) })
                .described(
                    "listTransactions", "The customer's transactions in this app, as they stand now.", tag: "devices",
                    token: Self.scheme,
                    parameters: [
                        .query("only", "Those that were not finished.", schema: .string(among: ["unfinished"])),
                        .query("after", "The id of the last one seen.", schema: TransactionID.schema),
                    ], answers: [.init(.ok, "A page of them.", .of(TransactionsAnswer.self))], refusals: [.notSignedIn]),
            .post(
                "/device/v1/transactions/{transactionId}/finish", body: BodyPolicy.none,
                suspending: { request in
                    try await transactions.finish(request[Self.transaction], as: Self.token(request))
                    return HTTPResponse(.noContent)
                }
            )
            .described(
                "finishTransaction", "Say that the customer has got it. Saying it again changes nothing.",
                tag: "devices", token: Self.scheme,
                parameters: [.path(Self.transaction, schema: TransactionID.schema)],
                answers: [.init(.noContent, "It is finished.")], refusals: [.notSignedIn, .transactionUnknown]),
            .post("/device/v1/restorations", body: BodyPolicy.none, suspending: { try await restore($0) })
                .described(
                    "restore", "Bring back what the customer has: what is owned, and every period of subscriptions.",
                    tag: "devices", token: Self.scheme,
                    parameters: [
                        .query("after", "The `next` of the page before.", schema: TransactionID.schema)
                    ], answers: [.init(.created, "A page of what came back.", .of(RestorationAnswer.self))],
                    refusals: [.appBlocked, .appUnknown, .notSignedIn, .simulator]),
            .get(
                "/device/v1/entitlements",
                suspending: { request in
                    let (owned, scope) = try await transactions.entitlements(as: Self.token(request))
                    return try answer(EntitlementsAnswer(signedTransactions: owned.map { try sign($0, scope) }))
                }
            )
            .described(
                "listEntitlements", "What the customer is entitled to in this app now.", tag: "devices",
                token: Self.scheme,
                answers: [.init(.ok, "The newest transaction of each.", .of(EntitlementsAnswer.self))],
                refusals: [.notSignedIn]),
        ]
    }

    private var transactions: DeviceTransactions { DeviceTransactions(store) }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let query = request.target.query
        let selection: Transactions.Selection = query["only"] == "unfinished" ? .unfinished : .all
        guard query["only"] == nil || selection == .unfinished else {
            throw APIError(
                .valueInvalid, "This can be unfinished, or be left out.", parameter: "only")
        }
        let page = try await transactions.list(selection, after: Self.after(request), as: Self.token(request))
        let (found, scope) = (page.transactions, page.scope)
        return try answer(
            TransactionsAnswer(
                signedTransactions: found.map { try sign($0.transaction, scope) },
                unfinished: found.filter { !$0.isFinished }.map(\.transaction.id),
                restored: found.compactMap { listed in
                    listed.transaction.restoredID.map {
                        RestoredTransactionLink(transactionId: listed.transaction.id, restoredTransactionId: $0)
                    }
                },
                purchases: found.compactMap { listed in
                    // Where it is finished, no app waits for it any more.
                    guard let key = listed.key, !listed.isFinished else { return nil }
                    return PurchaseLink(transactionId: listed.transaction.id, purchaseKey: key)
                }, hasMore: page.hasMore, cursor: page.cursor.text))
    }

    /// The transaction after which a page begins.
    private static func after(_ request: HTTPRequest) throws -> TransactionID? {
        try request.target.query["after"].map { text throws in
            guard let id = TransactionID(text) else {
                throw APIError(
                    .valueInvalid, "This must be the id of a transaction.", parameter: "after")
            }
            return id
        }
    }

    private func restore(_ request: HTTPRequest) async throws -> HTTPResponse {
        let page = try await Restorations(store).restore(after: Self.after(request), as: Self.token(request))
        return try answer(
            RestorationAnswer(
                restored: page.restored.map { restored in
                    RestoredTransactionAnswer(
                        signedTransaction: try sign(restored.copy, page.scope),
                        originalSignedTransaction: try sign(restored.original, page.scope))
                }, next: page.next), status: .created)
    }
}

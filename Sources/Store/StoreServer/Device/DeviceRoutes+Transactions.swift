import StoreHTTP
import StoreModel
import StoreService

extension DeviceRoutes {
    /// The most transactions of one answer.
    static let transactionPage = 200

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
                    let id = try request[Self.transaction]
                    try await store.write(as: Self.token(request)) { scope, change in
                        try Transactions.finish(id, of: scope.requireCustomerScope(), on: scope.device, change)
                    }
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
                    let clocks = store.clocks
                    let (owned, scope) = try await store.read(as: Self.token(request)) { scope, transaction in
                        let commerce = clocks.now(by: scope.clock).commerce
                        let owned = try Transactions.entitlements(
                            of: scope.requireCustomerScope(), at: commerce, in: transaction)
                        return (owned, scope)
                    }
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

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let query = request.target.query
        let selection: Transactions.Selection = query["only"] == "unfinished" ? .unfinished : .all
        guard query["only"] == nil || selection == .unfinished else {
            throw APIError(
                .valueInvalid, "This can be unfinished, or be left out.", parameter: "only")
        }
        let after = try Self.after(request)
        let (limit, token) = (Self.transactionPage, try Self.token(request))
        func read() async throws -> ([Transactions.Listed], EventCursor, DeviceScope, elsewhere: [TransactionID]) {
            let silentSince = store.clocks.wall() - store.patience
            return try await store.read(as: token) { scope, transaction in
                let owner = try scope.requireCustomerScope()
                let page = try Transactions.list(
                    selection, of: owner, on: scope.device, silentSince: silentSince, after: after, limit: limit + 1,
                    in: transaction)
                // The events after this page tell of it only if it is offered then.
                let elsewhere =
                    after == nil
                    ? try Holding.elsewhere(for: owner, on: scope.device, silentSince: silentSince, in: transaction)
                    : []
                return (page, try CustomerEvents.end(of: owner, in: transaction), scope, elsewhere)
            }
        }
        var (found, cursor, scope, elsewhere) = try await read()
        let toTake = found.filter(\.isFree).map(\.transaction.id) + elsewhere
        if !toTake.isEmpty {
            let patience = store.patience
            try await store.write(as: token) { scope, change in try Holding.take(toTake, on: scope, patience, change) }
            // Another device may have been faster.
            (found, cursor, scope, elsewhere) = try await read()
            found.removeAll(where: \.isFree)
        }
        let page = found.prefix(limit)
        return try answer(
            TransactionsAnswer(
                signedTransactions: page.map { try sign($0.transaction, scope) },
                unfinished: page.filter { !$0.isFinished }.map(\.transaction.id),
                restored: page.compactMap { listed in
                    listed.transaction.restoredID.map {
                        RestoredTransactionLink(transactionId: listed.transaction.id, restoredTransactionId: $0)
                    }
                },
                purchases: page.compactMap { listed in
                    // Where it is finished, no app waits for it any more.
                    guard let key = listed.key, !listed.isFinished else { return nil }
                    return PurchaseLink(transactionId: listed.transaction.id, purchaseKey: key)
                }, hasMore: found.count > limit, cursor: cursor.text))
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

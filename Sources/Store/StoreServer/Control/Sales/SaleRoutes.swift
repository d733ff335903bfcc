package import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
import StoreSigning

/// Purchases and what came of them, by those who look after the store: everything a test needs without an app.
package struct SaleRoutes: Sendable {
    let store: EnvironmentStore
    let checkout: Checkout

    package init(_ store: EnvironmentStore) {
        self.store = store
        checkout = Checkout(store)
    }

    static let purchase = PathParameter<String>(
        "purchase",
        rule: "the number of a purchase or of its transaction, its code, the id of a request about it, or the word last"
    ) { $0.isEmpty ? nil : $0 }
    static let transaction = PathParameter<TransactionID>("transactionId", rule: "the number of a transaction") {
        TransactionID($0)
    }

    package var routes: [Route] {
        [
            .post("/control/v1/purchases", suspending: { try await buy($0) })
                .described(
                    "buy", "Buy something for a customer, in one call.", tag: "sales",
                    parameters: [
                        .header(
                            "Idempotency-Key", "A UUID; a repeated request with it buys nothing more.",
                            schema: PurchaseKey.schema)
                    ], body: .of(OperatorPurchaseRequest.self),
                    answers: [
                        .init(.created, "The purchase, as far as it came.", .of(PurchaseReport.self)),
                        .init(.ok, "There was a purchase with this key.", .of(PurchaseReport.self)),
                    ], refusals: .sale + [.customerUnknown]),
            .get("/control/v1/purchases", suspending: { try await listPurchases($0) })
                .described(
                    "listPurchases", "Purchases, the oldest first.", tag: "sales",
                    parameters: [
                        .ofCustomer, .query("waiting", "Only those that wait for the processor.", schema: .boolean()),
                    ] + .period + .amounts + .page(by: TransactionID.schema),
                    answers: [.init(.ok, "A page of them.", .of(Page<PurchaseReport>.self))],
                    refusals: [.customerUnknown]),
            .get("/control/v1/purchases/{purchase}", suspending: { try await showPurchase($0) })
                .described(
                    "explainPurchase", "A purchase and everything that happened to it.", tag: "sales",
                    parameters: [.path(Self.purchase)],
                    answers: [.init(.ok, "The purchase.", .of(PurchaseReport.self))], refusals: [.purchaseUnknown]),
            .post(
                "/control/v1/purchases/{purchase}/cancellation", body: BodyPolicy.none,
                suspending: { request in
                    try await report(checkout.cancel(named: request[Self.purchase], cause(request)))
                }
            )
            .described(
                "cancelAnyPurchase", "Say no for the customer.", tag: "sales",
                parameters: [.path(Self.purchase)],
                answers: [.init(.ok, "The purchase.", .of(PurchaseReport.self))],
                refusals: [.purchaseUnknown, .tooLate]),
            .post(
                "/control/v1/purchases/{purchase}/settlement", body: BodyPolicy.none,
                suspending: { request in
                    try await report(checkout.settleInterruption(of: request[Self.purchase], cause(request)))
                }
            )
            .described(
                "settlePurchase", "Settle what has interrupted a purchase.", tag: "sales",
                parameters: [.path(Self.purchase)],
                answers: [.init(.ok, "The purchase.", .of(PurchaseReport.self))],
                refusals: [.purchaseUnknown, .tooLate, .priceChanged]),
            .post(
                "/control/v1/purchases/{purchase}/void-settlement",
                suspending: { request in
                    let (name, order) = (try request[Self.purchase], try request.decode(VoidSettlementRequest.self))
                    let id = try await ChargeDriver(store).settleAsVoided(
                        name, because: order.because, cause(request))
                    return try .json(PurchaseReport(await lookup.sale(id)))
                }
            )
            .described(
                "settleVoid", "End a purchase whose money the processor does not let go of.", tag: "sales",
                parameters: [.path(Self.purchase)], body: .of(VoidSettlementRequest.self),
                answers: [.init(.ok, "The purchase.", .of(PurchaseReport.self))],
                refusals: [.purchaseUnknown, .tooLate, .stateWrong]),
            .post("/control/v1/approvals", suspending: { try await approve($0) })
                .described(
                    "approve", "Say yes or no to a purchase by its code.", tag: "sales",
                    body: .of(ApprovalRequest.self),
                    answers: [.init(.ok, "The purchase.", .of(PurchaseReport.self))],
                    refusals: [
                        .codeUnknown, .customerUnknown, .deviceUnknown, .notSignedIn, .notAllowed, .credentialsWrong,
                        .priceChanged, .tooLate, .noPaymentMethod, .testerSpent,
                    ]),
            .get("/control/v1/transactions", suspending: { try await listTransactions($0) })
                .described(
                    "listAllTransactions", "Transactions, the oldest first.", tag: "sales",
                    parameters: [.ofCustomer] + .period + .amounts + .page(by: TransactionID.schema),
                    answers: [.init(.ok, "A page of them.", .of(Page<TransactionReport>.self))],
                    refusals: [.customerUnknown]),
            .get(
                "/control/v1/transactions/last",
                suspending: { try await showNewestTransaction($0) }
            )
            .described(
                "showLastTransaction", "The newest transaction.", tag: "sales",
                answers: [.init(.ok, "The transaction.", .of(TransactionDetails.self))], refusals: [.transactionUnknown]
            ),
            .get("/control/v1/transactions/{transactionId}", suspending: { try await showTransaction($0) })
                .described(
                    "showTransaction", "A transaction, its purchase, refunds and bookings.", tag: "sales",
                    parameters: [.path(Self.transaction, schema: TransactionID.schema)],
                    answers: [.init(.ok, "The transaction.", .of(TransactionDetails.self))],
                    refusals: [.transactionUnknown]),
            .get("/control/v1/transactions/{transactionId}/receipt", suspending: { try await receipt($0) })
                .described(
                    "showAnyReceipt", "The receipt that an app of this customer has, for a test without an app.",
                    tag: "sales",
                    parameters: [
                        .path(Self.transaction, schema: TransactionID.schema),
                        .query(
                            "form", "That of iOS 6, for this transaction alone, or that of the app.",
                            schema: .string(among: ["app", "transaction"])),
                    ], answers: [.init(.ok, "In Base64.", .of(ReceiptAnswer.self))], refusals: [.transactionUnknown]),
            .post("/control/v1/transactions/{transactionId}/refund", suspending: { try await refund($0) })
                .described(
                    "refund", "Give back what was paid, or a part of it. Asking again gives the same refund.",
                    tag: "sales",
                    parameters: [
                        .path(Self.transaction, schema: TransactionID.schema),
                        .header(
                            "Idempotency-Key",
                            "A UUID, needed for a part; with the same one a part is given back once.",
                            schema: PurchaseKey.schema),
                    ],
                    body: .of(RefundOrder.self), answers: [.init(.ok, "The refund.", .of(RefundReport.self))],
                    refusals: [
                        .transactionUnknown, .notPaid, .alreadyRevoked, .refundTooLarge, .keyMissing, .keyReused,
                    ]),
            .post("/control/v1/transactions/{transactionId}/revocation", suspending: { try await revoke($0) })
                .described(
                    "revoke", "Take a transaction back without giving back what was paid.", tag: "sales",
                    parameters: [.path(Self.transaction, schema: TransactionID.schema)],
                    body: .of(RefundOrder.self),
                    answers: [.init(.ok, "The transaction.", .of(TransactionDetails.self))],
                    refusals: [.transactionUnknown, .alreadyRevoked, .tooLate]),
            .post(
                "/control/v1/transactions/{transactionId}/redelivery", body: BodyPolicy.none,
                suspending: { try await redeliver($0) }
            )
            .described(
                "redeliver", "Deliver a transaction once more.", tag: "sales",
                parameters: [.path(Self.transaction, schema: TransactionID.schema)],
                answers: [.init(.ok, "The transaction.", .of(TransactionDetails.self))],
                refusals: [.transactionUnknown, .alreadyRevoked]),
            .post(
                "/control/v1/transactions/{transactionId}/finish", body: BodyPolicy.none,
                suspending: { try await finish($0) }
            )
            .described(
                "finishAnyTransaction", "Finish a transaction for an app that does not.", tag: "sales",
                parameters: [.path(Self.transaction, schema: TransactionID.schema)],
                answers: [.init(.ok, "The transaction.", .of(TransactionDetails.self))], refusals: [.transactionUnknown]
            ),
        ]
    }

    private var lookup: SaleLookup { SaleLookup(store) }

    /// How a sale stands, with its history.
    func answer(_ sale: SaleStatus, status: HTTPStatus) async throws -> HTTPResponse {
        try await report(sale, status: status)
    }

    func cause(_ request: HTTPRequest) -> ChangeCause { store.cause(request.actor, request: request.name) }

    /// Sells something to a customer, in one call.
    private func buy(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try request.decode(OperatorPurchaseRequest.self)
        let selection = try Checkout.Selection(
            product: wanted.productId, quantity: wanted.quantity, accountToken: wanted.appAccountToken,
            offer: wanted.offerId.map(RequestedOffer.named))
        let key = try request.fields["Idempotency-Key"].map { _ in try DeviceRoutes.idempotencyKey(request) }
        let sold = try await checkout.sell(
            selection, to: wanted.customer, app: wanted.bundleId, key: key, cause(request))
        return try await report(sold.status, status: sold.isNew ? .created : .ok)
    }

    private func approve(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try request.decode(ApprovalRequest.self)
        return try await report(
            Approvals(store).answer(
                code: wanted.code, for: wanted.customer, isApproved: wanted.isApproved ?? true, cause(request)))
    }

    private func report(_ sale: SaleStatus, status: HTTPStatus = .ok) async throws -> HTTPResponse {
        try .json(PurchaseReport(await lookup.details(of: sale)), status: status)
    }

    private func listPurchases(_ request: HTTPRequest) async throws -> HTTPResponse {
        let name = request.target.query["customer"]
        let isWaiting = try request.flag("waiting")
        let wanted = try PageRequest<SaleID>(request)
        let found = try await lookup.list(
            ofCustomer: name, waiting: isWaiting, wantedIn: request.period(), for: request.amounts(),
            after: wanted.after, limit: wanted.rows)
        return try .json(wanted.page(of: found, by: \.id) { try PurchaseReport($0) })
    }

    private func showPurchase(_ request: HTTPRequest) async throws -> HTTPResponse {
        try .json(PurchaseReport(await lookup.sale(named: request[Self.purchase])))
    }
}

extension SaleRoutes {
    private var transactions: OperatorTransactions { OperatorTransactions(store) }

    func listTransactions(_ request: HTTPRequest) async throws -> HTTPResponse {
        let name = request.target.query["customer"]
        let wanted = try PageRequest<TransactionID>(request)
        let found = try await transactions.list(
            ofCustomer: name, boughtIn: request.period(), for: request.amounts(), after: wanted.after,
            limit: wanted.rows)
        return try .json(
            wanted.page(of: found, by: \.transaction.id) {
                TransactionReport($0.transaction, finishedAt: $0.finishedAt)
            })
    }

    func showTransaction(_ request: HTTPRequest) async throws -> HTTPResponse {
        try .json(TransactionDetails(try await transactions.details(of: request[Self.transaction])))
    }

    func showNewestTransaction(_ request: HTTPRequest) async throws -> HTTPResponse {
        try .json(TransactionDetails(try await transactions.newest()))
    }

    func receipt(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request[Self.transaction]
        guard let form = OperatorTransactions.ReceiptForm(rawValue: request.target.query["form"] ?? "app") else {
            throw APIError(
                .valueInvalid, "A receipt has the form app or transaction.", parameter: "form")
        }
        return try .json(ReceiptAnswer(receipt: Base64.encode(try await transactions.receipt(of: id, as: form))))
    }

    func refund(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (id, wanted) = (try request[Self.transaction], try request.decode(RefundOrder.self))
        let choice = RefundChoice(amount: wanted.amount, revokes: wanted.revokes)
        let hasKey = wanted.amount != nil || request.fields["Idempotency-Key"] != nil
        let key = hasKey ? try DeviceRoutes.idempotencyKey(request) : nil
        let refund = try await transactions.refund(id, choice, key: key, reason: wanted.known(), cause(request))
        return try .json(RefundReport(refund))
    }

    func revoke(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try request.decode(RefundOrder.self)
        guard wanted.amount == nil, wanted.revokes == nil else {
            throw APIError(
                .valueInvalid, "a revocation gives no money back; an amount is for a refund",
                parameter: wanted.amount == nil ? "revokes" : "amount")
        }
        let revoked = try await transactions.revoke(request[Self.transaction], reason: wanted.known(), cause(request))
        return try .json(TransactionDetails(revoked))
    }

    func redeliver(_ request: HTTPRequest) async throws -> HTTPResponse {
        try .json(TransactionDetails(try await transactions.redeliver(request[Self.transaction], cause(request))))
    }

    func finish(_ request: HTTPRequest) async throws -> HTTPResponse {
        try .json(TransactionDetails(try await transactions.finish(request[Self.transaction], cause(request))))
    }
}

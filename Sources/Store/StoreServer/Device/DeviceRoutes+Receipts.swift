import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

extension DeviceRoutes {
    var receiptRoutes: [Route] {
        [
            .get("/device/v1/receipt", suspending: { try await receipt($0) })
                .described(
                    "showReceipt", "The receipt of the app on this device, as it stands now.", tag: "devices",
                    token: Self.scheme,
                    parameters: [
                        .query("expired", "In the sandbox: one whose time has passed.", schema: Self.switchSchema),
                        .query(
                            "revoked", "In the sandbox: one whose purchases were revoked.", schema: Self.switchSchema
                        ),
                        .query(
                            "volumePurchase", "In the sandbox: one of a volume purchase.", schema: Self.switchSchema),
                    ], answers: [.init(.ok, "PKCS#7.", .of(ReceiptAnswer.self))]),
            .get(
                "/device/v1/transactions/{transactionId}/receipt",
                suspending: { request in
                    let (id, environment) = (try request[Self.transaction], store.environment)
                    let receipt = try await store.read(as: Self.token(request)) { scope, transaction in
                        try Receipts.transactionReceipt(
                            of: Transactions.require(id, of: scope.requireCustomerScope(), in: transaction),
                            for: scope.device, in: environment, in: transaction)
                    }
                    return try answer(
                        ReceiptAnswer(receipt: Base64.encode(store.signers.transactionReceipt.sign(receipt))))
                }
            )
            .described(
                "showTransactionReceipt", "The receipt of one transaction, in the form of iOS 6.", tag: "devices",
                token: Self.scheme,
                parameters: [.path(Self.transaction, schema: TransactionID.schema)],
                answers: [.init(.ok, "A property list.", .of(ReceiptAnswer.self))],
                refusals: [.notSignedIn, .transactionUnknown]),
            .post("/device/v1/receipts", suspending: { try await receipts($0) })
                .described(
                    "listReceipts", "The receipts of some transactions, in the form of iOS 6.", tag: "devices",
                    token: Self.scheme, body: .of(ReceiptsRequest.self),
                    answers: [
                        .init(
                            .ok, "Those of the customer's transactions; the others are left out.",
                            .of(ReceiptsAnswer.self))
                    ], refusals: [.notSignedIn]),
        ]
    }

    /// The receipts of what a restore or a page of events has brought, in one answer.
    private func receipts(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (ids, environment) = (try request.decode(ReceiptsRequest.self).transactionIds, store.environment)
        guard ids.count <= ReceiptsRequest.longest else {
            throw APIError(
                .badRequest, code: "too_many",
                "One request is for at most \(ReceiptsRequest.longest) transactions.", parameter: "transactionIds")
        }
        let found = try await store.read(as: Self.token(request)) { scope, transaction in
            let owner = try scope.requireCustomerScope()
            return try ids.compactMap { id in
                try Transactions.find(id, of: owner, in: transaction).map {
                    (
                        id,
                        try Receipts.transactionReceipt(
                            of: $0, for: scope.device, in: environment, in: transaction)
                    )
                }
            }
        }
        return try answer(
            ReceiptsAnswer(
                receipts: found.map { id, receipt in
                    TransactionReceiptAnswer(
                        transactionId: id, receipt: Base64.encode(try store.signers.transactionReceipt.sign(receipt)))
                }))
    }

    /// The receipt of the app as it stands now. It never asks anybody for anything: who is signed in is known.
    private func receipt(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (environment, clocks) = (store.environment, store.clocks)
        let opaque = try store.random(Receipts.opaqueBytes)
        let wanted = ReceiptProperties(
            isExpired: try Self.isOn("expired", request), isRevoked: try Self.isOn("revoked", request),
            isVolumePurchase: try Self.isOn("volumePurchase", request))
        var receipt = try await store.read(as: Self.token(request)) { scope, transaction in
            try Receipts.appReceipt(
                of: scope.device, in: environment, opaqueValue: opaque, at: clocks.now(by: scope.clock).commerce,
                in: transaction)
        }
        // Production makes only receipts that are true.
        if environment == .sandbox { wanted.apply(to: &receipt) }
        return try answer(ReceiptAnswer(receipt: Base64.encode(store.signers.receipt.sign(receipt))))
    }

    private static let switchSchema = JSONSchema.string(among: ["true", "false"])

    private static func isOn(_ name: String, _ request: HTTPRequest) throws -> Bool {
        switch request.target.query[name] {
        case nil, "false"?: false
        case "true"?: true
        default: throw APIError(.valueInvalid, "This is true or false.", parameter: name)
        }
    }
}

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
                    let id = try request[Self.transaction]
                    let receipt = try await DeviceReceipts(store).receipt(of: id, as: Self.token(request))
                    return try answer(ReceiptAnswer(receipt: Base64.encode(receipt)))
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
        let ids = try request.decode(ReceiptsRequest.self).transactionIds
        guard ids.count <= ReceiptsRequest.longest else {
            throw APIError(
                .badRequest, code: "too_many",
                "One request is for at most \(ReceiptsRequest.longest) transactions.", parameter: "transactionIds")
        }
        let found = try await DeviceReceipts(store).receipts(of: ids, as: Self.token(request))
        return try answer(
            ReceiptsAnswer(
                receipts: found.map { id, receipt in
                    TransactionReceiptAnswer(transactionId: id, receipt: Base64.encode(receipt))
                }))
    }

    private func receipt(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = ReceiptProperties(
            isExpired: try Self.isOn("expired", request), isRevoked: try Self.isOn("revoked", request),
            isVolumePurchase: try Self.isOn("volumePurchase", request))
        let receipt = try await DeviceReceipts(store).receipt(with: wanted, as: Self.token(request))
        return try answer(ReceiptAnswer(receipt: Base64.encode(receipt)))
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

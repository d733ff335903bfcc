import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreSigning

extension SaleRoutes {
    func listTransactions(_ request: HTTPRequest) async throws -> HTTPResponse {
        let name = request.target.query["customer"]
        let after = try Self.after(request) { TransactionID($0) }
        let found = try await store.database.read { transaction in
            try Transactions.list(
                of: try name.map { try Customers.named($0, in: transaction).id }, after: after, limit: Self.page + 1,
                in: transaction
            ).map {
                TransactionReport($0, finishedAt: try Transactions.finishedAt($0.id, in: transaction))
            }
        }
        return try .json(
            TransactionList(transactions: Array(found.prefix(Self.page)), hasMore: found.count > Self.page))
    }

    func showTransaction(_ request: HTTPRequest) async throws -> HTTPResponse {
        try .json(try await details(of: request[Self.transaction]))
    }

    func details(of id: TransactionID) async throws -> TransactionDetails {
        let (store, commerce) = (store, store.clocks.commerce())
        return try await store.database.read { transaction in
            guard let found = try Transactions.find(id, in: transaction) else {
                throw ServiceError(.transactionUnknown, "there is no transaction \(id)", parameter: "transactionId")
            }
            let purchase = try found.purchaseID.flatMap { try Purchases.find($0, in: transaction) }
            let device = try DeviceScope.of(found.deviceID, in: transaction)
            return TransactionDetails(
                transaction: TransactionReport(
                    found, finishedAt: try Transactions.finishedAt(id, in: transaction)),
                purchase: try purchase.map {
                    PurchaseReport($0, try Purchases.history(of: $0.id, in: transaction))
                },
                refunds: try Refunds.all(of: id, in: transaction).map(RefundReport.init),
                ledger: try Ledger.entries(about: id, in: transaction).map(LedgerEntryReport.init),
                signedTransaction: try store.signers.jws.sign(
                    encoding: found.payload(
                        in: store.environment, appTransaction: device?.appTransaction, signedAt: commerce),
                    at: commerce))
        }
    }

    func receipt(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request[Self.transaction]
        let form = request.target.query["form"] ?? "app"
        guard ["app", "transaction"].contains(form) else {
            throw APIError(
                .badRequest, code: "value_invalid", "A receipt has the form app or transaction.", parameter: "form")
        }
        let (environment, commerce) = (store.environment, store.clocks.commerce())
        let (opaque, signers) = (try store.random(Receipts.opaqueBytes), store.signers)
        let bytes = try await store.database.read { transaction in
            guard let found = try Transactions.find(id, in: transaction) else {
                throw ServiceError(.transactionUnknown, "there is no transaction \(id)", parameter: "transactionId")
            }
            if form == "transaction" {
                return try signers.transactionReceipt.sign(
                    Receipts.transactionReceipt(of: found, in: environment))
            }
            return try signers.receipt.sign(
                Receipts.appReceipt(
                    ofCustomerOf: found, in: environment, opaqueValue: opaque, at: commerce, in: transaction))
        }
        return try .json(ReceiptAnswer(receipt: Base64.encode(bytes)))
    }

    func refund(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request[Self.transaction]
        let reason = try request.decode(RefundRequest.self).known()
        return try .json(RefundReport(try await refunds.refund(id, reason: reason)))
    }

    func revoke(_ request: HTTPRequest) async throws -> HTTPResponse {
        let reason = try request.decode(RefundRequest.self).known()
        return try await changeTransaction(request) { id, transaction, commerce in
            guard try Refunds.all(of: id, in: transaction).allSatisfy({ $0.state != .refunding }) else {
                throw ServiceError(.tooLate, "the transaction is being refunded, which takes it back too")
            }
            try Refunds.revoke(id, reason: reason, at: commerce, in: transaction)
        }
    }

    func changeTransaction(
        _ request: HTTPRequest,
        _ change: @escaping @Sendable (TransactionID, any WriteTransaction, Instant) throws -> Void
    ) async throws -> HTTPResponse {
        let (id, commerce) = (try request[Self.transaction], store.clocks.commerce())
        try await store.database.write { try change(id, $0, commerce) }
        return try .json(try await details(of: id))
    }

    func ledger(_ request: HTTPRequest) async throws -> HTTPResponse {
        let after = try Self.after(request) { Int64($0) } ?? 0
        let found = try await store.database.read {
            try Ledger.entries(after: after, limit: Self.page + 1, in: $0)
        }
        return try .json(
            LedgerPage(
                entries: found.prefix(Self.page).map(LedgerEntryReport.init), hasMore: found.count > Self.page))
    }
}

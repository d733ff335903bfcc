import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

extension SaleRoutes {
    private var desk: TransactionDesk { TransactionDesk(store) }

    func listTransactions(_ request: HTTPRequest) async throws -> HTTPResponse {
        let name = request.target.query["customer"]
        let wanted = try PageRequest<TransactionID>(request)
        let found = try await store.database.read { transaction in
            try Transactions.list(
                of: try name.map { try Customers.named($0, in: transaction).id }, after: wanted.after,
                limit: wanted.rows, in: transaction
            ).map {
                TransactionReport($0, finishedAt: try Transactions.finishedAt($0.id, in: transaction))
            }
        }
        return try .json(wanted.page(of: found, by: \.transactionId) { $0 })
    }

    func showTransaction(_ request: HTTPRequest) async throws -> HTTPResponse {
        try .json(TransactionDetails(try await desk.details(of: request[Self.transaction])))
    }

    func showNewestTransaction(_ request: HTTPRequest) async throws -> HTTPResponse {
        try .json(TransactionDetails(try await desk.newest()))
    }

    func receipt(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request[Self.transaction]
        guard let form = TransactionDesk.ReceiptForm(rawValue: request.target.query["form"] ?? "app") else {
            throw APIError(
                .valueInvalid, "A receipt has the form app or transaction.", parameter: "form")
        }
        return try .json(ReceiptAnswer(receipt: Base64.encode(try await desk.receipt(of: id, as: form))))
    }

    func refund(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request[Self.transaction]
        let reason = try request.decode(RefundRequest.self).known()
        return try .json(RefundReport(try await refunds.refund(.full(reason), of: id, cause(request))))
    }

    func revoke(_ request: HTTPRequest) async throws -> HTTPResponse {
        let reason = try request.decode(RefundRequest.self).known()
        return try .json(
            TransactionDetails(try await desk.revoke(request[Self.transaction], reason: reason, cause(request))))
    }

    func redeliver(_ request: HTTPRequest) async throws -> HTTPResponse {
        try .json(TransactionDetails(try await desk.redeliver(request[Self.transaction], cause(request))))
    }

    func finish(_ request: HTTPRequest) async throws -> HTTPResponse {
        try .json(TransactionDetails(try await desk.finish(request[Self.transaction], cause(request))))
    }

    func ledger(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try PageRequest<Int64>(request)
        let found = try await store.database.read {
            try Ledger.entries(after: wanted.after ?? 0, limit: wanted.rows, in: $0)
        }
        return try .json(wanted.page(of: found, by: \.id, LedgerEntryReport.init))
    }
}

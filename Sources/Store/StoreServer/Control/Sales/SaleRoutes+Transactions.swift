import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

extension SaleRoutes {
    private var desk: TransactionDesk { TransactionDesk(store) }

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
        try .json(TransactionDetails(try await desk.details(of: request[Self.transaction])))
    }

    func showNewestTransaction(_ request: HTTPRequest) async throws -> HTTPResponse {
        try .json(TransactionDetails(try await desk.newest()))
    }

    func receipt(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request[Self.transaction]
        guard let form = TransactionDesk.ReceiptForm(rawValue: request.target.query["form"] ?? "app") else {
            throw APIError(
                .badRequest, code: "value_invalid", "A receipt has the form app or transaction.", parameter: "form")
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
        let after = try Self.after(request) { Int64($0) } ?? 0
        let found = try await store.database.read {
            try Ledger.entries(after: after, limit: Self.page + 1, in: $0)
        }
        return try .json(
            LedgerPage(
                entries: found.prefix(Self.page).map(LedgerEntryReport.init), hasMore: found.count > Self.page))
    }
}

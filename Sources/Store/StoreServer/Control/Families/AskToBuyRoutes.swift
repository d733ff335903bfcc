package import StoreHTTP
package import StoreModel
package import StoreService

/// Purchases that wait for an approval, as in Ask to Buy, by those who look after the store.
package struct AskToBuyRoutes: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    package var routes: [Route] {
        [
            .get("/control/v1/approvals", suspending: { try await list($0) })
                .described(
                    "listApprovals", "Purchases that wait for an approval, the oldest first.", tag: "families",
                    parameters: .page(by: TransactionID.schema),
                    answers: [.init(.ok, "A page of them.", .of(Page<ApprovalReport>.self))]),
            .post(
                "/control/v1/approvals/{purchase}/consent", body: BodyPolicy.none,
                suspending: { try await decide($0, isApproved: true) }
            )
            .described(
                "approvePurchase", "Say yes as the approver, whom it is charged to.", tag: "families",
                parameters: [.path(SaleRoutes.purchase)],
                answers: [.init(.ok, "The purchase.", .of(PurchaseReport.self))],
                refusals: [.codeUnknown, .purchaseUnknown, .tooLate, .priceChanged, .noPaymentMethod, .testerSpent]),
            .post(
                "/control/v1/approvals/{purchase}/refusal", body: BodyPolicy.none,
                suspending: { try await decide($0, isApproved: false) }
            )
            .described(
                "declinePurchase", "Say no as the approver.", tag: "families",
                parameters: [.path(SaleRoutes.purchase)],
                answers: [.init(.ok, "The purchase.", .of(PurchaseReport.self))],
                refusals: [.codeUnknown, .purchaseUnknown, .tooLate]),
        ]
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try PageRequest<PurchaseID>(request)
        let askToBuy = AskToBuy(store)
        let found = try await askToBuy.waiting(after: wanted.after, limit: wanted.rows)
        var pages: [PurchaseID: String] = [:]
        for one in found { pages[one.purchase.id] = "/approve/\(try await askToBuy.token(of: one.purchase.id))" }
        return try .json(
            wanted.page(of: found, by: \.purchase.id) { ApprovalReport($0, page: pages[$0.purchase.id] ?? "") })
    }

    private func decide(_ request: HTTPRequest, isApproved: Bool) async throws -> HTTPResponse {
        let sale = try await AskToBuy(store).decide(
            named: request[SaleRoutes.purchase], isApproved: isApproved,
            store.cause(request.actor, request: request.name))
        return try .json(PurchaseReport(await SaleLookup(store).details(of: sale)))
    }
}

/// A purchase that waits for an approval.
package struct ApprovalReport: Codable, Hashable, Sendable {
    package var purchaseId: PurchaseID
    package var customerId: CustomerID?
    package var customer: String
    /// Who would pay; absent where that is the customer.
    package var approverId: CustomerID?
    package var approver: String?
    package var bundleId: BundleID
    package var productId: ProductID
    package var quantity: Int
    package var total: MoneyReport
    /// The path of the page on which the approver decides.
    package var page: String
    package var expiresAt: Instant

    init(_ waiting: AskToBuy.Waiting, page: String) {
        let purchase = waiting.purchase
        purchaseId = purchase.id
        customerId = purchase.customer
        customer = waiting.asker
        approverId = purchase.approver
        approver = waiting.approver
        bundleId = purchase.bundle
        productId = purchase.item.product
        quantity = purchase.quantity
        total = MoneyReport(purchase.total)
        self.page = page
        expiresAt = purchase.expiresAt
    }
}

extension ApprovalReport: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["page": .string("Whoever knows it may decide in the sandbox where no family is asked.")]
    }
}

import StoreCatalogue
import StoreHTTP
package import StoreModel
import StoreRules
import StoreService

/// Offers as they concern customers, by those who look after the store: who may have which, and codes that are redeemed.
extension SaleRoutes {
    var offerRoutes: [Route] {
        [
            .get("/control/v1/customers/{customer}/offers", suspending: { try await listEligibility($0) })
                .described(
                    "listEligibility", "Which offers of an app are open to a customer, and why the others are not.",
                    tag: "sales",
                    parameters: [
                        .path(CustomerRoutes.customer),
                        .query("bundleId", "The app.", schema: BundleID.schema),
                        .query("productId", "Of this product only.", schema: ProductID.schema),
                    ], answers: [.init(.ok, "All of them.", .of(Page<EligibilityReport>.self))],
                    refusals: .product + [.customerUnknown]),
            .post("/control/v1/redemptions", suspending: { try await redeemCode($0) })
                .described(
                    "redeemCode", "Redeem a code for a customer, in one call.", tag: "sales",
                    parameters: [
                        .header(
                            "Idempotency-Key", "A UUID; a repeated request with it redeems nothing more.",
                            schema: PurchaseKey.schema)
                    ], body: .of(OperatorRedemptionRequest.self),
                    answers: [
                        .init(.created, "The purchase, as far as it came.", .of(PurchaseReport.self)),
                        .init(.ok, "There was a purchase with this key.", .of(PurchaseReport.self)),
                    ], refusals: .sale + [.customerUnknown, .codeUnknown, .codeSpent, .codeExpired]),
        ]
    }

    private func listEligibility(_ request: HTTPRequest) async throws -> HTTPResponse {
        let name = try request[CustomerRoutes.customer]
        let query = request.target.query
        guard let bundle = query["bundleId"].flatMap({ BundleID($0) }) else {
            throw APIError(.valueMissing, "The bundle id of an app.", parameter: "bundleId")
        }
        let product = try query["productId"].map { try ProductID(parsing: $0) }
        let found = try await OfferLookup(store).eligibility(of: name, app: bundle, product: product)
        return try .json(Page(found.map(EligibilityReport.init)))
    }

    private func redeemCode(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try request.decode(OperatorRedemptionRequest.self)
        let key = try request.fields["Idempotency-Key"].map { _ in try DeviceRoutes.idempotencyKey(request) }
        let sold = try await OfferCodeBatches(store).redeem(
            wanted.code, for: wanted.customer, app: wanted.bundleId, key: key, cause(request))
        return try await answer(sold.status, status: sold.isNew ? .created : .ok)
    }
}

/// Whether a customer may have an offer.
package struct EligibilityReport: Codable, Hashable, Sendable {
    package let productId: ProductID
    package let offerId: String
    package let kind: String
    package let isEligible: Bool
    /// Why, in words.
    package let reason: String
    /// What it would cost; missing where it has no price.
    package let price: MoneyReport?
    package let summary: String

    init(_ eligibility: OfferLookup.Eligibility) {
        productId = eligibility.product
        offerId = eligibility.offer.id
        kind = eligibility.offer.kind.rawValue
        isEligible = eligibility.verdict.isEligible
        reason = eligibility.verdict.reason
        price = eligibility.price.map(MoneyReport.init)
        summary = eligibility.offer.summary
    }
}

/// A code that is redeemed for a customer.
package struct OperatorRedemptionRequest: Codable, Hashable, Sendable {
    /// The number or the address of the account.
    package var customer: String
    package var bundleId: BundleID
    package var code: String

    package init(customer: String, bundleId: BundleID, code: String) {
        self.customer = customer
        self.bundleId = bundleId
        self.code = code
    }
}

package import StoreHTTP
package import StoreModel
import StoreService

/// Codes of offers, by their developers: each environment has its own.
struct OfferCodeRoutes: Sendable {
    private let batches: OfferCodeBatches
    private let store: EnvironmentStore

    init(_ store: EnvironmentStore) {
        batches = OfferCodeBatches(store)
        self.store = store
    }

    private static let app = CatalogueRoutes.app
    private static let batch = PathParameter<OfferCodeBatchID>("batchId", rule: "the number of a batch of codes")
    private static let one: [OperationDocumentation.Parameter] = [app, .path(batch, schema: .integer(minimum: 1))]

    var routes: [Route] {
        let path = "/control/v1/apps/{bundleId}/codes"
        return [
            .get(RoutePattern(path)) { request in
                let bundle = try request[CataloguePaths.bundleID]
                let now = try await batches.now()
                return try await .json(Page(batches.codes(app: bundle).map { CodeBatchMessage($0, at: now) }))
            }
            .described(
                "listCodes", "The codes of an app's offers, the newest batch first.", tag: CatalogueRoutes.tag,
                parameters: [Self.app], answers: [.init(.ok, "All batches.", .of(Page<CodeBatchMessage>.self))],
                refusals: [.appUnknown]),
            .post(RoutePattern(path)) { request in
                let (bundle, wanted) = (
                    try request[CataloguePaths.bundleID], try request.decode(CodesRequest.self)
                )
                let made = try await batches.makeCodes(wanted.newBatch(), app: bundle, request.cause(in: store))
                return try await answer(made.id, bundle, status: .created)
            }
            .described(
                "makeCodes", "Makes codes of an offer: many that are good once, or one that many can redeem.",
                tag: CatalogueRoutes.tag, parameters: [Self.app], body: .of(CodesRequest.self),
                answers: [.init(.created, "The batch with its codes.", .of(CodeBatchMessage.self))],
                refusals: .product + [.invalidOfferIdentifier, .nameTaken, .limitReached, .stateWrong]),
            .get(RoutePattern(path + "/{batchId}")) { request in
                try await answer(request[Self.batch], request[CataloguePaths.bundleID])
            }
            .described(
                "readCodes", "The codes of a batch.", tag: CatalogueRoutes.tag, parameters: Self.one,
                answers: [.init(.ok, "The batch with its codes.", .of(CodeBatchMessage.self))],
                refusals: [.appUnknown, .nameUnknown]),
            .post(RoutePattern(path + "/{batchId}/deactivation"), body: BodyPolicy.none) { request in
                let (id, bundle) = (try request[Self.batch], try request[CataloguePaths.bundleID])
                _ = try await batches.deactivate(id, app: bundle, request.cause(in: store))
                return try await answer(id, bundle)
            }
            .described(
                "deactivateCodes", "Lets no code of a batch be redeemed any more.", tag: CatalogueRoutes.tag,
                parameters: Self.one,
                answers: [.init(.ok, "The batch with its codes.", .of(CodeBatchMessage.self))],
                refusals: [.appUnknown, .nameUnknown]),
        ]
    }

    private func answer(_ id: OfferCodeBatchID, _ bundle: BundleID, status: HTTPStatus = .ok) async throws
        -> HTTPResponse
    {
        let (batch, codes) = try await batches.codes(of: id, app: bundle)
        return try await .json(CodeBatchMessage(batch, codes, at: batches.now()), status: status)
    }
}

/// What codes are wanted.
package struct CodesRequest: Codable, Hashable, Sendable {
    package var productId: ProductID
    package var offerId: String
    /// One that many can redeem; missing for one-time codes.
    package var custom: String?
    /// How many codes, or how many redemptions of the custom one.
    package var count: Int
    package var expiresAt: Instant?

    package init(productId: ProductID, offerId: String, custom: String?, count: Int, expiresAt: Instant?) {
        self.productId = productId
        self.offerId = offerId
        self.custom = custom
        self.count = count
        self.expiresAt = expiresAt
    }

    func newBatch() -> OfferCodeBatches.NewBatch {
        OfferCodeBatches.NewBatch(
            product: productId, offer: offerId, custom: custom, count: count, expiresAt: expiresAt)
    }
}

/// Codes that were made together.
package struct CodeBatchMessage: Codable, Hashable, Sendable {
    package struct Code: Codable, Hashable, Sendable {
        package let code: String
        package let used: Int
        package let most: Int
    }

    package let batchId: OfferCodeBatchID
    package let productId: ProductID
    package let offerId: String
    /// Of a batch that is one code for many.
    package let custom: String?
    package let total: Int
    package let used: Int
    package let createdAt: Instant
    package let expiresAt: Instant?
    package let isActive: Bool
    /// Why its codes are not good any more; missing while they are.
    package let obstacle: String?
    /// Only where one batch is asked for.
    package let codes: [Code]?

    init(_ batch: OfferCodes.Batch, _ codes: [OfferCodes.Code]? = nil, at now: Instant) {
        batchId = batch.id
        productId = batch.product
        offerId = batch.offer
        custom = batch.code
        total = batch.total
        used = batch.used
        createdAt = batch.createdAt
        expiresAt = batch.expiresAt
        isActive = batch.isActive
        obstacle = batch.obstacle(at: now)?.description
        self.codes = codes?.map { Code(code: $0.code, used: $0.used, most: $0.most) }
    }
}

extension CodesRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "custom": .string(
                "One code that many can redeem; without it one-time codes are made.",
                lengths: 1...OfferCodes.longestCustom),
            "count": .integer(
                "How many codes, or how many redemptions of the custom one.", minimum: 1,
                maximum: OfferCodes.mostRedemptions),
        ]
    }
}

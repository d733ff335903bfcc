import StoreHTTP
import StoreModel

/// Which products an app may offer.
extension BackendServer {
    static let appVersion = OperationDocumentation.Parameter.query(
        "appVersion", "The version of the app that asks; without it, that of the newest one.",
        schema: .string(example: "1.4", lengths: BackendServerLimits.appVersionLength))

    var productRoutes: [Route] {
        let app = OperationDocumentation.Parameter.path(BackendPaths.bundle, schema: BackendPaths.bundleSchema)
        return [
            .get("/v1/apps/{bundleId}/products", suspending: list)
                .described(
                    "listProducts", "The products that a version of an app may offer.",
                    description: "The answer has an ETag of exactly this list. The app asks the store for the prices.",
                    tag: "products",
                    parameters: [
                        app, Self.appVersion,
                        .header("If-None-Match", "The tag of the list that the app has."),
                    ],
                    answers: [
                        .init(.ok, "The list.", .json(.of(ProductListAnswer.self))),
                        .init(.notModified, "The app has this list already."),
                    ], refusals: [.unknownApp]),
            .post(
                "/v1/apps/{bundleId}/products/unknown", body: .collected(limit: limits.messageBytes),
                suspending: report
            )
            .described(
                "reportUnknownProducts", "Tell the developer which listed products the store did not know.",
                description: "Ids that are in no list are passed over.", tag: "products", parameters: [app],
                body: .of(UnknownProductsRequest.self), answers: [.init(.noContent, "It is noted.")],
                refusals: [.unknownApp]
            ).withExactBodies,
        ]
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let bundle = try request[BackendPaths.bundle]
        let list = try await backend.productList(of: bundle, appVersion: Self.appVersion(of: request))
        let answer = ProductListAnswer(
            bundleId: bundle, version: Int(list.version), products: list.products.map(\.message))
        var response = try HTTPResponse.json(answer)
        response.fields["ETag"] = EntityTag(list.entityTag).text
        response.fields["Cache-Control"] = "no-cache"
        log.listed(list, list.products.count, request)
        return response
    }

    private func report(_ request: HTTPRequest) async throws -> HTTPResponse {
        let bundle = try request[BackendPaths.bundle]
        let ids = try request.decode(UnknownProductsRequest.self).productIds
        guard BackendServerLimits.reportedProducts.contains(ids.count) else {
            throw BackendError(
                .invalidValue, "A report has 1 to \(BackendServerLimits.reportedProducts.upperBound) ids of products.",
                parameter: "productIds")
        }
        try await backend.reportUnknown(ids, of: bundle, at: now())
        return HTTPResponse(.noContent)
    }

    /// The version of the app that asks; nil if it does not say it.
    static func appVersion(of request: HTTPRequest) throws -> String? {
        guard let version = request.target.query["appVersion"] else { return nil }
        guard BackendServerLimits.appVersionLength.contains(version.utf8.count) else {
            throw BackendError(
                .invalidValue,
                "The version of an app has 1 to \(BackendServerLimits.appVersionLength.upperBound) characters.",
                parameter: "appVersion")
        }
        return version
    }
}

extension ListedProduct {
    /// The product as apps are told of it.
    var message: OfferedProduct {
        var message = OfferedProduct(productId: productID, kind: kind, title: title)
        message.balance = credit?.name
        message.amount = credit?.amount
        message.content = content
        message.contentVersion = contentVersion
        message.contentBytes = contentBytes
        message.includedIn = includedIn
        message.minimumPeriod = minimumPeriod
        message.minimumPeriodReason = minimumPeriodReason
        return message
    }
}

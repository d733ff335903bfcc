import StoreCatalogue
import StoreFoundation
import StoreHTTP
import StoreModel
import StoreService

extension CatalogueRoutes {
    /// The pictures of products.
    var imageRoutes: [Route] {
        let path = RoutePattern("/control/v1/apps/{bundleId}/products/{productId}/images/{imageKind}")
        let kind = OperationDocumentation.Parameter.path(
            Self.imageKind, schema: .string(among: ProductImage.Kind.known.map(\.rawValue).sorted()))
        let picture = OperationDocumentation.Body.text("image/*")
        return [
            .get(path, suspending: image)
                .described(
                    "readImage", "A picture of a product.", tag: Self.tag, parameters: Self.product + [kind],
                    answers: [.init(.ok, "The picture.", picture)], refusals: .product + [.nameUnknown]),
            .put(path, body: .collected(limit: ProductImages.mostBytes), suspending: putImage)
                .documented(
                    OperationDocumentation(
                        id: "putImage",
                        summary: "Gives a product a picture: a PNG or a JPEG. Production shows it once it is approved.",
                        tag: Self.tag,
                        parameters: Self.product + [kind, Self.approved], body: picture,
                        responses: [
                            .init(.ok, "The product.", .json(.of(CatalogueDetailsAnswer.self))),
                            .init(.badRequest, "It is no picture that will do.", .error),
                            .init(.notFound, "There is no such product.", .error),
                            .init(.contentTooLarge, "It is too large.", .error),
                            .init(.unavailable, "No folder for pictures is open.", .error),
                        ])
                ).refusing(.product + [.valueInvalid, .limitReached]),
            product(
                .delete(path) { request in
                    let kind = try request[Self.imageKind]
                    return try await answer(store.editing(request).removeImage(kind, of: request.product))
                }, "removeImage", "Takes a product a picture.", kind),
        ]
    }

    private static let imageKind = PathParameter<ProductImage.Kind>(
        "imageKind", rule: "promotional or review_screenshot"
    ) {
        let kind = ProductImage.Kind(rawValue: $0)
        return kind.isKnown ? kind : nil
    }

    private static let noBlobs = APIError(
        .unavailable, code: "blobs_missing", "No folder for pictures is open in this process.")

    private func image(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (image, bytes) = try await store.editing(request).image(
            request[Self.imageKind], of: request.product, from: store.blobs.require(or: Self.noBlobs))
        return HTTPResponse(.ok, bytes, as: image.mediaType)
    }

    private func putImage(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (kind, isApproved) = (try request[Self.imageKind], try request.flag("approved"))
        return try await answer(
            store.editing(request).putImage(
                request.body.bytes, as: kind, of: request.product, isApproved: isApproved,
                in: store.blobs.require(or: Self.noBlobs)))
    }
}

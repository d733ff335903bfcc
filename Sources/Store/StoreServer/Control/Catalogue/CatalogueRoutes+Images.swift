import StoreCatalogue
import StoreDatabase
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
                    return try await change(request) { try ProductImages.remove(kind, of: $0, $1, in: $2) }
                }, "removeImage", "Takes a product a picture.", kind),
        ]
    }

    private static let imageKind = PathParameter<ProductImage.Kind>(
        "imageKind", rule: "promotional or review_screenshot"
    ) {
        let kind = ProductImage.Kind(rawValue: $0)
        return kind.isKnown ? kind : nil
    }

    private func images(_ request: HTTPRequest) async throws -> [ProductImage] {
        let (app, id) = (try request[CataloguePaths.bundleID], try request[CataloguePaths.productID])
        return try await store.databases.catalogue.read { transaction in
            try Catalogue.details(of: Self.product(id, of: app, in: transaction), in: transaction).newestImages
        }
    }

    private func openBlobs() throws -> any BlobStore {
        guard let blobs = try store.blobs() else {
            throw APIError(.unavailable, code: "blobs_missing", "No folder for pictures is open in this process.")
        }
        return blobs
    }

    private func image(_ request: HTTPRequest) async throws -> HTTPResponse {
        let kind = try request[Self.imageKind]
        guard let found = try await images(request).first(where: { $0.kind == kind }) else {
            throw CatalogueError(.nameUnknown, "the product has no such image", field: "image")
        }
        let blobs = try openBlobs()
        let bytes = try await OwnThread.run(named: "images") { try blobs.read(found.blob, 0..<Int64(found.bytes)) }
        return HTTPResponse(.ok, bytes, as: found.mediaType)
    }

    private func putImage(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (kind, bytes) = (try request[Self.imageKind], request.body.bytes)
        let head = try ProductImage.Head(of: bytes)
        let blobs = try openBlobs()
        // The picture is there before anything says so; one that nothing says is no harm.
        let blob = try await OwnThread.run(named: "images") { try blobs.keep(bytes) }
        try await BlobRemoval.hold([blob], in: blobs, of: store.databases.catalogue, at: store.now())
        let isApproved = try request.flag("approved")
        return try await change(request) {
            try ProductImages.put(
                blob, head, bytes: bytes.count, as: kind, of: $0, isApproved: isApproved, $1, in: $2)
        }
    }
}

import StoreCatalogue
import StoreFoundation
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

/// The content that the store hosts for products, by HTTP: uploads part by part, and the versions that came of them.
struct ContentRoutes: Sendable {
    let store: ControlStore

    init(_ store: ControlStore) {
        self.store = store
    }

    private static let tag = "content"
    private static let one = "/control/v1/apps/{bundleId}/products/{productId}/content"
    private static let number = PathParameter<Int>("number", rule: "the number of a version of the content, from 1 on")
    {
        numberText($0)
    }
    private static let upload = PathParameter<Int>("uploadId", rule: "the id of an upload") { numberText($0) }
    private static let part = PathParameter<Int>("partNumber", rule: "the number of a part, from 1 on") {
        numberText($0)
    }
    private static let numberSchema = JSONSchema.integer(minimum: 1, maximum: HostingLimits.versions)

    private static func numberText(_ text: String) -> Int? {
        guard text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text).flatMap { $0 > 0 ? $0 : nil }
    }

    var routes: [Route] { versionRoutes + uploadRoutes }

    private var versionRoutes: [Route] {
        let number = OperationDocumentation.Parameter.path(Self.number, schema: Self.numberSchema)
        return [
            .get(RoutePattern(Self.one), suspending: list)
                .described(
                    "listContent", "The versions of the hosted content of a product, the newest upload first.",
                    tag: Self.tag, parameters: CatalogueRoutes.product,
                    answers: [.init(.ok, "All of them.", .of(Page<ContentVersionAnswer>.self))], refusals: .product),
            .get(RoutePattern(Self.one + "/{number}"), suspending: read)
                .described(
                    "readContentVersion", "One version, with its table of contents.", tag: Self.tag,
                    parameters: CatalogueRoutes.product + [number],
                    answers: [.init(.ok, "It.", .of(ContentVersionAnswer.self))], refusals: .product + [.nameUnknown]),
            .post(RoutePattern(Self.one + "/{number}/withdrawal"), body: BodyPolicy.none, suspending: withdraw)
                .described(
                    "withdrawContent", "Takes back a version that was not approved.", tag: Self.tag,
                    parameters: CatalogueRoutes.product + [number],
                    answers: [.init(.ok, "It.", .of(ContentVersionAnswer.self))],
                    refusals: .product + [.nameUnknown, .stateWrong]),
            .get(RoutePattern(Self.one + "/{number}/archive"), suspending: archive)
                .documented(
                    OperationDocumentation(
                        id: "readContentArchive", summary: "What customers get of a version: a zip, or a range of it.",
                        tag: Self.tag, parameters: CatalogueRoutes.product + [number],
                        responses: [
                            .init(.ok, "All of it.", .text("application/zip")),
                            .init(.partialContent, "The range.", .text("application/zip")),
                            .init(.notFound, "There is no such version, or its bytes are not kept.", .error),
                        ])
                ).refusing(.product + [.nameUnknown]),
        ]
    }

    private var uploadRoutes: [Route] {
        let uploads = Self.one + "/uploads"
        let id = OperationDocumentation.Parameter.path(Self.upload, schema: Self.numberSchema)
        let part = OperationDocumentation.Parameter.path(Self.part, schema: .integer(minimum: 1, maximum: 1_000_000))
        return [
            .post(RoutePattern(uploads), suspending: begin)
                .described(
                    "beginContentUpload", "Announces a package, or finds the upload of the same package.",
                    tag: Self.tag,
                    parameters: CatalogueRoutes.product, body: .of(ContentUploadRequest.self),
                    answers: [
                        .init(.created, "A new upload.", .of(ContentUploadAnswer.self)),
                        .init(.ok, "One that was begun before.", .of(ContentUploadAnswer.self)),
                    ], refusals: .product + [.stateWrong, .limitReached]),
            .get(RoutePattern(uploads + "/{uploadId}"), suspending: upload)
                .described(
                    "readContentUpload", "Which parts are there, and how much of those that have begun.", tag: Self.tag,
                    parameters: CatalogueRoutes.product + [id],
                    answers: [.init(.ok, "The upload.", .of(ContentUploadAnswer.self))],
                    refusals: .product + [.nameUnknown, .stateWrong]),
            .delete(RoutePattern(uploads + "/{uploadId}"), suspending: abandon)
                .described(
                    "abandonContentUpload", "Gives an upload up.", tag: Self.tag,
                    parameters: CatalogueRoutes.product + [id],
                    answers: [.init(.noContent, "It is gone.")], refusals: .product + [.nameUnknown, .stateWrong]),
            .put(
                RoutePattern(uploads + "/{uploadId}/parts/{partNumber}"),
                body: .streamed(limit: HostingLimits.partBytes), suspending: take
            )
            .documented(
                OperationDocumentation(
                    id: "putContentPart",
                    summary:
                        "Brings a part, or the rest of one. Content-Digest (RFC 9530) has its SHA-256. The same part may come again.",
                    description:
                        "Of a part that broke off the rest is enough: Content-Range says which bytes it is "
                        + "(bytes FIRST-LAST/TOTAL, up to the end of the part), and Repr-Digest has the SHA-256 of the whole part.",
                    tag: Self.tag, parameters: CatalogueRoutes.product + [id, part],
                    body: .text("application/octet-stream"),
                    responses: [
                        .init(.noContent, "It is kept."),
                        .init(
                            .badRequest,
                            "It has not the length or the digest that it must have, or begins behind what is there.",
                            .error),
                        .init(.notFound, "There is no such upload.", .error),
                        .init(.conflict, "The upload takes no parts any more.", .error),
                        .init(.contentTooLarge, "It is longer than a part.", .error),
                        .init(.unavailable, "There is no room left, or no folder is open.", .error),
                    ])
            ).refusing(.product + [.valueInvalid, .nameUnknown, .stateWrong, .storeUnavailable]),
            .post(RoutePattern(uploads + "/{uploadId}/completion"), body: BodyPolicy.none, suspending: complete)
                .described(
                    "completeContentUpload", "Hands a package over to be looked at, once all its parts are there.",
                    tag: Self.tag, parameters: CatalogueRoutes.product + [id],
                    answers: [.init(.accepted, "What becomes of it.", .of(ContentVersionAnswer.self))],
                    refusals: .product + [.nameUnknown, .stateWrong]),
        ]
    }

    // MARK: Versions

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        try .json(Page(await store.editing(request).contents(of: request.product).map(ContentVersionAnswer.init)))
    }

    private func read(_ request: HTTPRequest) async throws -> HTTPResponse {
        try .json(
            ContentVersionAnswer(await store.editing(request).content(request[Self.number], of: request.product)))
    }

    private func withdraw(_ request: HTTPRequest) async throws -> HTTPResponse {
        try .json(
            ContentVersionAnswer(
                await store.editing(request).withdrawContent(request[Self.number], of: request.product)))
    }

    private func archive(_ request: HTTPRequest) async throws -> HTTPResponse {
        let archive = try await store.editing(request).archive(of: request[Self.number], request.product)
        guard let content = try store.blobs.content(of: archive.blob, bytes: archive.bytes) else { throw Self.noBlobs }
        return try .blob(content, type: "application/zip", to: request)
    }

    // MARK: Uploads

    private func begin(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try request.decode(ContentUploadRequest.self)
        let begun = try await store.editing(request).beginUpload(
            of: request.product, digest: wanted.packageDigest, bytes: wanted.packageBytes, quota: store.content.quota,
            in: store.blobs())
        return try .json(ContentUploadAnswer(begun.upload), status: begun.isNew ? .created : .ok)
    }

    private func upload(_ request: HTTPRequest) async throws -> HTTPResponse {
        try .json(
            ContentUploadAnswer(
                await store.editing(request).upload(request[Self.upload], of: request.product, in: store.blobs())))
    }

    private func abandon(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await store.editing(request).abandonUpload(
            request[Self.upload], of: request.product, in: store.blobs())
        return HTTPResponse(.noContent)
    }

    private func take(_ request: HTTPRequest) async throws -> HTTPResponse {
        let coming = try Self.coming(request)
        let body = request.body.stream
        try await store.editing(request).takePart(
            request[Self.part], coming, of: request[Self.upload], request.product,
            in: store.blobs.require(or: Self.noBlobs)
        ) { try await body.next() }
        return HTTPResponse(.noContent)
    }

    /// What the fields say of the part: which bytes of it come, and the digest that it must have.
    private static func coming(_ request: HTTPRequest) throws -> ComingPart {
        guard let field = request.fields["Content-Range"] else {
            return try ComingPart(digest: digest("Content-Digest", request))
        }
        guard let content = ContentRange(field), let range = content.range, let total = content.total,
            range.upperBound == total
        else {
            throw APIError(
                .valueInvalid,
                "this says which bytes come, up to the end of the part, as in bytes 4096-8388607/8388608",
                parameter: "Content-Range")
        }
        return try ComingPart(
            from: Int64(range.lowerBound), of: Int64(total), digest: digest("Repr-Digest", request))
    }

    /// The digest of a field of RFC 9530: `sha-256=:…:`.
    private static func digest(_ field: String, _ request: HTTPRequest) throws -> [UInt8] {
        let members = request.fields.values(field).flatMap { $0.split(separator: ",") }
        for member in members {
            let sides = member.split(separator: "=", maxSplits: 1).map { $0.drop { $0 == " " } }
            guard sides.count == 2, sides[0] == "sha-256" else { continue }
            let value = sides[1].reversed().drop { $0 == " " }.reversed()
            guard value.first == ":", value.last == ":",
                let bytes = Base64.decode(String(value.dropFirst().dropLast())),
                bytes.count == 32
            else { break }
            return bytes
        }
        throw APIError(.valueInvalid, "this has the SHA-256 of the part, as in sha-256=:BASE64:", parameter: field)
    }

    private func complete(_ request: HTTPRequest) async throws -> HTTPResponse {
        let details = try await store.editing(request).completeUpload(
            request[Self.upload], of: request.product, store.content)
        return try .json(ContentVersionAnswer(details), status: .accepted)
    }

    private static let noBlobs = APIError(
        .unavailable, code: "blobs_missing", "No folder for content is open in this process.")
}

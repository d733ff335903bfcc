import StoreHTTP
import StoreModel
import StoreSigning

/// Content that is sent to those who paid for it, whole or in parts, as often as they ask.
extension BackendServer {
    private static let refusals: [BackendError.Code] = [
        .notPaid, .revoked, .expired, .unknownProduct, .unknownContent, .contentUnavailable,
    ]

    var contentRoutes: [Route] {
        let product = OperationDocumentation.Parameter.path(BackendPaths.product, schema: BackendPaths.productSchema)
        let quantity = OperationDocumentation.Parameter.query(
            "quantity", "How many must have been paid for; without it one.",
            schema: .integer(
                minimum: BackendServerLimits.quantities.lowerBound, maximum: BackendServerLimits.quantities.upperBound))
        return [
            forUsers(
                .post("/v1/content/{productId}", body: .collected(limit: limits.proofBytes), suspending: find)
                    .described(
                        "requestContent", "Ask for the content of a product, with the proof that it was paid for.",
                        description: Self.proofDescription
                            + " Without a proof, what was recorded earlier pays. Location leads to the file.",
                        tag: "content", needsUser: true, parameters: [product, quantity, Self.appVersion],
                        body: .of(OptionalProof.self),
                        answers: [
                            .init(.seeOther, "Where the file is, and what it is.", .json(.of(ContentAnswer.self)))
                        ], refusals: Self.proofRefusals + Self.refusals + [.wrongQuantity]
                    ).withExactBodies, limit: proofs),
            forUsers(
                .get("/v1/content/{productId}/versions/{version}", suspending: send)
                    .described(
                        "downloadContent", "The file of a version, or a part of it.",
                        description: "Range and If-Range continue a download that broke off. Each request looks anew "
                            + "whether the user may have it.",
                        tag: "content", needsUser: true,
                        parameters: [
                            product, .path(BackendPaths.contentVersion),
                            .header("Range", "The part that is wanted."),
                            .header("If-Range", "The tag of the file of which there is a part already."),
                            .header("If-None-Match", "The tag of the file that there is already."),
                        ],
                        answers: [
                            .init(.ok, "The whole file.", .text("application/octet-stream")),
                            .init(.partialContent, "The part.", .text("application/octet-stream")),
                            .init(.notModified, "The app has the file already."),
                            .init(.rangeNotSatisfiable, "The file has no such part."),
                        ], refusals: Self.refusals)),
        ]
    }

    private func find(_ request: HTTPRequest) async throws -> HTTPResponse {
        let user = try user(of: request)
        let product = try request[BackendPaths.product]
        let quantity = try Self.quantity(of: request)
        let appVersion = try Self.appVersion(of: request)
        let proof = try proof(in: request)
        if let proof { log.received(proof, of: user, request) }
        let file = try await loggingRefusals(of: product, to: user, request) {
            try await countingRefusals(of: proof, in: request) {
                try await backend.content(
                    product, proof: proof, quantity: quantity, for: user, appVersion: appVersion, at: now()
                ) { log.recorded($0, for: user, request) }
            }
        }
        log.granted(file, to: user, request)
        let path =
            "/v1/content/\(PercentEncoding.encode(product.text))/versions/\(PercentEncoding.encode(file.version))"
        var response = try HTTPResponse.json(
            ContentAnswer(
                productId: product, name: file.name, version: file.version, bytes: file.bytes, sha256: file.digest,
                path: path), status: .seeOther)
        response.fields["Location"] = path
        response.fields["Cache-Control"] = "private, no-store"
        return response
    }

    private func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let user = try user(of: request)
        let product = try request[BackendPaths.product]
        let version = try request[BackendPaths.contentVersion]
        let (file, open) = try await loggingRefusals(of: product, to: user, request) {
            let file = try await backend.contentFile(product, version: version, for: user, at: now())
            guard let open = OpenFile(path: file.path), Int64(open.length) == file.bytes else {
                throw BackendError(.contentUnavailable, "The file of this content is missing from the server.")
            }
            return (file, open)
        }
        var response = HTTPResponse(.ok, body: .file(FileBody(open)))
        response.fields = Self.fields(of: file)
        let log = log
        response.whenEnded { log.sent(file, to: user, request, $0) }
        return response
    }

    /// Does something for a user, and writes down why it is refused if it is.
    private func loggingRefusals<Value>(
        of product: ProductID, to user: BackendUser, _ request: HTTPRequest, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as BackendError {
            log.refused(error, product, for: user, request)
            throw error
        }
    }

    private static func fields(of file: ContentFile) -> HTTPFields {
        var fields: HTTPFields = [
            "Content-Type": "application/octet-stream", "ETag": EntityTag(file.digest).text, "Accept-Ranges": "bytes",
            "Cache-Control": "private, no-store",
            "Content-Disposition": "attachment; filename*=UTF-8''\(PercentEncoding.encode(file.fileName))",
        ]
        if let digest = Hexadecimal.decode(file.digest) {
            fields["Repr-Digest"] = "sha-256=:\(Base64.encode(digest)):"
        }
        return fields
    }

    private static func quantity(of request: HTTPRequest) throws -> Int {
        guard let text = request.target.query["quantity"] else { return 1 }
        guard let number = Int(text), String(number) == text, BackendServerLimits.quantities.contains(number) else {
            throw BackendError(
                .invalidValue,
                "The quantity is a whole number from 1 to \(BackendServerLimits.quantities.upperBound).",
                parameter: "quantity")
        }
        return number
    }
}

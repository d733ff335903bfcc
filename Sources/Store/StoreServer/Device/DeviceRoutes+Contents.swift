import StoreCatalogue
package import StoreHTTP
import StoreModel
import StoreService

extension DeviceRoutes {
    /// Content that the store hosts: what there is, where it is, and its bytes.
    var contentRoutes: [Route] {
        [
            .post("/device/v1/contents", suspending: { try await contents($0) })
                .described(
                    "listContents", "Which of some transactions have content that the store hosts.", tag: "devices",
                    token: Self.scheme, body: .of(HostedContentsRequest.self),
                    answers: [
                        .init(.ok, "What there is; the others are left out.", .of(HostedContentsAnswer.self))
                    ], refusals: [.notSignedIn]),
            .post(
                "/device/v1/transactions/{transactionId}/content",
                suspending: { request in
                    let id = try request[Self.transaction]
                    let wanted = try request.decode(ContentLinkRequest.self).contentVersion
                    return try answer(
                        try await ContentDelivery(store).link(for: id, version: wanted, as: Self.token(request)),
                        status: .created)
                }
            )
            .described(
                "linkContent", "An address of the content of a transaction, good for a while.", tag: "devices",
                token: Self.scheme, parameters: [.path(Self.transaction, schema: TransactionID.schema)],
                body: .of(ContentLinkRequest.self),
                answers: [.init(.created, "Where it is, and what it is made of.", .of(ContentLinkAnswer.self))],
                refusals: [.notSignedIn, .contentUnknown, .contentRefused, .contentGone, .transactionUnknown]),
            .get("/content/{contentToken}", suspending: { try await content($0) })
                .documented(
                    OperationDocumentation(
                        id: "readContent",
                        summary:
                            "A zip of the content, or a range of it. Whether it may be had is looked at each time.",
                        tag: "devices",
                        parameters: [.path(Self.contentToken, schema: .string(lengths: 1...200))],
                        responses: [
                            .init(.ok, "All of it.", .text("application/zip")),
                            .init(.partialContent, "The range.", .text("application/zip")),
                            .init(.forbidden, "The address is too old, or the content is not owned any more.", .error),
                            .init(.notFound, "No store wrote this address.", .error),
                            .init(.gone, "The version is not kept any more.", .error),
                        ])
                ).refusing([.contentRefused, .linkExpired, .contentUnknown, .contentGone]),
        ]
    }

    /// What no log may show of paths.
    package static let secrets = PathSecrets(["contentToken"], after: ["/content"])

    private static let contentToken = PathParameter<String>("contentToken", rule: "a token of the store") { $0 }

    private func contents(_ request: HTTPRequest) async throws -> HTTPResponse {
        let ids = try request.decode(HostedContentsRequest.self).transactionIds
        guard ids.count <= HostedContentsRequest.longest else {
            throw APIError(
                .badRequest, code: "too_many",
                "One request is for at most \(HostedContentsRequest.longest) transactions.", parameter: "transactionIds"
            )
        }
        let found = try await ContentDelivery(store).contents(of: ids, as: Self.token(request))
        return try answer(HostedContentsAnswer(contents: found))
    }

    private func content(_ request: HTTPRequest) async throws -> HTTPResponse {
        let archive = try await ContentDelivery(store).archive(at: try request[Self.contentToken])
        guard let content = try blobs.content(of: archive.blob, bytes: archive.bytes) else {
            throw APIError(.unavailable, code: "blobs_missing", "This process has no hosted content open.")
        }
        return try .blob(content, type: "application/zip", to: request)
    }
}

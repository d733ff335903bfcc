import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

extension CatalogueRoutes {
    /// The secrets with which servers of developers have receipts verified: one for each app, one for all of them.
    var secretRoutes: [Route] {
        let shown = OperationDocumentation.Response(.ok, "The secret.", .json(.of(SecretAnswer.self)))
        let gone = OperationDocumentation.Response(.noContent, "There is none any more.")
        return [
            Route.get("/control/v1/apps/{bundleId}/secret", suspending: appSecret).documented(
                CatalogueDocumentation.ofApp("readAppSecret", "The shared secret of an app.", answer: shown)),
            Route.post("/control/v1/apps/{bundleId}/secret", body: BodyPolicy.none, suspending: makeAppSecret)
                .documented(
                    CatalogueDocumentation.ofApp(
                        "makeAppSecret", "Gives an app a new shared secret; the old one is void at once.", answer: shown
                    )),
            Route.delete("/control/v1/apps/{bundleId}/secret", suspending: removeAppSecret).documented(
                CatalogueDocumentation.ofApp("removeAppSecret", "Takes an app its shared secret.", answer: gone)),
            Route.get("/control/v1/secret", suspending: primarySecret).documented(
                .init(
                    id: "readPrimarySecret", summary: "The shared secret for all apps.", tag: "catalogue",
                    responses: [shown])),
            Route.post("/control/v1/secret", body: BodyPolicy.none, suspending: makePrimarySecret).documented(
                .init(
                    id: "makePrimarySecret",
                    summary: "Makes a new shared secret for all apps; the old one is void at once.", tag: "catalogue",
                    responses: [shown])),
            Route.delete("/control/v1/secret", suspending: removePrimarySecret).documented(
                .init(
                    id: "removePrimarySecret", summary: "Removes the shared secret for all apps.", tag: "catalogue",
                    responses: [gone])),
        ]
    }

    private func appSecret(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request[CataloguePaths.bundleID]
        let app = try await store.databases.catalogue.read { try Self.app(id, in: $0) }
        return try .json(SecretAnswer(secret: app.sharedSecret))
    }

    private func makeAppSecret(_ request: HTTPRequest) async throws -> HTTPResponse {
        let secret = try newSecret()
        try await setAppSecret(secret, request)
        return try .json(SecretAnswer(secret: secret))
    }

    private func removeAppSecret(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await setAppSecret(nil, request)
        return HTTPResponse(.noContent)
    }

    private func setAppSecret(_ secret: String?, _ request: HTTPRequest) async throws {
        let id = try request[CataloguePaths.bundleID]
        try await store.databases.catalogue.write { transaction in
            try SharedSecrets.set(secret, of: Self.app(id, in: transaction).id, in: transaction)
        }
    }

    private func primarySecret(_ request: HTTPRequest) async throws -> HTTPResponse {
        try .json(SecretAnswer(secret: await store.databases.catalogue.read { try SharedSecrets.primary(in: $0) }))
    }

    private func makePrimarySecret(_ request: HTTPRequest) async throws -> HTTPResponse {
        let secret = try newSecret()
        try await store.databases.catalogue.write { try SharedSecrets.setPrimary(secret, in: $0) }
        return try .json(SecretAnswer(secret: secret))
    }

    private func removePrimarySecret(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await store.databases.catalogue.write { try SharedSecrets.setPrimary(nil, in: $0) }
        return HTTPResponse(.noContent)
    }

    private func newSecret() throws -> String { try SharedSecrets.secret(of: store.random(SharedSecrets.byteCount)) }
}

import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

extension CatalogueRoutes {
    /// The secrets with which servers of developers have receipts verified: one for each app, one for all of them.
    var secretRoutes: [Route] {
        [
            secret(
                .get("/control/v1/apps/{bundleId}/secret", suspending: appSecret), "readAppSecret",
                "The shared secret of an app."),
            secret(
                .post("/control/v1/apps/{bundleId}/secret", body: BodyPolicy.none, suspending: makeAppSecret),
                "makeAppSecret", "Gives an app a new shared secret; the old one is void at once."),
            secret(
                .delete("/control/v1/apps/{bundleId}/secret", suspending: removeAppSecret), "removeAppSecret",
                "Takes an app its shared secret.", isGone: true),
            secret(
                .get("/control/v1/secret", suspending: primarySecret), "readPrimarySecret",
                "The shared secret for all apps."),
            secret(
                .post("/control/v1/secret", body: BodyPolicy.none, suspending: makePrimarySecret), "makePrimarySecret",
                "Makes a new shared secret for all apps; the old one is void at once."),
            secret(
                .delete("/control/v1/secret", suspending: removePrimarySecret), "removePrimarySecret",
                "Removes the shared secret for all apps.", isGone: true),
        ]
    }

    private func secret(_ route: Route, _ id: String, _ summary: String, isGone: Bool = false) -> Route {
        let isOfApp = route.pattern.text.contains("{bundleId}")
        return route.described(
            id, summary, tag: Self.tag, parameters: isOfApp ? [Self.app] : [],
            answers: [
                isGone
                    ? .init(.noContent, "There is none any more.")
                    : .init(.ok, "The secret.", .of(SecretAnswer.self))
            ], refusals: isOfApp ? [.notFound] : [])
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

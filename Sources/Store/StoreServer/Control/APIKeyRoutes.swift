import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreSigning

/// The keys with which developers' servers ask the App Store Server API, by HTTP. The store keeps the public halves.
struct APIKeyRoutes: Sendable {
    let store: ControlStore

    private static let path = "/control/v1/api-keys"
    private static let key = PathParameter<String>("keyId", rule: "the id of a key") { $0.isEmpty ? nil : $0 }

    var routes: [Route] {
        [
            .get(RoutePattern(Self.path), suspending: { try await list($0) })
                .described(
                    "listAPIKeys", "The keys of developers' servers, those that were revoked too.",
                    tag: ServerAPIRoutes.tag,
                    parameters: [.query("teamId", "Those of a team; without it of all that the token sees.")],
                    answers: [.init(.ok, "All of them.", .of(Page<APIKeyMessage>.self))], refusals: [.teamUnknown]),
            .post(RoutePattern(Self.path), suspending: { try await add($0) })
                .described(
                    "addAPIKey", "Makes a key for servers of a team. Its private half is in this answer only.",
                    description: "One for production, or for both environments, wants a token of production.",
                    tag: ServerAPIRoutes.tag, body: .of(APIKeyRequest.self),
                    answers: [.init(.created, "The key.", .of(APIKeyMessage.self))],
                    refusals: [.teamUnknown, .limitReached]),
            .delete(RoutePattern(Self.path + "/{keyId}")) { request in
                try .json(APIKeyMessage(await store.editing(request).revokeAPIKey(request[Self.key])))
            }
            .described(
                "revokeAPIKey", "Takes a key out of use: tokens that are signed with it open nothing from now on.",
                tag: ServerAPIRoutes.tag, parameters: [.path(Self.key)],
                answers: [.init(.ok, "The key.", .of(APIKeyMessage.self))], refusals: [.nameUnknown]),
        ]
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let team = try request.target.query["teamId"].map { text throws(APIError) in
            guard let team = TeamID(text) else {
                throw APIError(.valueInvalid, "a team is named by its id", parameter: "teamId")
            }
            return team
        }
        return try .json(Page(await store.editing(request).apiKeys(of: team).map(APIKeyMessage.init)))
    }

    private func add(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try request.decode(APIKeyRequest.self)
        let environments = Set(wanted.environments ?? [store.environment])
        guard let one = environments.first else {
            throw APIError(.valueInvalid, "a key opens one environment or both", parameter: "environments")
        }
        let made = try await store.editing(request).addAPIKey(
            wanted.name, for: environments.count > 1 ? nil : one, of: wanted.teamId, store.random)
        var answer = APIKeyMessage(made.entry)
        answer.privateKey = made.privateKey
        return try .json(answer, status: .created)
    }
}

/// A key that a developer's server is to have.
package struct APIKeyRequest: Codable, Hashable, Sendable {
    package var name: String
    /// Whose it is; the token's team without it, or the only one there is.
    package var teamId: TeamID?
    /// What it opens; without it the environment that is asked.
    package var environments: [StoreEnvironment]?

    package init(name: String, teamId: TeamID? = nil, environments: [StoreEnvironment]? = nil) {
        self.name = name
        self.teamId = teamId
        self.environments = environments
    }
}

extension APIKeyRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "name": .string("What it is for."),
            "teamId": .string("Whose it is; the token's team without it, or the only one there is."),
        ]
    }
}

/// A key of a developer's server.
package struct APIKeyMessage: Codable, Hashable, Sendable {
    package let keyId: String
    /// What tokens that are signed with it have as iss.
    package let issuerId: String
    package let name: String
    package let teamId: TeamID
    /// What it opens.
    package let environments: [StoreEnvironment]
    package let createdAt: Instant
    package let createdBy: String
    /// To a minute.
    package let lastUsedAt: Instant?
    package let revokedAt: Instant?
    /// Only in the answer to the request that made it: PKCS#8, in PEM. The store does not keep it.
    package var privateKey: String?

    init(_ entry: APIKeys.Entry) {
        keyId = entry.id
        issuerId = entry.issuer
        name = entry.name
        teamId = entry.team
        environments = StoreEnvironment.allCases.filter(entry.reaches)
        createdAt = entry.createdAt
        createdBy = entry.actor
        lastUsedAt = entry.usedAt
        revokedAt = entry.revokedAt
    }
}

import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreService
import StoreSigning

/// Makes, lists and revokes the tokens of operators. Only whoever owns the store does: a token can make no other.
package struct OperatorTokenRoutes: Sendable {
    private let store: ControlStore

    package init(_ store: ControlStore) {
        self.store = store
    }

    package var routes: [Route] {
        let store = store
        return [
            .get("/admin/v1/operator-tokens", suspending: { try await Self.list(store, $0) }),
            .post("/admin/v1/operator-tokens", suspending: { try await Self.create(store, $0) }),
            .post("/admin/v1/operator-tokens/revocation", suspending: { try await Self.revoke(store, $0) }),
            .post("/admin/v1/console-links", body: BodyPolicy.none) { request in
                let made = try await Self.editing(store, request).addConsoleLink(store.random)
                return try .json(NewConsoleLink(link: made.link, expiresAt: made.expiresAt), status: .created)
            },
        ]
    }

    /// What whoever owns the store does with the catalogue.
    private static func editing(_ store: ControlStore, _ request: HTTPRequest) -> CatalogueEditing {
        store.catalogue.editing(by: .owner, request: request.name)
    }

    private static func list(_ store: ControlStore, _ request: HTTPRequest) async throws -> HTTPResponse {
        try .json(Page(await editing(store, request).tokens().map(OperatorTokenReport.init)))
    }

    private static func create(_ store: ControlStore, _ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try request.decode(OperatorTokenRequest.self)
        let seconds = wanted.seconds ?? OperatorTokens.usualLife.components.seconds
        guard (1...OperatorTokenRequest.longestLife).contains(seconds) else {
            throw APIError(
                .valueInvalid, "A token is good for 1 to \(OperatorTokenRequest.longestLife) seconds.",
                parameter: "seconds")
        }
        let made = try await editing(store, request).addToken(
            wanted.name, for: wanted.environment ?? .sandbox, life: .seconds(seconds),
            role: wanted.role.map(OperatorTokens.Role.init) ?? .operator,
            member: wanted.member.map { (team: wanted.teamId ?? Teams.first, email: try EmailAddress($0)) },
            store.random)
        return try .json(
            NewOperatorToken(token: made.token, report: OperatorTokenReport(made.entry)), status: .created)
    }

    private static func revoke(_ store: ControlStore, _ request: HTTPRequest) async throws -> HTTPResponse {
        let name = try request.decode(OperatorTokenName.self).name
        try await editing(store, request).revokeToken(name)
        return HTTPResponse(.noContent)
    }
}

/// A link to the console that was just made. It is shown this once, and opens one session.
package struct NewConsoleLink: Codable, Hashable, Sendable {
    /// The last part of its address.
    package let link: String
    package let expiresAt: Instant
}

/// Which token is meant.
package struct OperatorTokenName: Codable, Hashable, Sendable {
    package let name: String

    package init(name: String) {
        self.name = name
    }
}

/// A token that is wanted.
package struct OperatorTokenRequest: Codable, Hashable, Sendable {
    static let longestLife: Int64 = 10 * 366 * 24 * 60 * 60

    package let name: String
    /// The sandbox if it is missing.
    package let environment: StoreEnvironment?
    /// How long it is good for; three months if it is missing.
    package let seconds: Int64?
    /// reviewer or support, for the whole store; everything if it and the member are missing.
    package let role: String?
    /// For a member of a team, who may do with it what the member may.
    package let teamId: TeamID?
    package let member: String?

    package init(
        name: String, environment: StoreEnvironment?, seconds: Int64?, role: String? = nil, teamId: TeamID? = nil,
        member: String? = nil
    ) {
        self.name = name
        self.environment = environment
        self.seconds = seconds
        self.role = role
        self.teamId = teamId
        self.member = member
    }
}

/// A token that was just made. It is shown this once.
package struct NewOperatorToken: Codable, Hashable, Sendable {
    package let name: String
    package let token: String
    package let environment: StoreEnvironment
    package let role: String
    package let expiresAt: Instant

    init(token: String, report: OperatorTokenReport) {
        self.token = token
        name = report.name
        environment = report.environment
        role = report.role
        expiresAt = report.expiresAt
    }
}

/// A token as it is listed: every one there ever was.
package struct OperatorTokenReport: Codable, Hashable, Sendable {
    package let name: String
    /// Whose customers it may look after.
    package let environment: StoreEnvironment
    package let role: String
    /// The team to which it is limited; missing for one of the whole store.
    package let teamId: TeamID?
    package let member: String?
    /// Who made it; missing for one from before that was kept.
    package let madeBy: String?
    package let createdAt: Instant
    package let expiresAt: Instant
    /// To a minute.
    package let lastUsedAt: Instant?
    package let revokedAt: Instant?

    init(_ entry: OperatorTokens.Entry) {
        name = entry.name
        environment = entry.environment
        role = entry.role.rawValue
        teamId = entry.team
        madeBy = entry.madeBy
        member = entry.member
        createdAt = entry.createdAt
        expiresAt = entry.expiresAt
        lastUsedAt = entry.lastUsedAt
        revokedAt = entry.revokedAt
    }
}

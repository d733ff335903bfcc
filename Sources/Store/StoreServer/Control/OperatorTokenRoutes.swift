import StoreDatabase
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
            .get("/admin/v1/operator-tokens", suspending: { _ in try await Self.list(store) }),
            .post("/admin/v1/operator-tokens", suspending: { try await Self.create(store, $0) }),
            .post("/admin/v1/operator-tokens/revocation", suspending: { try await Self.revoke(store, $0) }),
        ]
    }

    private static func list(_ store: ControlStore) async throws -> HTTPResponse {
        let entries = try await store.databases.catalogue.read { try OperatorTokens.all(in: $0) }
        return try .json(
            Page(
                entries.map {
                    OperatorTokenReport(name: $0.name, createdAt: $0.createdAt, revokedAt: $0.revokedAt)
                }))
    }

    private static func create(_ store: ControlStore, _ request: HTTPRequest) async throws -> HTTPResponse {
        let name = try request.decode(OperatorTokenName.self).name
        let token = OperatorTokens.token(of: try store.random(OperatorTokens.byteCount))
        let now = store.now()
        try await store.databases.catalogue.write { try OperatorTokens.add(token, name: name, at: now, in: $0) }
        return try .json(NewOperatorToken(name: name, token: token), status: .created)
    }

    private static func revoke(_ store: ControlStore, _ request: HTTPRequest) async throws -> HTTPResponse {
        let name = try request.decode(OperatorTokenName.self).name
        let now = store.now()
        try await store.databases.catalogue.write { try OperatorTokens.revoke(name: name, at: now, in: $0) }
        return HTTPResponse(.noContent)
    }
}

/// Which token is meant.
package struct OperatorTokenName: Codable, Hashable, Sendable {
    package let name: String

    package init(name: String) {
        self.name = name
    }
}

/// A token that was just made. It is shown this once.
package struct NewOperatorToken: Codable, Hashable, Sendable {
    package let name: String
    package let token: String
}

/// A token as it is listed: every one there ever was.
package struct OperatorTokenReport: Codable, Hashable, Sendable {
    package let name: String
    package let createdAt: Instant
    package let revokedAt: Instant?
}

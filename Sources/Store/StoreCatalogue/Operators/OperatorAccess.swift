package import StoreDatabase
package import StoreModel
package import StoreSigning

/// The catalogue for those who come to it in a browser: their sessions, and what they do there.
package struct OperatorAccess: Sendable {
    private let database: any Database
    private let numbers: Numbers
    private let now: @Sendable () -> Instant

    package init(_ database: any Database, numbers: Numbers? = nil, now: @escaping @Sendable () -> Instant) {
        self.database = database
        self.numbers = numbers ?? Numbers(database)
        self.now = now
    }

    /// What an actor does with the catalogue.
    ///
    /// - Parameter commerce: the clock of the environment whose prices are shown; that of the wall without one.
    package func editing(
        by actor: Actor, request: String?, commerce: (@Sendable () -> Instant)? = nil
    ) -> CatalogueEditing {
        CatalogueEditing(database, by: actor, request: request, numbers: numbers, now: now, commerce: commerce)
    }

    /// The session of a name that only its browser knows; nil once it is over, or its token is.
    package func session(_ name: String) async throws -> OperatorSessions.Session? {
        let now = now()
        return try await database.lookUp { try OperatorSessions.find(name, at: now, in: $0) }
    }

    package func end(_ session: String) async throws {
        let now = now()
        try await database.write { try OperatorSessions.end(session, at: now, in: $0) }
    }
}

// MARK: Tokens and secrets

/// The tokens that the actor may look after, and the shared secrets of apps in an environment.
package struct TokensAndSecrets: Sendable {
    package let tokens: [OperatorTokens.Entry]
    package let apps: [CatalogueApp]
    package let secrets: [AppID: String]
}

extension CatalogueEditing {
    /// - Parameter limit: how many apps are told.
    package func tokensAndSecrets(in environment: StoreEnvironment, limit: Int) async throws -> TokensAndSecrets {
        try await read(for: .teams) { transaction in
            TokensAndSecrets(
                tokens: try tokens(in: transaction), apps: try Catalogue.apps(limit: limit, in: transaction),
                secrets: try SharedSecrets.all(in: environment, transaction))
        }
    }

    /// Makes a token by which programs do what a role may in an environment. It is told this once.
    package func makeToken(
        named name: String, for environment: StoreEnvironment, role: OperatorTokens.Role, _ random: RandomBytes
    ) async throws -> String {
        let token = OperatorTokens.token(of: try random(OperatorTokens.byteCount))
        _ = try await write(for: .teams) {
            try OperatorTokens.add(token, name: name, for: environment, role: role, $0)
        }
        return token
    }

    /// Lets a token in no more.
    package func revokeToken(named name: String) async throws {
        try await write(for: .teams) { try OperatorTokens.revoke(name: name, $0) }
    }

    /// The tokens that the actor may look after: with a token of an environment those of this environment.
    private func tokens(in transaction: any ReadTransaction) throws -> [OperatorTokens.Entry] {
        try OperatorTokens.all(in: transaction).filter {
            actor.environment == nil || $0.environment == actor.environment
        }
    }
}

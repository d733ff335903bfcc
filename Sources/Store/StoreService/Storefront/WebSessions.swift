import StoreCatalogue
import StoreDatabase
package import StoreHTTP
package import StoreModel
package import StoreSigning

/// The customer who is signed in on a page of the store, and the storefront of the account.
///
/// It is made from the secret of a session, or of a view inside an app, and from nothing that a request says: so no request can
/// name a customer of its own.
package struct WebScope: Hashable, Sendable {
    package let customer: CustomerID
    package let storefront: StorefrontCode

    package init(customer: CustomerID, storefront: StorefrontCode) {
        self.customer = customer
        self.storefront = storefront
    }

    /// The scope of what the customer buys or has in one app.
    func inApp(_ app: CatalogueApp) -> CustomerScope {
        CustomerScope(customer: customer, app: app.id, bundle: app.bundleID, storefront: storefront)
    }
}

/// A browser in which a customer is signed in.
package struct WebSession: Hashable, Sendable {
    package let scope: WebScope
    /// What the pages call the customer.
    package let name: String
    package let email: String
    package let begunAt: Instant
    package let expiresAt: Instant
}

/// The secret of a session, which only its browser has. The store keeps its hash.
package struct WebToken: Hashable, Sendable {
    package let text: String
    let hash: [UInt8]

    private static let bytes = 32

    /// A new one.
    package init(random: RandomBytes) throws {
        try self.init(text: Base64.encode(random(Self.bytes), .url))
    }

    /// One that a browser showed.
    package init(text: String) throws {
        self.text = text
        hash = try DigestAlgorithm.sha256.digest(text.utf8)
    }
}

/// Signing in and out on the pages of the store.
package struct WebSessions: Sendable {
    let store: EnvironmentStore

    /// How long a session lasts.
    package static let life = Duration.seconds(30 * 24 * 60 * 60)
    /// The most sessions of one account; the oldest makes room.
    package static let limit = 50

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// The cookie of a session. Browsers tell both listeners of a host the same cookies, so that its name has the environment.
    package static func cookie(of environment: StoreEnvironment) -> String { "till_\(environment)_customer" }

    /// A session that has just begun.
    package struct Begun: Sendable {
        package let token: WebToken
        package let session: WebSession
    }

    /// The session of a secret; nil once it is over.
    package func find(_ token: WebToken) async throws -> WebSession? {
        let now = store.clocks.wall()
        return try await store.database.lookUpOnce { transaction in
            try transaction.optional(
                """
                SELECT \(Customer.columns), begun_at, expires_at
                FROM web_session JOIN customer ON customer.id = web_session.customer_id
                WHERE session_hash = $1 AND expires_at > $2 AND deleted_at IS NULL AND spent_at IS NULL
                """, token.hash, now, row: WebSession.init)
        }
    }

    /// Signs in with a password. Guesses are counted as on the page of a purchase.
    ///
    /// - Parameters:
    ///   - former: the session that the browser had, which ends.
    ///   - peer: whose page it is.
    package func signIn(
        email: String, password: String, replacing former: WebToken?, from peer: PeerAddress
    ) async throws -> Begun {
        let (customer, hash) = try await Accounts(store).proven(email, password, at: .page(peer))
        try customer.requireUnspent(parameter: "email")
        return try await begin(for: customer.id, provenBy: hash, replacing: former)
    }

    /// Makes an account and signs it in. Testers are made by developers.
    package func signUp(
        _ draft: Accounts.Draft, replacing former: WebToken?, from peer: PeerAddress, request: String?
    ) async throws -> Begun {
        guard store.environment == .production else {
            throw ServiceError(.notAllowed, "accounts of the sandbox are made by developers")
        }
        guard let password = draft.password else {
            throw ServiceError(.valueMissing, "a password", parameter: "password")
        }
        _ = try await Accounts(store).create(draft, store.cause(.customer, request: request))
        return try await signIn(email: draft.email, password: password, replacing: former, from: peer)
    }

    private func begin(
        for customer: CustomerID, provenBy hash: String, replacing former: WebToken?
    ) async throws -> Begun {
        let (token, now) = (try WebToken(random: store.random), store.clocks.wall())
        let session = try await store.database.write { transaction in
            // The password may be another one since it was compared.
            guard try Customers.passwordHash(of: customer, in: transaction) == hash else {
                throw ServiceError(
                    .credentialsWrong, "the e-mail address or the password is wrong", parameter: "password")
            }
            let account = try Customers.require(customer, in: transaction)
            if let former { try Self.end(former, in: transaction) }
            try Self.makeRoom(for: customer, in: transaction)
            try transaction.insert(
                into: "web_session",
                [
                    "session_hash": token.hash, "customer_id": customer, "begun_at": now,
                    "expires_at": now + Self.life,
                ])
            return WebSession(account, begunAt: now, expiresAt: now + Self.life)
        }
        return Begun(token: token, session: session)
    }

    private static func makeRoom(for customer: CustomerID, in transaction: any WriteTransaction) throws {
        try transaction.execute(
            """
            DELETE FROM web_session WHERE customer_id = $1 AND session_hash NOT IN (
                SELECT session_hash FROM web_session WHERE customer_id = $1
                ORDER BY begun_at DESC, session_hash LIMIT $2)
            """, customer, limit - 1)
    }

    /// Signs out in one browser.
    package func signOut(_ token: WebToken) async throws {
        try await store.database.write { try Self.end(token, in: $0) }
    }

    private static func end(_ token: WebToken, in transaction: any WriteTransaction) throws {
        try transaction.execute("DELETE FROM web_session WHERE session_hash = $1", token.hash)
    }

    /// Removes sessions that are over; returns how many there were.
    static func removeExpired(at wall: Instant, limit: Int, in transaction: any WriteTransaction) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM web_session WHERE session_hash IN (
                SELECT session_hash FROM web_session WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)
            """, wall, limit)
    }

    /// Ends all sessions of an account, as after another password.
    static func endAll(of customer: CustomerID, in transaction: any WriteTransaction) throws {
        try transaction.execute("DELETE FROM web_session WHERE customer_id = $1", customer)
    }
}

extension WebSession {
    /// Whether the password was typed so short a time ago that it counts for a purchase too.
    package func isFresh(at now: Instant) -> Bool { now < begunAt + PaymentSheet.proofTime }

    fileprivate init(_ customer: Customer, begunAt: Instant, expiresAt: Instant) {
        scope = WebScope(customer: customer.id, storefront: customer.storefront)
        (name, email) = (customer.name, customer.email)
        (self.begunAt, self.expiresAt) = (begunAt, expiresAt)
    }

    fileprivate init(_ row: Row) throws {
        var cells = row.cells
        let customer = try Customer(&cells)
        self.init(customer, begunAt: try cells.next(), expiresAt: try cells.next())
    }
}

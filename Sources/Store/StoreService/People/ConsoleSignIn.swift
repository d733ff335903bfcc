import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreSigning

/// The ways into the console: a password, an invitation, a link of the machine's, a token. Whoever has set up an authenticator app
/// is asked for its code before a session begins.
///
/// Wrong passwords and codes are counted as those of customers are, in the books of production.
package struct ConsoleSignIn: Sendable {
    let store: EnvironmentStore

    /// - Parameter store: that of production, whose secret seals and hashes what is kept of second factors.
    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// What comes of a way in.
    // Closed: a page has to go on with each.
    package enum Entry: Hashable, Sendable {
        /// The name of a session, which only its browser knows.
        case session(String)
        /// The name under which a code is waited for.
        case code(String)
    }

    var now: Instant { store.clocks.wall() }

    private func drawnName() throws -> String { Base64.encode(try store.random(OperatorSessions.byteCount), .url) }

    // MARK: Ways in

    /// - Parameter client: the browser, as it calls itself.
    package func enter(
        email: String, password: String, at place: GuessPlace, client: String
    ) async throws -> Entry {
        let key = (try? EmailAddress(email)).map(People.key) ?? ""
        let isRight = try await store.guesses.guess(at: place, of: .person(key)) {
            try await matches(password, of: key) ? true : nil
        }
        let memberships = try await store.catalogue.read { try People.memberships(of: key, in: $0) }
        guard isRight == true, let first = memberships.first else { throw Self.wrong }
        return try await begin(
            PendingSignIn(subject: key, person: key, token: nil, team: first.team), client)
    }

    // MARK: Known browsers

    private static let browserBytes = 12
    /// How long a browser is known after a sign-in.
    package static let knownFor = Duration.seconds(400 * 24 * 60 * 60)

    /// What a browser is given in which somebody has signed in: others' wrong guesses do not keep the person out there.
    package func knownBrowser(of email: String) async throws -> String {
        let id = Base64.encode(try store.random(Self.browserBytes), .url)
        return try await "\(id).\(proof(of: id, email))"
    }

    /// The place where somebody types, as far as the browser was given something for this address before.
    package func place(_ place: GuessPlace, knownBy given: String?, of email: String) async throws -> GuessPlace {
        guard let given, let dot = given.firstIndex(of: ".") else { return place }
        let id = String(given[..<dot])
        let proof = try await proof(of: id, email)
        guard SecretComparison.areEqual(Array(given[dot...].dropFirst().utf8), Array(proof.utf8)) else { return place }
        var known = place
        known.browser = id
        return known
    }

    private func proof(of browser: String, _ email: String) async throws -> String {
        let code = try await store.pageSecret.code(of: "console browser \(browser) of \(email.lowercased())".utf8)
        return Base64.encode(code, .url)
    }

    static var wrong: ServiceError {
        ServiceError(.credentialsWrong, "the e-mail address or the password is wrong", parameter: "password")
    }

    /// Takes as long for somebody who is unknown, so that nobody learns who is in.
    func matches(_ password: String, of key: String) async throws -> Bool {
        let hash = try await store.catalogue.read { try People.passwordHash(of: key, in: $0) }
        return try await store.passwords.matches(password, hash: hash, for: .operators)
    }

    /// A link that the machine of the store made; nil if it is not good.
    package func enter(withLink link: String, client: String) async throws -> Entry? {
        let (now, name) = (now, try drawnName())
        return try await store.catalogue.write { transaction in
            guard try OperatorSessions.useLink(link, at: now, in: transaction) else { return nil }
            guard try SecondFactors.isAsked(of: SecondFactors.owner, in: transaction) else {
                try OperatorSessions.beginOwner(name, client: Self.short(client), at: now, in: transaction)
                return .session(name)
            }
            let owner = PendingSignIn(subject: SecondFactors.owner, person: nil, token: nil, team: nil)
            try PendingSignIns.begin(name, owner, at: now, in: transaction)
            return .code(name)
        }
    }

    /// A token, which is a program's; nil if it is not good.
    ///
    /// A member's token opens the console no further than the member comes: with the code of the authenticator app, and not
    /// at all where the role needs an app and there is none.
    package func enter(withToken token: String, client: String) async throws -> Entry? {
        let (now, name) = (now, try drawnName())
        guard let entry = try await OperatorTokens.open(with: token, at: now, of: store.catalogue) else { return nil }
        return try await store.catalogue.write { transaction in
            guard let member = entry.member?.lowercased() else {
                try OperatorSessions.begin(name, for: entry, at: now, in: transaction)
                return .session(name)
            }
            if try SecondFactors.isAsked(of: member, in: transaction) {
                let pending = PendingSignIn(subject: member, person: nil, token: entry.name, team: entry.team)
                try PendingSignIns.begin(name, pending, at: now, in: transaction)
                return .code(name)
            }
            guard try !SecondFactors.requiredRoles(in: transaction).contains(entry.role) else {
                throw ServiceError(
                    .notAllowed, "this role comes in with a password and a second factor only; a token is for programs",
                    parameter: "token")
            }
            try OperatorSessions.begin(name, for: entry, at: now, in: transaction)
            return .session(name)
        }
    }

    /// Begins a session, or waits for a code where one is asked for.
    func begin(_ pending: PendingSignIn, _ client: String) async throws -> Entry {
        let (now, name) = (now, try drawnName())
        return try await store.catalogue.write { transaction in
            guard try !SecondFactors.isAsked(of: pending.subject, in: transaction) else {
                try PendingSignIns.begin(name, pending, at: now, in: transaction)
                return .code(name)
            }
            try Self.begin(name, pending, client, at: now, in: transaction)
            return .session(name)
        }
    }

    private static func begin(
        _ name: String, _ pending: PendingSignIn, _ client: String, at now: Instant,
        in transaction: any WriteTransaction
    ) throws {
        let client = short(client)
        if let person = pending.person {
            try OperatorSessions.begin(name, for: person, team: pending.team, client: client, at: now, in: transaction)
        } else if let token = pending.token {
            guard let entry = try OperatorTokens.named(token, at: now, in: transaction) else { throw Self.over }
            try OperatorSessions.begin(name, for: entry, at: now, in: transaction)
        } else {
            try OperatorSessions.beginOwner(name, client: client, at: now, in: transaction)
        }
    }

    /// What a browser calls itself, as much as is kept of it.
    private static func short(_ client: String) -> String { String(client.prefix(OperatorSessions.longestClient)) }

    private static var over: ServiceError {
        ServiceError(.linkExpired, "too much time has passed, or too many codes were wrong; sign in again")
    }

    // MARK: The code

    /// Whether a code is still waited for under a name.
    package func isWaiting(_ name: String) async throws -> Bool {
        let now = now
        return try await store.catalogue.read { try PendingSignIns.find(name, at: now, in: $0) } != nil
    }

    /// Begins the session that waited for a code: one of the authenticator app, or a recovery code. Gives its name.
    package func enter(
        _ waiting: String, code: String, at place: GuessPlace, client: String
    ) async throws -> String {
        let now = now
        guard let pending = try await store.catalogue.read({ try PendingSignIns.find(waiting, at: now, in: $0) })
        else { throw Self.over }
        let isRight = try await store.guesses.guess(at: place, of: .secondFactor(pending.subject)) {
            try await take(code, of: pending.subject, by: Self.actor(pending)) ? true : nil
        }
        guard isRight == true else {
            try await store.catalogue.write { try PendingSignIns.fail(waiting, in: $0) }
            throw ServiceError(.credentialsWrong, "the code is wrong, or was used already", parameter: "code")
        }
        let name = try drawnName()
        try await store.catalogue.write { transaction in
            guard try PendingSignIns.end(waiting, at: now, in: transaction) else { throw Self.over }
            try Self.begin(name, pending, client, at: now, in: transaction)
        }
        return name
    }

    private static func actor(_ pending: PendingSignIn) -> Actor {
        pending.subject == SecondFactors.owner
            ? .owner : Actor(person: pending.subject, role: .support, team: pending.team)
    }
}

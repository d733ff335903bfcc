package import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules
import StoreSigning

/// Invitations, applications, and what somebody does with the own account.
extension ConsoleSignIn {
    // MARK: Invitations

    /// What the page of a link shows; nil if the link is not good.
    ///
    /// - Returns: whether the person has a password already, by which it is accepted.
    package func invitation(
        of link: String
    ) async throws -> (invitation: Invitation, team: Team?, hasPassword: Bool)? {
        let now = now
        return try await store.catalogue.read { transaction in
            guard let found = try Invitations.find(link: link, at: now, in: transaction) else { return nil }
            let hasPassword = try People.passwordHash(of: found.key, in: transaction) != nil
            return (
                found, try found.team.flatMap { try Teams.find($0, in: transaction) },
                hasPassword && found.purpose != .password
            )
        }
    }

    /// Comes in by a link: with a password that is new, or with the one that the person has.
    ///
    /// - Parameter claims: whether the password is new although somebody has set one before, which a link of the store's allows.
    package func accept(
        _ link: String, password: String, claims: Bool = false, at place: GuessPlace, client: String
    ) async throws -> Entry {
        guard let found = try await invitation(of: link) else { throw Self.linkOver }
        let key = found.invitation.key
        var hash: String?
        let claims = claims && found.invitation.purpose == .claim
        if found.hasPassword, !claims {
            let isRight = try await store.guesses.guess(at: place, of: .person(key)) {
                try await matches(password, of: key) ? true : nil
            }
            guard isRight == true else { throw Self.wrong }
        } else {
            hash = try await hashed(password)
        }
        let (now, new) = (now, hash)
        let accepted = try await store.catalogue.write { transaction -> Invitation in
            guard let used = try Invitations.accept(link, claims: claims, at: now, in: transaction)
            else { throw Self.linkOver }
            if let new { try People.setPassword(new, of: key, at: now, in: transaction) }
            return used
        }
        return try await begin(
            PendingSignIn(subject: key, person: key, token: nil, team: accepted.team), client)
    }

    private static var linkOver: ServiceError {
        ServiceError(.linkExpired, "this link was used already, or its time is over; ask for another one")
    }

    func hashed(_ password: String) async throws -> String {
        guard People.passwordBytes.contains(password.utf8.count) else {
            throw ServiceError(
                .valueInvalid,
                "a password has \(People.passwordBytes.lowerBound) to \(People.passwordBytes.upperBound) bytes",
                parameter: "password")
        }
        return try await store.passwords.hash(password, for: .operators)
    }

    // MARK: Applications

    /// The text to which a team agrees that applies.
    package func agreement() async throws -> AgreementText {
        try await store.catalogue.read { try AgreementText.current(.paid, in: $0) }
    }

    /// Keeps the application of a team. Gives the link by which it is followed, which is told once.
    package func apply(
        _ draft: TeamApplications.Draft, at place: GuessPlace
    ) async throws -> (link: String, application: TeamApplication) {
        // Nobody is known here, so that each counts as a guess that is never right.
        _ = try await store.guesses.guess(at: place, of: .application) { () -> Bool? in nil }
        let (link, id, now) = (
            try TeamApplications.drawnLink(store.random), try TeamApplications.drawnID(store.random), now
        )
        let kept = try await store.catalogue.write { transaction in
            try TeamApplications.add(draft, link: link, id: id, at: now, in: transaction)
        }
        return (link, kept)
    }

    /// What the page of an application shows; nil if there is none of this link.
    ///
    /// - Returns: whether its owner may come in there, and has a password for it.
    package func application(
        of link: String
    ) async throws -> (application: TeamApplication, opens: Bool, hasPassword: Bool)? {
        try await store.catalogue.read { transaction in
            guard let found = try TeamApplications.find(link: link, in: transaction) else { return nil }
            return (
                found, try TeamApplications.opens(found, in: transaction),
                try People.passwordHash(of: found.email.lowercased(), in: transaction) != nil
            )
        }
    }

    /// Comes in as the first owner of a team that was approved.
    package func enter(
        withApplication link: String, password: String, at place: GuessPlace, client: String
    ) async throws -> Entry {
        guard let known = try await application(of: link), known.opens else { throw Self.linkOver }
        var new: String?
        if known.hasPassword {
            let key = known.application.email.lowercased()
            let isRight = try await store.guesses.guess(at: place, of: .person(key)) {
                try await matches(password, of: key) ? true : nil
            }
            guard isRight == true else { throw Self.wrong }
        } else {
            new = try await hashed(password)
        }
        let (hash, now) = (new, now)
        let found = try await store.catalogue.write { transaction -> TeamApplication in
            guard let found = try TeamApplications.find(link: link, in: transaction),
                try TeamApplications.opens(found, in: transaction)
            else { throw Self.linkOver }
            if let hash { try People.setPassword(hash, of: found.email.lowercased(), at: now, in: transaction) }
            try TeamApplications.enter(found, at: now, in: transaction)
            return found
        }
        let key = found.email.lowercased()
        return try await begin(PendingSignIn(subject: key, person: key, token: nil, team: found.team), client)
    }

    // MARK: The own account

    /// What somebody is a member of.
    package func memberships(of person: String) async throws -> [Membership] {
        try await store.catalogue.read { try People.memberships(of: person, in: $0) }
    }

    /// Where somebody is signed in.
    package func sessions(of person: String, own session: String) async throws -> [ListedSession] {
        let now = now
        return try await store.catalogue.read { transaction in
            try OperatorSessions.list(of: person, team: nil, own: session, at: now, in: transaction)
        }
    }

    package func endSession(_ id: String, of person: String) async throws {
        let now = now
        let isEnded = try await store.catalogue.write { transaction in
            try OperatorSessions.end(id: id, of: person, team: nil, at: now, in: transaction)
        }
        guard isEnded else {
            throw CatalogueError(.nameUnknown, "there is no session of this id", field: "sessionId")
        }
    }

    /// Acts for another team from now on, or for the store.
    package func act(for team: TeamID?, in session: String, of person: String) async throws {
        guard try await memberships(of: person).contains(where: { $0.team == team }) else {
            throw CatalogueError(.teamUnknown, "you are not a member there", field: "teamId")
        }
        try await store.catalogue.write { try OperatorSessions.move(session, to: team, in: $0) }
    }

    /// Sets another password, which ends every other session.
    ///
    /// - Parameter current: the one there is.
    package func changePassword(
        of person: String, from current: String, to new: String, in session: String, at place: GuessPlace
    ) async throws {
        let isRight = try await store.guesses.guess(at: place, of: .person(person)) {
            try await matches(current, of: person) ? true : nil
        }
        guard isRight == true else {
            throw ServiceError(.credentialsWrong, "the present password is another one", parameter: "current")
        }
        let (hash, now) = (try await hashed(new), now)
        try await store.catalogue.write {
            try People.setPassword(hash, of: person, keeping: session, at: now, in: $0)
        }
    }

    /// Notes now and then that a session is used.
    package func noteUse(of session: String, _ found: OperatorSessions.Session) async throws {
        let now = now
        guard found.usedAt.map({ $0 + OperatorSessions.useStep <= now }) ?? false else { return }
        try await store.catalogue.write { try OperatorSessions.noteUse(of: session, at: now, in: $0) }
    }
}

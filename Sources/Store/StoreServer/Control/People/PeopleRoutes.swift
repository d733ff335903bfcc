import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The people of teams and of the store, by HTTP: who is in, who is on the way in, and where they are signed in.
struct PeopleRoutes: Sendable {
    let store: ControlStore

    init(_ store: ControlStore) {
        self.store = store
    }

    private static let email = PathParameter<String>("email", rule: "an e-mail address") { $0.isEmpty ? nil : $0 }
    private static let invitation = PathParameter<String>("invitationId", rule: "the id of an invitation") {
        $0.isEmpty ? nil : $0
    }
    private static let session = PathParameter<String>("sessionId", rule: "the id of a session") {
        $0.isEmpty ? nil : $0
    }
    private static let tag = "people"
    private static let ofTeam = "/control/v1/teams/{teamId}"

    // MARK: Of a team

    /// What everybody of a team may read.
    var teamRoutes: [Route] {
        [
            .get(RoutePattern(Self.ofTeam + "/people")) { request in
                let (editing, team) = (store.editing(request), try request[TeamRoutes.teamID])
                let members = try await editing.team(team).members
                return try .json(
                    PeopleAnswer(
                        members.map { ($0.email, $0.name, $0.role, $0.addedAt) }, await editing.people(of: team)))
            }
            .described(
                "readTeamPeople", "The people of a team: members, invitations that are open, and who is signed in.",
                tag: Self.tag, parameters: TeamRoutes.one, answers: [.init(.ok, "They.", .of(PeopleAnswer.self))],
                refusals: [.teamUnknown])
        ]
    }

    /// What its owner does, and the store.
    var teamChanges: [Route] {
        changes(
            "Team", Self.ofTeam, people: Self.ofTeam + "/members", TeamRoutes.one, extra: [.teamUnknown]
        ) { request throws in
            try request[TeamRoutes.teamID]
        }
    }

    /// The changes that teams and the store have alike.
    ///
    /// - Parameters:
    ///   - word: what their ids end with.
    ///   - team: whose people they are; nil for the store's own.
    private func changes(
        _ word: String, _ path: String, people: String, _ parameters: [OperationDocumentation.Parameter],
        extra: [RefusalCode], _ team: @escaping @Sendable (HTTPRequest) throws -> TeamID?
    ) -> [Route] {
        let made = [
            OperationDocumentation.Response(
                .created, "The invitation, with its link, this once.", .of(InvitationAnswer.self))
        ]
        let ended = [OperationDocumentation.Response(.noContent, "It is over.")]
        return [
            .post(RoutePattern(path + "/invitations")) { request in
                let editing = store.editing(request)
                try editing.requirePeople(of: team(request))
                let wanted = try request.decode(InvitationRequest.self)
                let new = try await editing.invite(
                    wanted.email, name: wanted.name, role: .init(rawValue: wanted.role), to: team(request),
                    store.random)
                return try .json(InvitationAnswer(new.invitation, link: new.link), status: .created)
            }
            .described(
                "invite\(word)", "Invites somebody by a link, which opens once within seven days.", tag: Self.tag,
                parameters: parameters, body: .of(InvitationRequest.self), answers: made,
                refusals: extra + [.limitReached]),
            .delete(RoutePattern(path + "/invitations/{invitationId}")) { request in
                _ = try await store.editing(request).revokeInvitation(request[Self.invitation], of: team(request))
                return HTTPResponse(.noContent)
            }
            .described(
                "revokeInvitation\(word)", "Takes an invitation back.", tag: Self.tag,
                parameters: parameters + [.path(Self.invitation)], answers: ended, refusals: extra + [.nameUnknown]),
            .post(RoutePattern(people + "/{email}/recovery"), body: BodyPolicy.none) { request in
                let new = try await store.editing(request).recoverMember(
                    request[Self.email], of: team(request), store.random)
                return try .json(InvitationAnswer(new.invitation, link: new.link), status: .created)
            }
            .described(
                "recoverPerson\(word)", "Makes a link by which a member sets another password within the hour.",
                tag: Self.tag, parameters: parameters + [.path(Self.email)], answers: made,
                refusals: extra + [.nameUnknown, .limitReached]),
            .delete(RoutePattern(people + "/{email}/second-factor")) { request in
                try await store.editing(request).resetSecondFactor(of: request[Self.email], in: team(request))
                return HTTPResponse(.noContent)
            }
            .described(
                "resetSecondFactor\(word)",
                "Asks a member who has lost the authenticator app for no code any more, and ends the sessions.",
                tag: Self.tag, parameters: parameters + [.path(Self.email)], answers: ended,
                refusals: extra + [.nameUnknown]),
            .delete(RoutePattern(path + "/sessions/{sessionId}")) { request in
                try await store.editing(request).endSession(request[Self.session], of: team(request))
                return HTTPResponse(.noContent)
            }
            .described(
                "endSession\(word)", "Ends a session of the console.", tag: Self.tag,
                parameters: parameters + [.path(Self.session)], answers: ended, refusals: extra + [.nameUnknown]),
        ]
    }

    // MARK: Of the store

    /// What everybody of the store may read who may read of teams.
    var storeRoutes: [Route] {
        [
            .get("/control/v1/people") { request in try .json(await people(request)) }
                .described(
                    "readPeople", "The store's own people, their invitations, and who of them is signed in.",
                    tag: Self.tag, answers: [.init(.ok, "They.", .of(PeopleAnswer.self))]),
            .get("/control/v1/second-factor-rule") { request in
                let roles = try await store.editing(request).rolesWithSecondFactor()
                return try .json(SecondFactorRule(roles: roles.map(\.rawValue)))
            }
            .described(
                "readSecondFactorRule", "The roles that come in only with a second factor.", tag: Self.tag,
                answers: [.init(.ok, "The roles.", .of(SecondFactorRule.self))]),
        ]
    }

    /// What whoever has the machine of the store does; a token does none of it.
    var storeChanges: [Route] {
        let answer = [OperationDocumentation.Response(.ok, "They.", .of(PeopleAnswer.self))]
        return [
            .put("/control/v1/people/{email}") { request in
                let editing = store.editing(request)
                try editing.requirePeople(of: nil)
                let (email, wanted) = (try request[Self.email], try request.decode(MemberRequest.self))
                _ = try await editing.putStoreMember(
                    email, name: wanted.name, role: OperatorTokens.Role(rawValue: wanted.role))
                return try .json(await people(request))
            }
            .described(
                "putPerson", "Takes somebody among the store's own people, or gives another name or role.",
                tag: Self.tag, parameters: [.path(Self.email)], body: .of(MemberRequest.self), answers: answer,
                refusals: [.limitReached]),
            .delete("/control/v1/people/{email}") { request in
                _ = try await store.editing(request).removeStoreMember(request[Self.email])
                return try .json(await people(request))
            }
            .described(
                "removePerson", "Takes somebody out, whose sessions are over at once.", tag: Self.tag,
                parameters: [.path(Self.email)], answers: answer, refusals: [.nameUnknown]),
            .put("/control/v1/second-factor-rule") { request in
                let editing = store.editing(request)
                try editing.requirePeople(of: nil)
                let wanted = try request.decode(SecondFactorRule.self)
                let roles = try await editing.requireSecondFactor(
                    of: Set(wanted.roles.map(OperatorTokens.Role.init)))
                return try .json(SecondFactorRule(roles: roles.map(\.rawValue)))
            }
            .described(
                "putSecondFactorRule", "Says which roles come in only with a second factor.", tag: Self.tag,
                body: .of(SecondFactorRule.self), answers: [.init(.ok, "The roles.", .of(SecondFactorRule.self))]),
            .delete("/control/v1/second-factor") { request in
                try await store.editing(request).resetOwnersSecondFactor()
                return HTTPResponse(.noContent)
            }
            .described(
                "resetOwnersSecondFactor", "Asks whoever has the machine of the store for no code any more.",
                tag: Self.tag, answers: [.init(.noContent, "It is over.")], refusals: [.nameUnknown]),
        ] + changes("Store", "/control/v1", people: "/control/v1/people", [], extra: []) { _ in nil }
    }

    private func people(_ request: HTTPRequest) async throws -> PeopleAnswer {
        let editing = store.editing(request)
        return try await PeopleAnswer(
            editing.storePeople().map { ($0.email, $0.name, $0.role, $0.addedAt) }, editing.people(of: nil))
    }
}

import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// Teams, their members and agreements, and the audit of the catalogue, by HTTP.
struct TeamRoutes: Sendable {
    let store: ControlStore

    init(_ store: ControlStore) {
        self.store = store
    }

    static let teamID = PathParameter<TeamID>("teamId", rule: "the id of a team, such as my-team") {
        try? TeamID(parsing: $0)
    }
    private static let email = PathParameter<String>("email", rule: "an e-mail address") { $0.isEmpty ? nil : $0 }
    private static let kind = PathParameter<AgreementKind>("kind", rule: "free or paid") { text in
        let kind = AgreementKind(rawValue: text)
        return kind.isKnown ? kind : nil
    }
    static let tag = "teams"
    static let one = [OperationDocumentation.Parameter.path(teamID, schema: TeamID.schema)]
    private static let answer = [OperationDocumentation.Response(.ok, "The team.", .of(TeamAnswer.self))]

    /// What members of a team do, and everybody may read who may read of the team.
    var routes: [Route] { [list, show] + AuditRoutes(store).routes }

    private var list: Route {
        .get("/control/v1/teams", suspending: listTeams)
            .described(
                "listTeams", "The teams, in order of their ids.", tag: Self.tag, parameters: .page(by: TeamID.schema),
                answers: [.init(.ok, "A page.", .of(Page<TeamAnswer>.self))])
    }

    private var show: Route {
        .get("/control/v1/teams/{teamId}") { request in
            try .json(TeamAnswer(await store.editing(request).team(request[Self.teamID])))
        }
        .described(
            "readTeam", "A team with its members and agreements.", tag: Self.tag, parameters: Self.one,
            answers: Self.answer, refusals: [.teamUnknown])
    }

    /// Who is in a team.
    var memberRoutes: [Route] {
        let path = "/control/v1/teams/{teamId}/members/{email}"
        let parameters: [OperationDocumentation.Parameter] = Self.one + [.path(Self.email)]
        return [
            .put(RoutePattern(path)) { request in
                let (email, wanted) = (try request[Self.email], try request.decode(MemberRequest.self))
                return try .json(
                    TeamAnswer(
                        await store.editing(request).putMember(
                            email, name: wanted.name, role: OperatorTokens.Role(rawValue: wanted.role),
                            of: request[Self.teamID])))
            }
            .described(
                "putMember", "Takes somebody into a team, or gives a member another name or role.",
                description: "Tokens that were made for a former role are void.", tag: Self.tag, parameters: parameters,
                body: .of(MemberRequest.self), answers: Self.answer,
                refusals: [.teamUnknown, .limitReached, .stateWrong]),
            .delete(RoutePattern(path)) { request in
                let email = try request[Self.email]
                return try .json(
                    TeamAnswer(await store.editing(request).removeMember(email, of: request[Self.teamID])))
            }
            .described(
                "removeMember", "Takes somebody out of a team.", tag: Self.tag, parameters: parameters,
                answers: Self.answer, refusals: [.teamUnknown, .nameUnknown]),
        ]
    }

    /// What only the operator of the store does.
    var operatorRoutes: [Route] {
        let suspension = "/control/v1/teams/{teamId}/suspension"
        return [
            .put(RoutePattern(suspension)) { request in
                let reason = try request.decode(ReasonRequest.self).reason
                return try .json(
                    TeamAnswer(await store.editing(request).setSuspended(because: reason, request[Self.teamID])))
            }
            .described(
                "suspendTeam", "Keeps a team from selling anything new. What was bought stays and is restored.",
                tag: Self.tag, parameters: Self.one, body: .of(ReasonRequest.self), answers: Self.answer,
                refusals: [.teamUnknown]),
            .delete(RoutePattern(suspension)) { request in
                try .json(TeamAnswer(await store.editing(request).setSuspended(because: nil, request[Self.teamID])))
            }
            .described(
                "reinstateTeam", "Lets a team sell again.", tag: Self.tag, parameters: Self.one, answers: Self.answer,
                refusals: [.teamUnknown]),
            .post("/control/v1/teams/{teamId}/agreements/{kind}/end") { request in
                let (kind, reason) = (try request[Self.kind], try request.decode(ReasonRequest.self).reason)
                return try .json(
                    TeamAnswer(await store.editing(request).end(kind, of: request[Self.teamID], because: reason)))
            }
            .described(
                "endAgreement", "Ends an agreement of a team now.", tag: Self.tag,
                parameters: Self.one + [.path(Self.kind)], body: .of(ReasonRequest.self), answers: Self.answer,
                refusals: [.teamUnknown, .tooLate]),
        ]
    }

    /// Takes in a team, which sells nothing yet.
    var enrolment: Route {
        .post("/control/v1/teams") { request in
            let wanted = try request.decode(TeamRequest.self)
            let team = try await store.editing(request).addTeam(wanted.teamId, name: wanted.name)
            return try .json(TeamAnswer(team), status: .created)
        }
        .described(
            "addTeam", "Enrols a team, which has agreed to nothing yet.", tag: Self.tag,
            body: .of(TeamRequest.self), answers: [.init(.created, "The team.", .of(TeamAnswer.self))],
            refusals: [.nameTaken, .limitReached])
    }

    /// What concerns a team's money.
    var financeRoutes: [Route] {
        let finance = "/control/v1/teams/{teamId}/finance"
        let answer = [OperationDocumentation.Response(.ok, "The data.", .of(TeamFinanceMessage.self))]
        return [
            .put("/control/v1/teams/{teamId}/agreements/{kind}") { request in
                let (kind, wanted) = (try request[Self.kind], try request.decode(AgreementRequest.self))
                return try .json(
                    TeamAnswer(
                        await store.editing(request).accept(
                            kind, of: request[Self.teamID], by: wanted.acceptedBy, until: wanted.endsAt,
                            text: wanted.version)))
            }
            .described(
                "acceptAgreement", "Notes that a team agrees. Without the paid agreement nothing works in its apps.",
                tag: Self.tag, parameters: Self.one + [.path(Self.kind)], body: .of(AgreementRequest.self),
                answers: Self.answer, refusals: [.teamUnknown, .stateWrong]),
            .get(RoutePattern(finance)) { request in
                try .json(TeamFinanceMessage(await store.editing(request).finance(of: request[Self.teamID])))
            }
            .described(
                "readFinance", "Bank and tax data of a team.", tag: Self.tag, parameters: Self.one, answers: answer,
                refusals: [.teamUnknown]),
            .put(RoutePattern(finance)) { request in
                let wanted = try request.decode(TeamFinanceMessage.self)
                return try .json(
                    TeamFinanceMessage(
                        await store.editing(request).setFinance(of: request[Self.teamID]) { wanted.merged(over: $0) }))
            }
            .described(
                "setFinance", "Sets bank and tax data; what is left out stays, an empty text takes a value away.",
                tag: Self.tag, parameters: Self.one, body: .of(TeamFinanceMessage.self), answers: answer,
                refusals: [.teamUnknown, .stateWrong]),
        ]
    }

    private func listTeams(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try PageRequest<TeamID>(request)
        let found = try await store.editing(request).teams(after: wanted.after, limit: wanted.rows)
        return try .json(wanted.page(of: found, by: \.id, TeamAnswer.init))
    }
}

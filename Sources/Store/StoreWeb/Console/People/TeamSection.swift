import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// One team: who is in it and who is on the way in, what it has agreed to, where it is paid, and whether it sells.
struct TeamSection: ConsoleSection {
    let services: ConsoleServices

    static let team = PathParameter<TeamID>("teamId", rule: "the id of a team, such as my-team") {
        try? TeamID(parsing: $0)
    }

    var routes: [Route] { pages + peopleForms + storeForms + financeForms }

    private var pages: [Route] {
        [
            page("/team", for: .members, .both) { visit in
                redirect(to: visit.link(visit.actor.team.map { "/teams/\($0)" } ?? "/teams"))
            },
            page("/teams/{teamId}", for: .members, .both) { try await show($0) },
            page("/teams/{teamId}/finance", for: .finance, .production) {
                try await TeamFinancePage(services: services).show($0)
            },
        ]
    }

    // MARK: Forms

    /// What a link is shown once for.
    private func linked(
        _ path: String,
        _ make: @escaping @Sendable (ConsoleVisit, FormInput, TeamID) async throws -> NewInvitation
    ) -> Route {
        shown("/teams/{teamId}/" + path, for: .members, .production) { visit, input in
            try await show(visit, made: make(visit, input, visit.request[Self.team]))
        } else: {
            try await show($0)
        }
    }

    private func changing(
        _ path: String, for work: OperatorWork, done notice: Notice = .changed,
        _ change: @escaping @Sendable (ConsoleVisit, FormInput, TeamID) async throws -> Void
    ) -> Route {
        form("/teams/{teamId}/" + path, for: work, .production) { visit, input in
            let team = try visit.request[Self.team]
            try await change(visit, input, team)
            return visit.link("/teams/\(team)", done: notice)
        } else: {
            try await show($0)
        }
    }

    private var peopleForms: [Route] {
        [
            linked("invitations") { visit, input, team in
                try await visit.editing.invite(
                    input["email"], name: input["name"], role: .init(rawValue: input["role"]), to: team,
                    visit.services.random)
            },
            linked("recovery") { visit, input, team in
                try await visit.editing.recoverMember(input["email"], of: team, visit.services.random)
            },
            changing("invitations/withdrawal", for: .members) { visit, input, team in
                _ = try await visit.editing.revokeInvitation(input["invitation"], of: team)
            },
            changing("role", for: .members) { visit, input, team in
                _ = try await visit.editing.putMember(
                    input["email"], name: input["name"], role: .init(rawValue: input["role"]), of: team)
            },
            changing("removal", for: .members) { visit, input, team in
                _ = try await visit.editing.removeMember(input["email"], of: team)
            },
            changing("second-factor", for: .members) { visit, input, team in
                try await visit.editing.resetSecondFactor(of: input["email"], in: team)
            },
            changing("session", for: .members, done: .ended) { visit, input, team in
                try await visit.editing.endSession(input["session"], of: team)
            },
        ]
    }

    private var storeForms: [Route] {
        [
            changing("suspension", for: .teams) { visit, input, team in
                // A suspension without a reason is a reinstatement, which has a form of its own.
                guard !input["reason"].isEmpty else {
                    throw CatalogueError(.valueMissing, "a suspension has a reason", field: "reason")
                }
                _ = try await visit.editing.setSuspended(because: input["reason"], team)
            },
            changing("reinstatement", for: .teams) { visit, _, team in
                _ = try await visit.editing.setSuspended(because: nil, team)
            },
            changing("agreements/end", for: .teams) { visit, input, team in
                _ = try await visit.editing.end(
                    AgreementKind(rawValue: input["kind"]), of: team, because: input["reason"])
            },
        ]
    }

    private var financeForms: [Route] {
        [
            changing("agreements", for: .finance) { visit, input, team in
                guard input["agreed"] == "yes" else {
                    throw CatalogueError(.valueMissing, "read the text, and tick that the team agrees", field: "agreed")
                }
                _ = try await visit.editing.accept(
                    AgreementKind(rawValue: input["kind"]), of: team, by: input["by"], until: nil,
                    text: Int(input["version"]))
            },
            form("/teams/{teamId}/finance", for: .finance, .production) { visit, input in
                let team = try visit.request[Self.team]
                try await TeamFinancePage(services: services).change(visit, input, team)
                return visit.link("/teams/\(team)/finance", done: .changed)
            } else: {
                try await TeamFinancePage(services: services).show($0)
            },
        ]
    }

    // MARK: The page

    private func show(_ visit: ConsoleVisit, made: NewInvitation? = nil) async throws -> HTTPResponse {
        let id = try visit.request[Self.team]
        let shown = try await TeamPage(visit: visit, id)
        var page = ConsolePage(
            visit: visit, title: shown.details.team.name, place: visit.actor.team == nil ? .teams : .team)
        if visit.actor.team == nil { page.crumbs = [("Teams", visit.link("/teams"))] }
        page.tag = shown.tag
        page.lede = shown.lede
        page.alternatives = shown.alternatives
        return try await page.response {
            if let made { PeopleCards.link(made, visit) }
            shown.content
        }
    }
}

import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The teams that sell, and those that would like to.
struct TeamsSection: ConsoleSection {
    let services: ConsoleServices

    /// Applications that are shown.
    private static let mostApplications = 100
    private static let application = PathParameter<String>("applicationId", rule: "the id of an application") {
        $0.isEmpty ? nil : $0
    }
    private static let kind = PathParameter<AgreementKind>("kind", rule: "free or paid") { text in
        let kind = AgreementKind(rawValue: text)
        return kind.isKnown ? kind : nil
    }

    var routes: [Route] {
        [
            page("/teams", for: .teams, .both) { try await list($0) },
            form("/teams", for: .teams, .both) { visit, input in
                let id = try TeamID(parsing: input["teamId"])
                _ = try await visit.editing.addTeam(id, name: input["name"])
                return visit.link("/teams/\(id)", done: .made)
            } else: {
                try await list($0)
            },
            page("/teams/applications", for: .teams, .both) { try await applications($0) },
            form("/teams/applications/{applicationId}/approval", for: .teams, .production) { visit, _ in
                let asked = try await visit.editing.approveApplication(visit.request[Self.application])
                return visit.link("/teams/\(asked.team)", done: .applied)
            } else: {
                try await applications($0)
            },
            form("/teams/applications/{applicationId}/refusal", for: .teams, .production) { visit, input in
                _ = try await visit.editing.refuseApplication(
                    visit.request[Self.application], because: input["reason"])
                return visit.link("/teams/applications", done: .applied)
            } else: {
                try await applications($0)
            },
            page("/agreements/{kind}", for: .members, .both) { try await text($0) },
            form("/agreements/{kind}", for: .teams, .production) { visit, input in
                let kind = try visit.request[Self.kind]
                _ = try await visit.editing.publishAgreement(input["text"], as: kind)
                return visit.link("/agreements/\(kind.rawValue)", done: .changed)
            } else: {
                try await text($0)
            },
        ]
    }

    // MARK: Teams

    private func list(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let after = visit.query["after"].flatMap { try? TeamID(parsing: $0) }
        let teams = try await visit.editing.teams(after: after, limit: ListLimits.rows + 1)
        let waiting = try await visit.editing.applications(limit: Self.mostApplications).count { !$0.isDecided }
        var page = ConsolePage(visit: visit, title: "Teams", place: .teams)
        page.lede =
            waiting == 0
            ? "Those who sell here. Nobody waits for a decision."
            : "\(waiting) \(waiting == 1 ? "team waits" : "teams wait") for your decision."
        page.actions = [
            a(.class(waiting == 0 ? "button" : "button primary"), .href(visit.link("/teams/applications"))) {
                "Applications"
            }
        ]
        page.alternatives = [
            .init(command: "teams list", request: "/teams"),
            .init(
                command: "teams add monkeysoft 'Monkey Software'", request: "POST /teams",
                body: #"{"teamId":"monkeysoft","name":"Monkey Software"}"#),
        ]
        return try await page.response {
            DataTable(
                title: "Teams", columns: [.text("Team"), .text("State"), .optional("Since")],
                rows: teams.prefix(ListLimits.rows).map { team in
                    [
                        [
                            a(.href(visit.link("/teams/\(team.id)"))) { team.name },
                            span(.class("faint")) { " \(team.id)" },
                        ],
                        [team.suspendedAt == nil ? tag(.good, "sells") : tag(.bad, "suspended")],
                        [ago(team.createdAt, visit.now)],
                    ]
                }, empty: [p { "There is no team yet. It comes with the first app, or with the form below." }],
                next: teams.count > ListLimits.rows
                    ? visit.link("/teams", ("after", teams[ListLimits.rows - 1].id.text)) : nil
            ).element
            if visit.may(.teams, change: true, .both) {
                details(.class("card make")) {
                    summary { "Enrol a team" }
                    visit.form("/teams", .class("fields")) {
                        field("teamId", "Id: small letters, digits, hyphens", isRequired: true)
                        field("name", "Name", isRequired: true)
                        button(.class("primary")) { "Enrol it" }
                        p(.class("muted")) {
                            "It has agreed to nothing yet, and sells nothing before it has. A team that applies by itself at "
                            a(.href(Link("/console/apply"))) { "the public form" }
                            " has."
                        }
                    }
                }
            }
        }
    }

    // MARK: Applications

    private func applications(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let found = try await visit.editing.applications(limit: Self.mostApplications)
        let waiting = found.filter { !$0.isDecided }
        var page = ConsolePage(visit: visit, title: "Applications", place: .teams)
        page.crumbs = [("Teams", visit.link("/teams"))]
        page.lede =
            waiting.isEmpty
            ? "Nobody waits for a decision." : "\(waiting.count) of \(found.count) wait for your decision."
        page.alternatives = [.init(command: "teams applications", request: "/applications")]
        if let first = waiting.first {
            page.alternatives += [
                .init(command: "teams approve \(first.id)", request: "POST /applications/\(first.id)/approval"),
                .init(
                    command: "teams refuse \(first.id) --because 'not our kind of app'",
                    request: "POST /applications/\(first.id)/refusal", body: #"{"reason":"not our kind of app"}"#),
            ]
        }
        return try await page.response {
            for asked in waiting { application(asked, visit) }
            DataTable(
                title: "Decided", columns: [.text("Team"), .text("Decision"), .optional("By"), .optional("When")],
                rows: found.filter(\.isDecided).map { asked in
                    [
                        asked.approvedAt == nil
                            ? [asked.teamName]
                            : [a(.href(visit.link("/teams/\(asked.team)"))) { asked.teamName }],
                        [asked.reason.map { "refused: \($0)" } ?? tag(.good, "approved")],
                        [asked.decidedBy.map { Actor.words(of: $0) } ?? ""],
                        [(asked.approvedAt ?? asked.refusedAt).map { ago($0, visit.now) } ?? ""],
                    ]
                },
                empty: waiting.isEmpty
                    ? [
                        p { "No team has applied. This is the form that teams fill in:" },
                        p { a(.href(Link("/console/apply"))) { "/console/apply" } },
                    ] : [p { "None was decided about yet." }]
            ).element
        }
    }

    private func application(_ asked: TeamApplication, _ visit: ConsoleVisit) -> Element {
        card(asked.teamName) {
            facts([
                ("Id", [asked.team.text]), ("Asks", ["\(asked.name), \(asked.email)"]),
                ("Would sell", [asked.plans.isEmpty ? "nothing said" : asked.plans]),
                ("Agreed", ["to text \(asked.agreedVersion), ", ago(asked.createdAt, visit.now)]),
            ])
            if visit.may(.teams, change: true, .production) {
                div(.class("buttons")) {
                    visit.form("/teams/applications/\(asked.id)/approval") {
                        button(.class("primary")) { "Approve: \(asked.team) may sell" }
                    }
                    asking("Refuse…", "\(asked.name) reads the reason on the page of the application.") {
                        visit.form("/teams/applications/\(asked.id)/refusal") {
                            label {
                                "Reason: "
                                input(.name("reason"), .isRequired, .longest(Teams.longestReason))
                            }
                            button(.class("danger")) { "Refuse \(asked.team)" }
                        }
                    }
                }
            }
        }
    }

    // MARK: Agreements

    private func text(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let text = try await visit.editing.agreementText(visit.request[Self.kind])
        var page = ConsolePage(
            visit: visit, title: "The \(text.kind.rawValue) agreement",
            place: visit.actor.team == nil ? .teams : .team)
        if visit.actor.team == nil { page.crumbs = [("Teams", visit.link("/teams"))] }
        page.lede =
            text.publishedAt.map { "Text \(text.version), published \($0.rfc3339.prefix(10))." }
            ?? "The text that comes with Till. A store publishes its own in its place."
        page.alternatives = [
            .init(command: "agreements text \(text.kind.rawValue)", request: "/agreements/\(text.kind.rawValue)")
        ]
        return try await page.response {
            section(.class("card")) { div(.class("in agreement")) { paragraphs(text.body) } }
            if visit.may(.teams, change: true, .production) {
                details(.class("card make")) {
                    summary { "Publish another text" }
                    visit.form("/agreements/\(text.kind.rawValue)", .class("stacked")) {
                        label(.for("text")) { "The whole text; an empty line begins a paragraph" }
                        textarea(.id("text"), .name("text"), .rows(12), .isRequired) { text.body }
                        button(.class("primary")) { "Publish text \(text.version + 1)" }
                        p(.class("muted")) { "Teams that have agreed already go on with the text that they read." }
                    }
                }
            }
        }
    }
}

import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// The store's own people, and which roles come in only with a second factor.
struct StorePeopleSection: ConsoleSection {
    let services: ConsoleServices

    private static let path = "/people"

    var routes: [Route] {
        [
            page(Self.path, for: .teams, .both) { try await show($0) },
            linked("invitations") { visit, input in
                try await visit.editing.invite(
                    input["email"], name: input["name"], role: .init(rawValue: input["role"]), to: nil,
                    visit.services.random)
            },
            linked("recovery") { visit, input in
                try await visit.editing.recoverMember(input["email"], of: nil, visit.services.random)
            },
            changing("invitations/withdrawal") { visit, input in
                _ = try await visit.editing.revokeInvitation(input["invitation"], of: nil)
            },
            changing("role") { visit, input in
                _ = try await visit.editing.putStoreMember(
                    input["email"], name: input["name"], role: .init(rawValue: input["role"]))
            },
            changing("removal") { visit, input in _ = try await visit.editing.removeStoreMember(input["email"]) },
            changing("second-factor") { visit, input in
                try await visit.editing.resetSecondFactor(of: input["email"], in: nil)
            },
            changing("session") { visit, input in try await visit.editing.endSession(input["session"], of: nil) },
            changing("rule") { visit, input in
                _ = try await visit.editing.requireSecondFactor(
                    of: Set(input.items.values("roles").map(OperatorTokens.Role.init)))
            },
        ]
    }

    private func linked(
        _ act: String, _ make: @escaping @Sendable (ConsoleVisit, FormInput) async throws -> NewInvitation
    ) -> Route {
        shown("\(Self.path)/\(act)", for: .teams, .production) { visit, input in
            try await show(visit, made: make(visit, input))
        } else: {
            try await show($0)
        }
    }

    private func changing(
        _ act: String, _ change: @escaping @Sendable (ConsoleVisit, FormInput) async throws -> Void
    ) -> Route {
        form("\(Self.path)/\(act)", for: .teams, .production) { visit, input in
            try await change(visit, input)
            return visit.link(Self.path, done: .changed)
        } else: {
            try await show($0)
        }
    }

    private func show(_ visit: ConsoleVisit, made: NewInvitation? = nil) async throws -> HTTPResponse {
        let members = try await visit.editing.storePeople()
        let people = try await visit.editing.people(of: nil)
        let required = try await visit.editing.rolesWithSecondFactor()
        var page = ConsolePage(visit: visit, title: "People of the store", place: .storePeople)
        page.lede =
            members.isEmpty
            ? "Nobody but whoever has the machine of the store. Invite those who look after it with you."
            : "\(members.count) \(members.count == 1 ? "looks" : "look") after all teams, \(people.withFactor.count) of them "
                + "with a second factor."
        page.alternatives = [
            // What changes them wants the machine or a password: a token does none of it.
            .init(command: "people list", request: "/people"),
            .init(command: "people invite ada@example.com --name Ada --role reviewer"),
            .init(command: "second-factor require operator finance"),
        ]
        return try await page.response {
            if let made { PeopleCards.link(made, visit) }
            div(.class("two")) {
                div(.class("stack")) {
                    PeopleCards(
                        visit: visit, people: people, roles: OperatorTokens.Role.ofStore, path: Self.path,
                        members: members.map { .init(email: $0.email, name: $0.name, role: $0.role) },
                        mayChange: visit.actor.keepsStore
                    ).content
                }
                div(.class("stack")) { card("Second factor") { rule(Set(required), visit) } }
            }
        }
    }

    @HTMLBuilder private func rule(_ required: Set<OperatorTokens.Role>, _ visit: ConsoleVisit) -> [any HTML] {
        p {
            required.isEmpty
                ? "No role needs one. Everybody may set one up under “Your account”."
                : "Whoever has one of these roles comes in only with one."
        }
        if visit.actor.keepsStore {
            visit.form("\(Self.path)/rule", .class("stacked")) {
                let roles = OperatorTokens.Role.ofStore + OperatorTokens.Role.ofMembers.filter { !Self.isOfStore($0) }
                fieldset {
                    legend(.class("unseen")) { "Roles that need a second factor" }
                    for role in roles {
                        label {
                            input(
                                .type("checkbox"), .name("roles"), .value(role.rawValue),
                                required.contains(role) ? .isChecked : nil)
                            " \(role.rawValue)"
                        }
                    }
                }
                button { "Need it for these" }
            }
        }
    }

    private static func isOfStore(_ role: OperatorTokens.Role) -> Bool { OperatorTokens.Role.ofStore.contains(role) }
}

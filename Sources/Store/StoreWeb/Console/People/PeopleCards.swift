import StoreCatalogue
import StoreModel
import StoreService

/// The people of a team or of the store: members with what can be done about them, invitations, and who is signed in.
struct PeopleCards {
    /// One of them.
    struct Member {
        let email: String
        let name: String
        let role: OperatorTokens.Role
    }

    let visit: ConsoleVisit
    let people: PeopleDetails
    let roles: [OperatorTokens.Role]
    /// The page of it, below the environment; its forms are sent to places below that.
    let path: String
    let members: [Member]
    let mayChange: Bool

    /// A link that was just made. Nobody sends mail here: whoever made it hands it over.
    static func link(_ made: NewInvitation, _ visit: ConsoleVisit) -> Element {
        let address = visit.services.address(.production)?.description ?? ""
        let what = made.invitation.purpose == .password ? "to another password" : "to come in"
        return once(
            "The link \(what) for \(made.invitation.email). It opens once, until "
                + "\(made.invitation.expiresAt.written). Hand it over yourself; it is "
                + "shown this once:", "\(address)/console/invitation/\(made.link)")
    }

    @HTMLBuilder var content: [any HTML] {
        section {
            h2 { "Members" }
            memberTable
        }
        if mayChange { invitationForm }
        if !people.invitations.isEmpty {
            section {
                h2 { "On the way in" }
                invitationTable
            }
        }
        section {
            h2 { "Signed in" }
            SessionTable(visit: visit, sessions: people.sessions, path: "\(path)/session", mayEnd: mayChange).element
        }
    }

    // MARK: Members

    private var memberTable: [any HTML] {
        DataTable(
            title: "Members", columns: [.text("Who"), .text("Role"), .optional("Comes in by"), .text("")],
            rows: members.map { member in
                let key = member.email.lowercased()
                let ways = [
                    people.withPassword.contains(key) ? "a password" : "a token only, until invited",
                    people.withFactor.contains(key) ? "and a code" : "",
                ]
                return [
                    [member.name, p(.class("faint")) { member.email }], [member.role.rawValue],
                    [ways.filter { !$0.isEmpty }.joined(separator: " ")],
                    mayChange ? [changes(of: member, key)] : [],
                ]
            }, empty: [p { "Nobody yet. An invitation by link brings in the first." }]
        ).element
    }

    private func changes(of member: Member, _ key: String) -> Element {
        details(.class("asking")) {
            summary(.class("button")) { "Change…" }
            visit.form("\(path)/role") {
                hidden("email", member.email)
                hidden("name", member.name)
                label {
                    "Role: "
                    select(.name("role")) {
                        for role in roles {
                            option(.value(role.rawValue), role == member.role ? .isSelected : nil) { role.rawValue }
                        }
                    }
                }
                button { "Give this role" }
            }
            if people.withPassword.contains(key) {
                posted("recovery", member, "Make a link to another password")
            }
            if people.withFactor.contains(key) {
                posted("second-factor", member, "Reset the second factor, which ends every session")
            }
            asking("Remove…", "Sessions and tokens of \(member.email) are over at once.") {
                posted("removal", member, "Remove \(member.email)", "danger")
            }
        }
    }

    private func posted(_ act: String, _ member: Member, _ title: String, _ kind: String? = nil) -> Element {
        visit.form("\(path)/\(act)") {
            hidden("email", member.email)
            button(kind.map { .class($0) }) { title }
        }
    }

    // MARK: Invitations

    private var invitationForm: Element {
        StoreWeb.details(.class("card make")) {
            summary { "Invite somebody" }
            visit.form("\(path)/invitations", .class("fields")) {
                field("email", "E-mail", type: "email", isRequired: true)
                field("name", "Name", isRequired: true)
                div {
                    label(.for("role")) { "Role" }
                    select(.id("role"), .name("role")) {
                        for role in roles { option(.value(role.rawValue)) { Self.words(role) } }
                    }
                }
                button(.class("primary")) { "Make the link" }
            }
        }
    }

    private static func words(_ role: OperatorTokens.Role) -> String {
        switch role {
        case .operator: "operator: everything"
        case .owner: "owner: everything of the team"
        case .developer: "developer: apps, products and prices"
        case .reviewer: "reviewer: what waits for a review"
        case .finance: "finance: agreements, bank and tax"
        case .support: "support: customers, as far as the team sees them"
        default: role.rawValue
        }
    }

    private var invitationTable: [any HTML] {
        DataTable(
            title: "On the way in",
            columns: [.text("Who"), .text("As"), .optional("Invited by"), .text("Until"), .text("")],
            rows: people.invitations.map { invitation in
                [
                    [invitation.name, p(.class("faint")) { invitation.email }],
                    [invitation.purpose == .password ? "another password" : invitation.role.rawValue],
                    [Actor.words(of: invitation.madeBy)], [ago(invitation.expiresAt, visit.now)],
                    mayChange
                        ? [
                            visit.form("\(path)/invitations/withdrawal") {
                                hidden("invitation", invitation.id)
                                button { "Take it back" }
                            }
                        ] : [],
                ]
            }, empty: []
        ).element
    }
}

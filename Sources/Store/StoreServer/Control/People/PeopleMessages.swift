import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreRules
import StoreService

/// Somebody who is to come in.
package struct InvitationRequest: Codable, Hashable, Sendable {
    package let email: String
    package let name: String
    package let role: String

    package init(email: String, name: String, role: String) {
        (self.email, self.name, self.role) = (email, name, role)
    }
}

/// A link that waits to be opened.
package struct InvitationAnswer: Codable, Hashable, Sendable {
    package let invitationId: String
    package let purpose: String
    package let teamId: TeamID?
    package let email: String
    package let name: String
    package let role: String
    package let madeBy: String
    package let createdAt: Instant
    package let expiresAt: Instant
    /// The path of its page, in the answer that makes it and nowhere else.
    package var path: String?

    init(_ invitation: Invitation, link: String? = nil) {
        invitationId = invitation.id
        purpose = (invitation.purpose == .password ? Invitation.Purpose.password : .membership).rawValue
        teamId = invitation.team
        (email, name, role) = (invitation.email, invitation.name, invitation.role.rawValue)
        (madeBy, createdAt, expiresAt) = (invitation.madeBy, invitation.createdAt, invitation.expiresAt)
        path = link.map { "/console/invitation/\($0)" }
    }
}

/// Where somebody is signed in.
package struct SessionAnswer: Codable, Hashable, Sendable {
    package let sessionId: String
    /// Missing for a session of whoever has the machine of the store.
    package let person: String?
    package let client: String?
    package let createdAt: Instant
    package let usedAt: Instant?
    package let expiresAt: Instant

    init(_ session: ListedSession) {
        (sessionId, person, client) = (session.id, session.person, session.client)
        (createdAt, usedAt, expiresAt) = (session.createdAt, session.usedAt, session.expiresAt)
    }
}

/// The people of a team, or of the store.
package struct PeopleAnswer: Codable, Hashable, Sendable {
    package struct Member: Codable, Hashable, Sendable {
        package let email: String
        package let name: String
        package let role: String
        package let addedAt: Instant
        package let hasPassword: Bool
        package let hasSecondFactor: Bool
    }

    package let members: [Member]
    package let invitations: [InvitationAnswer]
    package let sessions: [SessionAnswer]

    init(
        _ members: [(email: String, name: String, role: OperatorTokens.Role, addedAt: Instant)], _ people: PeopleDetails
    ) {
        self.members = members.map { member in
            let key = member.email.lowercased()
            return Member(
                email: member.email, name: member.name, role: member.role.rawValue, addedAt: member.addedAt,
                hasPassword: people.withPassword.contains(key), hasSecondFactor: people.withFactor.contains(key))
        }
        invitations = people.invitations.map { InvitationAnswer($0) }
        sessions = people.sessions.map(SessionAnswer.init)
    }
}

/// The roles that come in only with a second factor.
package struct SecondFactorRule: Codable, Hashable, Sendable {
    package let roles: [String]

    package init(roles: [String]) {
        self.roles = roles
    }
}

/// The application of a team.
package struct ApplicationAnswer: Codable, Hashable, Sendable {
    package let applicationId: String
    package let teamId: TeamID
    package let teamName: String
    package let email: String
    package let name: String
    package let plans: String
    /// The text of the paid agreement that was accepted with it.
    package let agreedVersion: Int
    package let createdAt: Instant
    package let approvedAt: Instant?
    package let refusedAt: Instant?
    package let reason: String?
    package let decidedBy: String?

    init(_ asked: TeamApplication) {
        (applicationId, teamId, teamName) = (asked.id, asked.team, asked.teamName)
        (email, name, plans) = (asked.email, asked.name, asked.plans)
        (agreedVersion, createdAt) = (asked.agreedVersion, asked.createdAt)
        (approvedAt, refusedAt, reason, decidedBy) = (asked.approvedAt, asked.refusedAt, asked.reason, asked.decidedBy)
    }
}

/// The text of an agreement.
package struct AgreementTextAnswer: Codable, Hashable, Sendable {
    package let kind: String
    /// 0 for the one that comes with Till.
    package let version: Int
    package let text: String
    package let publishedAt: Instant?

    init(_ text: AgreementText) {
        (kind, version, publishedAt) = (text.kind.rawValue, text.version, text.publishedAt)
        self.text = text.body
    }
}

/// A text that is published.
package struct AgreementTextRequest: Codable, Hashable, Sendable {
    package let text: String

    package init(text: String) {
        self.text = text
    }
}

extension InvitationRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        let roles = Set((OperatorTokens.Role.ofMembers + OperatorTokens.Role.ofStore).map(\.rawValue)).sorted()
        return ["name": visibleText(Teams.longestName), "role": .string(among: roles)]
    }
}

extension InvitationAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "purpose": .string(among: ["membership", "password"]),
            "path": .string("The path of its page at the address of production; only in the answer that makes it."),
        ]
    }
}

extension SessionAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["person": .string("Whose it is; missing for whoever has the machine of the store.")]
    }
}

extension PeopleAnswer.Member: SchemaMessage {
    package static var schemas: [String: JSONSchema] { [:] }
}

extension PeopleAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "members": .array(of: .of(Member.self)), "invitations": .array(of: .of(InvitationAnswer.self)),
            "sessions": .array(of: .of(SessionAnswer.self)),
        ]
    }
}

extension SecondFactorRule: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        let roles = Set((OperatorTokens.Role.ofMembers + OperatorTokens.Role.ofStore).map(\.rawValue)).sorted()
        return ["roles": .array(of: .string(among: roles))]
    }
}

extension ApplicationAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["reason": .string("Why it was refused.")] }
}

extension AgreementTextAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["kind": .string(among: ["free", "paid"]), "version": .integer(minimum: 0)]
    }
}

extension AgreementTextRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["text": .string("An empty line begins a paragraph.", lengths: 1...AgreementText.longest)]
    }
}

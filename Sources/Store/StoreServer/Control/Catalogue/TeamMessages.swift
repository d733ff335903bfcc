import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreRules
import StoreService

/// A team as the control interface tells it.
package struct TeamAnswer: Codable, Hashable, Sendable {
    package struct Member: Codable, Hashable, Sendable {
        package let email: String
        package let name: String
        package let role: String
        package let addedAt: Instant
    }

    package struct Agreement: Codable, Hashable, Sendable {
        package let kind: String
        package let isValid: Bool
        package let acceptedAt: Instant
        package let acceptedBy: String
        package let endsAt: Instant?
        package let endedReason: String?
        /// Which text was read; missing where none was shown.
        package let textVersion: Int?
    }

    package let teamId: TeamID
    package let name: String
    package let createdAt: Instant
    package let suspendedAt: Instant?
    package let suspensionReason: String?
    /// Only where one team is asked for.
    package var members: [Member]?
    package var agreements: [Agreement]?
    /// What is missing before anything could be paid out.
    package var missingForPayout: [String]?

    init(_ team: Team) {
        teamId = team.id
        name = team.name
        createdAt = team.createdAt
        suspendedAt = team.suspendedAt
        suspensionReason = team.suspensionReason
    }

    init(_ details: TeamDetails) {
        self.init(details.team)
        members = details.members.map {
            Member(email: $0.email, name: $0.name, role: $0.role.rawValue, addedAt: $0.addedAt)
        }
        agreements = details.agreements.map {
            Agreement(
                kind: $0.kind.rawValue, isValid: $0.isValid(at: details.at), acceptedAt: $0.acceptedAt,
                acceptedBy: $0.acceptedBy, endsAt: $0.endsAt, endedReason: $0.endedReason, textVersion: $0.textVersion)
        }
        missingForPayout = details.finance.missing
    }
}

/// A team that is enrolled.
package struct TeamRequest: Codable, Hashable, Sendable {
    package let teamId: TeamID
    package let name: String

    package init(teamId: TeamID, name: String) {
        self.teamId = teamId
        self.name = name
    }
}

/// Why something is taken away.
package struct ReasonRequest: Codable, Hashable, Sendable {
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}

/// Somebody who is to be in a team.
package struct MemberRequest: Codable, Hashable, Sendable {
    package let name: String
    package let role: String

    package init(name: String, role: String) {
        self.name = name
        self.role = role
    }
}

/// Who agrees, and until when.
package struct AgreementRequest: Codable, Hashable, Sendable {
    package let acceptedBy: String
    package let endsAt: Instant?
    /// The text that was read; missing where none was shown.
    package let version: Int?

    package init(acceptedBy: String, endsAt: Instant?, version: Int? = nil) {
        self.acceptedBy = acceptedBy
        self.endsAt = endsAt
        self.version = version
    }
}

/// Bank and tax data of a team.
package struct TeamFinanceMessage: Codable, Hashable, Sendable {
    package var accountHolder: String?
    package var iban: String?
    package var bic: String?
    package var legalName: String?
    package var taxCountry: String?
    package var taxId: String?
    package var address: String?
    /// What the change was made from; it is refused where somebody has changed the data meanwhile. Missing for whatever is there.
    package var revision: Int?

    package init() {}

    init(_ finance: TeamFinance) {
        accountHolder = finance.accountHolder
        iban = finance.iban
        bic = finance.bic
        legalName = finance.legalName
        taxCountry = finance.taxCountry
        taxId = finance.taxId
        address = finance.address
        revision = finance.revision
    }

    /// What it says over what there was; an empty text takes a value away.
    func merged(over finance: TeamFinance) -> TeamFinance {
        func value(_ new: String?, _ old: String?) -> String? { new.map { $0.isEmpty ? nil : $0 } ?? old }
        var merged = finance
        merged.accountHolder = value(accountHolder, finance.accountHolder)
        merged.iban = value(iban, finance.iban)
        merged.bic = value(bic, finance.bic)
        merged.legalName = value(legalName, finance.legalName)
        merged.taxCountry = value(taxCountry, finance.taxCountry)
        merged.taxId = value(taxId, finance.taxId)
        merged.address = value(address, finance.address)
        merged.revision = revision ?? finance.revision
        return merged
    }
}

extension TeamAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["missingForPayout": .array(of: .string(), description: "What is missing before anything could be paid out.")]
    }
}

extension TeamRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["teamId": TeamID.schema, "name": visibleText(Teams.longestName)]
    }
}

extension ReasonRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["reason": visibleText(Teams.longestReason)] }
}

extension MemberRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "name": visibleText(Teams.longestName),
            "role": .string(among: OperatorTokens.Role.ofMembers.map(\.rawValue)),
        ]
    }
}

extension AgreementRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["acceptedBy": visibleText(Teams.longestName)] }
}

extension TeamFinanceMessage: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "iban": .string("With right check digits.", example: "DE89370400440532013000"),
            "revision": .integer(minimum: 0), "bic": .string(example: "DEUTDEFF"),
            "taxCountry": .string("Three letters.", example: "DEU"),
        ]
    }
}

/// The schema of a text on one line.
func visibleText(_ longest: Int) -> JSONSchema {
    .string(pattern: CatalogueSchemas.visible, lengths: 1...longest)
}

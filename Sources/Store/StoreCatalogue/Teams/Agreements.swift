package import StoreDatabase
package import StoreModel
package import StoreRules

/// What a team has agreed to. Without the agreement about paid apps nothing of StoreKit works in its apps.
package struct Agreement: Hashable, Sendable {
    package let kind: AgreementKind
    package let acceptedAt: Instant
    package let acceptedBy: String
    /// When it ends, or has ended; nil for one without an end.
    package let endsAt: Instant?
    package let endedReason: String?
    /// Which text was accepted; nil where none was shown.
    package let textVersion: Int?

    static let columns: SQL = "kind, accepted_at, accepted_by, ends_at, ended_reason, text_version"

    init(_ row: Row) throws {
        var cells = row.cells
        kind = AgreementKind(rawValue: try cells.next())
        acceptedAt = try cells.next()
        acceptedBy = try cells.next()
        endsAt = try cells.next()
        endedReason = try cells.next()
        textVersion = try cells.next()
    }

    package func isValid(at now: Instant) -> Bool { endsAt.map { now < $0 } ?? true }
}

/// What teams agree to.
package enum Agreements {
    package static func list(of team: TeamID, in transaction: any ReadTransaction) throws -> [Agreement] {
        try transaction.query(
            "SELECT \(Agreement.columns) FROM team_agreement WHERE team_id = $1 ORDER BY kind", team,
            row: Agreement.init)
    }

    /// Of these apps, those whose team has agreed to something and is bound by it.
    static func isValid(
        _ kind: AgreementKind, ofApps ids: [AppID], at now: Instant, in transaction: any ReadTransaction
    ) throws -> Set<AppID> {
        let found = try transaction.query(
            """
            SELECT app.app_id FROM app JOIN team_agreement ON team_agreement.team_id = app.team_id
            WHERE app.app_id IN \(.numbers) AND team_agreement.kind = $2
                AND (team_agreement.ends_at IS NULL OR team_agreement.ends_at > $3)
            """, of: ids, kind.rawValue, now
        ) { try $0.value(0, as: AppID.self) }
        return Set(found)
    }

    /// Notes that a team agrees; one that had ended begins anew.
    @discardableResult
    package static func accept(
        _ kind: AgreementKind, of team: TeamID, by name: String, until end: Instant? = nil, text version: Int? = nil,
        _ change: CatalogueChange
    ) throws -> [Agreement] {
        try change.require(.finance, in: .production)
        let kind = try checked(kind)
        let name = try CatalogueText.line(name, atMost: Teams.longestName, field: "acceptedBy")
        if let version, try AgreementText.current(kind, in: change.transaction).version != version {
            throw CatalogueError(
                .stateWrong, "there is another text of this agreement now; read that", field: "version")
        }
        if let end, end <= change.at {
            throw CatalogueError(.valueInvalid, "it is in the past", field: "endsAt")
        }
        _ = try Teams.require(team, in: change.transaction)
        return try note(kind, of: team, by: name, until: end, text: version, change)
    }

    /// The same for what was agreed to before, such as with an application.
    @discardableResult
    static func note(
        _ kind: AgreementKind, of team: TeamID, by name: String, until end: Instant? = nil, text version: Int?,
        _ change: CatalogueChange
    ) throws -> [Agreement] {
        try CatalogueAudit.audit(.team(team), "\(kind.rawValue) agreement accepted", change) {
            try change.transaction.insertOrUpdate(
                "team_agreement",
                [
                    "accepted_at": change.at, "accepted_by": name, "ends_at": end, "ended_reason": String?.none,
                    "text_version": version,
                ],
                key: ["team_id": team, "kind": kind.rawValue])
            return try list(of: team, in: change.transaction)
        }
    }

    /// Ends an agreement now.
    @discardableResult
    package static func end(
        _ kind: AgreementKind, of team: TeamID, because reason: String, _ change: CatalogueChange
    ) throws -> [Agreement] {
        try change.require(.teams, in: .production)
        let kind = try checked(kind)
        let reason = try CatalogueText.line(reason, atMost: Teams.longestReason, field: "reason")
        let standing = try list(of: team, in: change.transaction).contains {
            $0.kind == kind && $0.isValid(at: change.at)
        }
        guard standing else {
            throw CatalogueError(.tooLate, "team \(team) has no \(kind.rawValue) agreement that could be ended")
        }
        return try CatalogueAudit.audit(.team(team), "\(kind.rawValue) agreement ended", change) {
            try change.transaction.update(
                "team_agreement", ["ends_at": change.at, "ended_reason": reason],
                where: ["team_id": team, "kind": kind.rawValue])
            return try list(of: team, in: change.transaction)
        }
    }

    private static func checked(_ kind: AgreementKind) throws(CatalogueError) -> AgreementKind {
        guard kind.isKnown else { throw CatalogueError(.valueInvalid, "it is free or paid", field: "kind") }
        return kind
    }
}

/// Where a team's share would be paid to, and who it is to the tax office. Nothing is paid out yet.
package struct TeamFinance: Hashable, Sendable, Codable {
    package var accountHolder: String?
    package var iban: String?
    package var bic: String?
    package var legalName: String?
    package var taxCountry: String?
    package var taxId: String?
    package var address: String?
    /// How often it was changed; what a form was made from is changed only while it is the newest.
    package var revision = 0

    package init() {}

    private enum CodingKeys: CodingKey {
        case accountHolder, iban, bic, legalName, taxCountry, taxId, address
    }

    /// The same as those may see it who need not know it: the last four characters of account and tax number.
    package var masked: TeamFinance {
        func masked(_ text: String?) -> String? {
            text.map { String(repeating: "•", count: max(0, $0.count - 4)) + $0.suffix($0.count > 8 ? 4 : 0) }
        }
        var shown = self
        shown.iban = masked(iban)
        shown.taxId = masked(taxId)
        shown.address = address.map { _ in "•" }
        return shown
    }

    private enum Field: String {
        case accountHolder, iban, bic, legalName, taxCountry, taxId, address
    }

    /// The same as everybody may see it: which values there are.
    var concealed: TeamFinance {
        var shown = masked
        for path in [\TeamFinance.accountHolder, \.bic, \.legalName] where shown[keyPath: path] != nil {
            shown[keyPath: path] = "•"
        }
        return shown
    }

    /// What is missing before anything could be paid out.
    package var missing: [String] {
        let fields: [(Field, String?)] = [
            (.accountHolder, accountHolder), (.iban, iban), (.bic, bic), (.legalName, legalName),
            (.taxCountry, taxCountry), (.taxId, taxId), (.address, address),
        ]
        return fields.filter { $0.1 == nil }.map(\.0.rawValue)
    }

    /// The names of the values in which it is not as another.
    package func differences(from other: TeamFinance) -> [String] {
        let pairs: [(Field, String?, String?)] = [
            (.accountHolder, accountHolder, other.accountHolder), (.iban, iban, other.iban), (.bic, bic, other.bic),
            (.legalName, legalName, other.legalName), (.taxCountry, taxCountry, other.taxCountry),
            (.taxId, taxId, other.taxId), (.address, address, other.address),
        ]
        return pairs.filter { $0.1 != $0.2 }.map(\.0.rawValue)
    }

    /// The same in the form in which it is kept; throws the field whose form is wrong.
    package func checked() throws(CatalogueError) -> TeamFinance {
        var checked = self
        checked.accountHolder = try line(accountHolder, .accountHolder)
        checked.legalName = try line(legalName, .legalName)
        if let address {
            checked.address = try CatalogueText.lines(address, atMost: 400, field: Field.address.rawValue)
        }
        checked.iban = try iban.map { text throws(CatalogueError) in
            let text = text.replacing(" ", with: "").uppercased()
            guard BankFormats.isIBAN(text) else {
                throw CatalogueError(
                    .valueInvalid, "it is no IBAN: the length of its country or its check digits are wrong",
                    field: Field.iban.rawValue)
            }
            return text
        }
        checked.bic = try bic.map { text throws(CatalogueError) in
            let text = text.uppercased()
            guard BankFormats.isBIC(text) else {
                throw CatalogueError(.valueInvalid, "it is no BIC of 8 or 11 characters", field: Field.bic.rawValue)
            }
            return text
        }
        checked.taxCountry = try taxCountry.map { text throws(CatalogueError) in
            guard StorefrontRecord.storefront(alpha3: text) != nil else {
                throw CatalogueError(
                    .valueInvalid, "it is a country of three letters, as in DEU", field: Field.taxCountry.rawValue)
            }
            return text
        }
        checked.taxId = try taxId.map { text throws(CatalogueError) in
            guard (4...30).contains(text.utf8.count), text.utf8.allSatisfy(BankFormats.isInTaxNumber) else {
                throw CatalogueError(
                    .valueInvalid, "it has 4 to 30 letters, digits, spaces, periods, slashes and hyphens",
                    field: Field.taxId.rawValue)
            }
            return text
        }
        return checked
    }

    private func line(_ text: String?, _ field: Field) throws(CatalogueError) -> String? {
        guard let text else { return nil }
        return try CatalogueText.line(text, atMost: 140, field: field.rawValue)
    }
}

extension TeamFinance {
    package static func of(_ team: TeamID, in transaction: any ReadTransaction) throws -> TeamFinance {
        try transaction.optional(
            """
            SELECT account_holder, iban, bic, legal_name, tax_country, tax_id, address, coalesce(revision, 1)
            FROM team_finance
            WHERE team_id = $1
            """, team
        ) { row in
            var cells = row.cells
            var found = TeamFinance()
            found.accountHolder = try cells.next()
            found.iban = try cells.next()
            found.bic = try cells.next()
            found.legalName = try cells.next()
            found.taxCountry = try cells.next()
            found.taxId = try cells.next()
            found.address = try cells.next()
            found.revision = try cells.next()
            return found
        } ?? TeamFinance()
    }

    /// Keeps it in the place of what was there; refused where that is another revision than it was made from.
    package func put(
        of team: TeamID, _ change: CatalogueChange
    ) throws -> TeamFinance {
        let new = try checked()
        _ = try Teams.require(team, in: change.transaction)
        try change.require(.finance, in: .production)
        let former = try TeamFinance.of(team, in: change.transaction)
        guard former.revision == revision else {
            let changed = former.differences(from: new).joined(separator: ", ")
            throw CatalogueError(
                .stateWrong, "somebody else has changed it meanwhile; what is there now differs in: \(changed)",
                field: "revision")
        }
        return try CatalogueAudit.audit(.team(team), "bank and tax data changed", change) {
            try change.transaction.insertOrUpdate(
                "team_finance",
                [
                    "account_holder": new.accountHolder, "iban": new.iban, "bic": new.bic,
                    "legal_name": new.legalName, "tax_country": new.taxCountry, "tax_id": new.taxId,
                    "address": new.address, "changed_at": change.at, "revision": revision + 1,
                ], key: ["team_id": team])
            return try TeamFinance.of(team, in: change.transaction)
        }
    }
}

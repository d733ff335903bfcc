package import StoreDatabase
package import StoreModel

/// Second factors: an authenticator app for everybody who has one, and codes for the day on which it is lost.
///
/// The secrets are sealed and the codes are hashed by keys that are in another database.
package enum SecondFactors {
    /// Recovery codes that are made at a time.
    package static let recoveryCodes = 10
    /// Whose the factor of whoever has the machine of the store is.
    package static let owner = "owner"

    /// The factor of somebody.
    package struct Factor: Hashable, Sendable {
        package let sealedSecret: [UInt8]
        package let createdAt: Instant
        /// Nil until the first code of the app was typed; until then nobody is asked for one.
        package let confirmedAt: Instant?
        /// The step of the last code that was taken.
        package let lastStep: Int64?
    }

    package static func find(of subject: String, in transaction: any ReadTransaction) throws -> Factor? {
        try transaction.optional(
            "SELECT sealed_secret, created_at, confirmed_at, last_step FROM second_factor WHERE subject = $1", subject
        ) { row in
            var cells = row.cells
            return Factor(
                sealedSecret: try cells.next(), createdAt: try cells.next(), confirmedAt: try cells.next(),
                lastStep: try cells.next())
        }
    }

    /// Whether somebody is asked for a code.
    package static func isAsked(of subject: String, in transaction: any ReadTransaction) throws -> Bool {
        try find(of: subject, in: transaction)?.confirmedAt != nil
    }

    /// Of these, those who are asked for a code.
    package static func asked(in transaction: any ReadTransaction) throws -> Set<String> {
        Set(
            try transaction.query("SELECT subject FROM second_factor WHERE confirmed_at IS NOT NULL") {
                try $0.value(0)
            })
    }

    /// Keeps the secret of an app that is being set up, in place of one that never was.
    package static func begin(
        _ sealed: [UInt8], of subject: String, at now: Instant, in transaction: any WriteTransaction
    ) throws {
        try requireNone(of: subject, in: transaction)
        try transaction.insertOrUpdate(
            "second_factor",
            ["sealed_secret": sealed, "created_at": now, "confirmed_at": Instant?.none, "last_step": Int64?.none],
            key: ["subject": subject])
    }

    /// From now on codes are asked for. Throws if they are already.
    package static func confirm(
        _ subject: String, step: Int64, recovery hashes: [[UInt8]], _ change: CatalogueChange
    ) throws {
        try requireNone(of: subject, in: change.transaction)
        try change.transaction.update(
            "second_factor", ["confirmed_at": change.at, "last_step": step], where: ["subject": subject])
        try setRecoveryCodes(hashes, of: subject, in: change.transaction)
        try note("second factor of \(subject) set up", change)
    }

    private static func requireNone(of subject: String, in transaction: any ReadTransaction) throws {
        guard try !isAsked(of: subject, in: transaction) else {
            throw CatalogueError(.stateWrong, "there is a second factor already; remove it first")
        }
    }

    /// Notes that a code was taken; false if one of its step, or of a later one, was before.
    package static func take(
        _ step: Int64, of subject: String, in transaction: any WriteTransaction
    ) throws -> Bool {
        try transaction.execute(
            """
            UPDATE second_factor SET last_step = $2
            WHERE subject = $1 AND confirmed_at IS NOT NULL AND (last_step IS NULL OR last_step < $2)
            """, subject, step) == 1
    }

    /// Other codes for the day on which the app is lost; the former are void.
    package static func setRecoveryCodes(
        _ hashes: [[UInt8]], of subject: String, in transaction: any WriteTransaction
    ) throws {
        try transaction.execute("DELETE FROM recovery_code WHERE subject = $1", subject)
        for hash in hashes {
            try transaction.insert(into: "recovery_code", ["subject": subject, "code_hash": hash])
        }
    }

    /// Uses a recovery code up; false if there is none such.
    package static func takeRecoveryCode(_ hash: [UInt8], of subject: String, _ change: CatalogueChange) throws -> Bool
    {
        let used = try change.transaction.execute(
            "UPDATE recovery_code SET used_at = $3 WHERE subject = $1 AND code_hash = $2 AND used_at IS NULL", subject,
            hash, change.at)
        guard used == 1 else { return false }
        try note("recovery code of \(subject) used", change)
        return true
    }

    /// Recovery codes that are left.
    package static func recoveryCodesLeft(of subject: String, in transaction: any ReadTransaction) throws -> Int {
        try transaction.value(
            "SELECT count(*) FROM recovery_code WHERE subject = $1 AND used_at IS NULL", subject, as: Int.self)
    }

    /// Asks somebody for no code any more.
    package static func remove(of subject: String, because reason: String, _ change: CatalogueChange) throws {
        guard try find(of: subject, in: change.transaction) != nil else {
            throw CatalogueError(
                .nameUnknown, "\(subject) has no second factor", field: subject == owner ? nil : "email")
        }
        try change.transaction.execute("DELETE FROM recovery_code WHERE subject = $1", subject)
        try change.transaction.execute("DELETE FROM second_factor WHERE subject = $1", subject)
        try note("second factor of \(subject) \(reason)", change)
    }

    // MARK: Who has to have one

    /// The roles that come in only with one.
    package static func requiredRoles(in transaction: any ReadTransaction) throws -> Set<OperatorTokens.Role> {
        Set(
            try transaction.query("SELECT role FROM second_factor_rule") {
                OperatorTokens.Role(rawValue: try $0.value(0))
            })
    }

    static func require(of roles: Set<OperatorTokens.Role>, _ change: CatalogueChange) throws {
        let known = Set(OperatorTokens.Role.ofStore + OperatorTokens.Role.ofMembers)
        guard roles.isSubset(of: known) else {
            let names = known.map(\.rawValue).sorted().joined(separator: ", ")
            throw CatalogueError(.valueInvalid, "each is one of \(names)", field: "roles")
        }
        try CatalogueAudit.audit(.store, "second factor required of other roles", change) {
            let former = try requiredRoles(in: change.transaction)
            for role in former.subtracting(roles) {
                try change.transaction.execute("DELETE FROM second_factor_rule WHERE role = $1", role.rawValue)
            }
            for role in roles.subtracting(former) {
                try change.transaction.insert(
                    into: "second_factor_rule", ["role": role.rawValue, "since": change.at])
            }
        }
    }

    /// What changes no row that the audit compares, and is noted nevertheless.
    private static func note(_ action: String, _ change: CatalogueChange) throws {
        try CatalogueAudit.append(change.actor.team.map { .team($0) } ?? .store, action, change)
    }
}

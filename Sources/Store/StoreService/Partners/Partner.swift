import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreSigning

/// Somebody who sends customers to the store: a link with their token earns a commission, and their key opens the partner feed.
package struct Partner: Hashable, Sendable {
    package let id: PartnerID
    /// What links have as `at`, and the name under which the feed is asked for.
    package let token: String
    package let name: String
    package let email: String
    package internal(set) var state: State
    /// What the partner gets of what a customer paid.
    package internal(set) var commission: Proportion
    /// The hash of the key; nil until the partner is approved.
    var keyHash: [UInt8]?
    package internal(set) var keyMadeAt: Instant?
    package let createdAt: Instant
    package internal(set) var changedAt: Instant
    /// How many lines the history has.
    var historyCount: Int

    /// How far a partner is; more may be added.
    package struct State: WireValue {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Somebody entered it, and nobody has decided.
        package static let applied = State(rawValue: "applied")
        /// Links earn, and the key opens the feed.
        package static let approved = State(rawValue: "approved")
        /// Links earn nothing any more, and the key opens nothing.
        package static let ended = State(rawValue: "ended")

        package static let known: Set<State> = [.applied, .approved, .ended]
    }

    /// The most characters of a name.
    package static let longestName = 100
    /// The most partners of an environment, those that ended too.
    package static let most = 10_000

    static let table = RowTable<Partner>("partner") {
        Column("id", .key) { $0.id }
        Column("token") { $0.token }
        Column("name") { $0.name }
        Column("email") { $0.email }
        Column("state", .changing) { $0.state.rawValue }
        Column("commission", .changing) { $0.commission.percentMilliunits ?? 0 }
        Column("key_hash", .changing) { $0.keyHash }
        Column("key_made_at", .changing) { $0.keyMadeAt }
        Column("created_at") { $0.createdAt }
        Column("changed_at", .changing) { $0.changedAt }
        Column("history_count", .version) { $0.historyCount }
    }

    init(
        _ id: PartnerID, token: String, name: String, email: String, commission: Proportion, at instant: Instant
    ) {
        (self.id, self.token, self.name, self.email) = (id, token, name, email)
        (state, self.commission) = (.applied, commission)
        (createdAt, changedAt, historyCount) = (instant, instant, 0)
    }

    init(_ row: Row) throws {
        var cells = row.cells
        (id, token, name, email) = (try cells.next(), try cells.next(), try cells.next(), try cells.next())
        state = State(rawValue: try cells.next())
        commission = try Proportion(percentMilliunits: cells.next())
        (keyHash, keyMadeAt) = (try cells.next(), try cells.next())
        (createdAt, changedAt, historyCount) = (try cells.next(), try cells.next(), try cells.next())
    }

    static func find(_ id: PartnerID, in transaction: any ReadTransaction) throws -> Partner? {
        try transaction.optional("SELECT \(table.columns) FROM partner WHERE id = $1", id, row: Partner.init)
    }

    static func find(token: String, in transaction: any ReadTransaction) throws -> Partner? {
        try transaction.optional("SELECT \(table.columns) FROM partner WHERE token = $1", token, row: Partner.init)
    }

    static func require(token: String, in transaction: any ReadTransaction) throws -> Partner {
        guard let found = try find(token: token, in: transaction) else {
            throw ServiceError(.nameUnknown, "there is no partner with this token", parameter: "token")
        }
        return found
    }

    /// The account that the books have of what the partner is owed.
    var account: Ledger.Account { .partner(id) }

    /// Who asks with a key: nil unless the partner is approved and has this key.
    func isOpened(by key: String) throws -> Bool {
        guard state == .approved, let keyHash, PartnerKey.hasForm(key) else { return false }
        return SecretComparison.areEqual(try PartnerKey.hash(key), keyHash)
    }
}

/// The key with which a partner asks for the feed and for reports. The store keeps its hash only.
package enum PartnerKey {
    private static let byteCount = 32
    private static let prefix = "tillp_"

    /// A new one.
    static func drawn(_ random: RandomBytes) throws -> String { prefix + Hexadecimal.encode(try random(byteCount)) }

    /// Whether a text has the form of a key; what has not is refused without looking further.
    package static func hasForm(_ text: some StringProtocol) -> Bool {
        text.utf8.count == prefix.utf8.count + 2 * byteCount && text.hasPrefix(prefix)
            && text.utf8.dropFirst(prefix.utf8.count).allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
            }
    }

    static func hash(_ key: String) throws -> [UInt8] { try DigestAlgorithm.sha256.digest(key.utf8) }
}

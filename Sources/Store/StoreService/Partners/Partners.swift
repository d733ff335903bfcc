package import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreSigning

/// The partners of an environment, for those who look after the store.
package struct Partners: Sendable {
    let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// Letters and digits of tokens, without those that are mistaken for each other.
    private static let letters = Array("23456789abcdefghjkmnpqrstuvwxyz")
    private static let tokenLength = 10

    /// Whether a text has the form of a token.
    package static func isToken(_ text: String) -> Bool {
        text.count == tokenLength && text.allSatisfy { letters.contains($0) }
    }

    // MARK: Reading

    /// The partners after a token, in order of their tokens.
    package func list(after token: String? = nil, limit: Int, for actor: Actor) async throws -> [Partner] {
        try require(actor, change: false)
        return try await store.database.read { transaction in
            try transaction.query(
                "SELECT \(Partner.table.columns) FROM partner WHERE token > $1 ORDER BY token LIMIT $2", token ?? "",
                limit, row: Partner.init)
        }
    }

    /// The partner of a token.
    package func find(_ token: String, for actor: Actor) async throws -> Partner {
        try require(actor, change: false)
        return try await store.database.lookUpOnce { try Partner.require(token: token, in: $0) }
    }

    /// Who asks with a token and a key; nil unless that is an approved partner's.
    package func partner(_ token: String, showing key: String) async throws -> Partner? {
        guard Self.isToken(token), PartnerKey.hasForm(key) else { return nil }
        let found = try await store.database.lookUpOnce { try Partner.find(token: token, in: $0) }
        guard let found, try found.isOpened(by: key) else { return nil }
        return found
    }

    /// Whether any partner reads the feed.
    package func areThereReaders() async throws -> Bool {
        try await store.database.read { transaction in
            try transaction.optional(
                "SELECT 1 FROM partner WHERE state = $1 LIMIT 1", Partner.State.approved.rawValue
            ) { _ in true } ?? false
        }
    }

    /// A line of a partner's history.
    package struct Line: Hashable, Sendable {
        package let at: Instant
        package let event: String
        package let detail: String?
        package let actor: String
    }

    /// What happened to a partner, the oldest first.
    package func history(of token: String, for actor: Actor) async throws -> [Line] {
        try require(actor, change: false)
        return try await store.database.read { transaction in
            let partner = try Partner.require(token: token, in: transaction)
            return try transaction.query(
                "SELECT at, event, detail, actor FROM partner_history WHERE partner_id = $1 ORDER BY number", partner.id
            ) { row in
                var cells = row.cells
                return try Line(at: cells.next(), event: cells.next(), detail: cells.next(), actor: cells.next())
            }
        }
    }

    func require(_ actor: Actor, change isChange: Bool) throws(CatalogueError) {
        try actor.require(.teams, change: isChange, in: .environment(store.environment))
    }

    // MARK: Changing

    /// Enters somebody who wants to be a partner.
    ///
    /// - Parameter commission: what the partner gets of what customers pay; at most what the store keeps of it.
    package func create(
        _ name: String, email: String, commission: Proportion, _ cause: ChangeCause
    ) async throws -> Partner {
        try require(cause.actor, change: true)
        let name = try Self.line(name, field: "name")
        let email = try Self.email(email)
        try check(commission)
        let token = try drawnToken()
        let id = try PartnerID(number: await store.numbers.next(.partners))
        let cause = cause.working(on: .teams)
        return try await store.database.write { transaction in
            let change = try cause.change(of: nil, in: transaction)
            let count = try transaction.value("SELECT count(*) FROM partner", as: Int.self)
            guard count < Partner.most else {
                throw ServiceError(.limitReached, "there are at most \(Partner.most) partners")
            }
            let made = Partner(id, token: token, name: name, email: email, commission: commission, at: change.wall)
            try transaction.insert(made, into: Partner.table)
            return try Self.note("entered", commission.percentText, of: made, change)
        }
    }

    /// Lets the links of a partner earn, and makes the key for the feed. The key is told this once.
    package func approve(_ token: String, _ cause: ChangeCause) async throws -> (partner: Partner, key: String) {
        try await newKey(token, "approved", cause) { partner in
            guard partner.state != .approved else {
                throw ServiceError(.stateWrong, "the partner is approved already; its key can be made anew")
            }
            partner.state = .approved
        }
    }

    /// Makes another key for an approved partner, in the place of the former one.
    package func replaceKey(_ token: String, _ cause: ChangeCause) async throws -> (partner: Partner, key: String) {
        try await newKey(token, "key made", cause) { partner in
            guard partner.state == .approved else {
                throw ServiceError(.stateWrong, "only a partner that is approved has a key")
            }
        }
    }

    private func newKey(
        _ token: String, _ event: String, _ cause: ChangeCause,
        _ decide: @escaping @Sendable (inout Partner) throws -> Void
    ) async throws -> (partner: Partner, key: String) {
        let key = try PartnerKey.drawn(store.random)
        let hash = try PartnerKey.hash(key)
        let partner = try await change(token, event, cause) { partner, change in
            try decide(&partner)
            (partner.keyHash, partner.keyMadeAt) = (hash, change.wall)
            return nil
        }
        return (partner, key)
    }

    /// Gives a partner another commission, for sales from now on.
    package func setCommission(
        _ commission: Proportion, of token: String, _ cause: ChangeCause
    ) async throws -> Partner {
        try check(commission)
        return try await change(token, "commission", cause) { partner, _ in
            partner.commission = commission
            return commission.percentText
        }
    }

    /// Ends it with a partner: links earn nothing from now on, and the key opens nothing. What was earned stays owed. A repetition
    /// changes nothing.
    package func end(_ token: String, _ cause: ChangeCause) async throws -> Partner {
        try await change(token, "ended", cause) { partner, _ in
            (partner.state, partner.keyHash, partner.keyMadeAt) = (.ended, nil, nil)
            return nil
        }
    }

    /// - Parameter body: changes the partner; gives what the history says besides the event.
    private func change(
        _ token: String, _ event: String, _ cause: ChangeCause,
        _ body: @escaping @Sendable (inout Partner, Change) throws -> String?
    ) async throws -> Partner {
        try require(cause.actor, change: true)
        let cause = cause.working(on: .teams)
        return try await store.database.write { transaction in
            let change = try cause.change(of: nil, in: transaction)
            let known = try Partner.require(token: token, in: transaction)
            var changed = known
            let detail = try body(&changed, change)
            guard changed != known else { return known }
            changed.changedAt = change.wall
            changed.historyCount += 1
            try transaction.update(changed, from: known, in: Partner.table)
            try Self.write(event, detail, of: changed, change)
            return changed
        }
    }

    private static func note(_ event: String, _ detail: String?, of partner: Partner, _ change: Change) throws
        -> Partner
    {
        var noted = partner
        noted.historyCount += 1
        try change.transaction.update(noted, from: partner, in: Partner.table)
        try write(event, detail, of: noted, change)
        return noted
    }

    private static func write(_ event: String, _ detail: String?, of partner: Partner, _ change: Change) throws {
        try History.partners.append(
            event, to: partner.id, number: partner.historyCount, detail: detail, [:], at: change.wall, by: change.actor,
            change.cause.request, in: change.transaction)
    }

    // MARK: Values

    private func check(_ commission: Proportion) throws {
        let kept = store.policy.commission
        guard let wanted = commission.percentMilliunits, wanted > 0,
            Int128(commission.numerator) * Int128(kept.denominator)
                <= Int128(kept.numerator) * Int128(commission.denominator)
        else {
            throw ServiceError(
                .valueInvalid,
                "it is more than nothing, and at most \(kept.percentText), which the store keeps of a price",
                parameter: "commission")
        }
    }

    private static func line(_ text: String, field: String) throws -> String {
        guard !text.isEmpty, text.unicodeScalars.count <= Partner.longestName, NameRule.flaw(of: text) == nil else {
            throw ServiceError(
                .valueInvalid, "it is a text of 1 to \(Partner.longestName) characters on one line", parameter: field)
        }
        return text
    }

    private static func email(_ text: String) throws -> String {
        do {
            return try EmailAddress(text).text
        } catch {
            throw ServiceError(.valueInvalid, error.description, parameter: "email")
        }
    }

    private func drawnToken() throws -> String {
        var token = ""
        while token.count < Self.tokenLength {
            // Of the 256 values the last ones are left out, so that all letters are equally frequent.
            let most = UInt8(256 / Self.letters.count * Self.letters.count - 1)
            for byte in try store.random(16) where byte <= most && token.count < Self.tokenLength {
                token.append(Self.letters[Int(byte) % Self.letters.count])
            }
        }
        return token
    }
}

extension Proportion {
    /// Reads a percentage from 0 to 100 with at most three digits after the point: `15`, `2.5`.
    package init?(percent text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? String(parts[1]) : ""
        guard let first = parts.first, first.count <= 3, fraction.count <= 3,
            (parts + [Substring(fraction)]).allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            parts.count == 1 || !fraction.isEmpty, let whole = Int64(first),
            let rest = Int64(fraction + String(repeating: "0", count: 3 - fraction.count)),
            let proportion = try? Proportion(percentMilliunits: whole * 1000 + rest)
        else { return nil }
        self = proportion
    }

    /// As a percentage: `7 %`, `2.5 %`.
    package var percentText: String {
        let thousandths = percentMilliunits ?? 0
        let digits = String(100_000 + thousandths % 1000).suffix(3)
        let fraction = digits.reversed().drop { $0 == "0" }.reversed()
        return "\(thousandths / 1000)\(fraction.isEmpty ? "" : "." + String(fraction)) %"
    }
}

extension NumberSeries {
    static let partners = NumberSeries("partner", from: 1001)
}

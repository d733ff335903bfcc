import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreSigning

/// That somebody came to a page of the store by the link of a partner.
package struct Referral: Hashable, Sendable {
    package let partner: PartnerID
    /// What the partner calls the place of the link: `ct`.
    package let campaign: String?
    /// By the wall clock.
    package let cameAt: Instant

    /// How long after that a sale on a page counts as the partner's.
    package static let life = Duration.seconds(24 * 60 * 60)
    /// The most characters of a campaign.
    package static let longestCampaign = 40

    /// A campaign as it is kept; nil for what is none. Spreadsheets show it, so it has letters, digits and `_` only.
    package static func campaign(_ text: String?) -> String? {
        guard let text, (1...longestCampaign).contains(text.utf8.count), text.utf8.allSatisfy(isWordByte) else {
            return nil
        }
        return text
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }
}

/// Whose links customers came by, and which sales came of it.
///
/// A link to a page may have `at`, the token of a partner, and `ct`, a campaign. The browser keeps that as a ticket that only the
/// store can write, for ``Referral/life``; the newest link counts. A purchase that is opened on a page meanwhile is the partner's;
/// where the button is pressed again before it is paid, that press counts.
/// Purchases in apps, also those from the view of a product inside of one, are nobody's.
package struct Referrals: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// What the cookie is called in which a browser keeps its ticket.
    package var cookie: String { "till_\(store.environment.rawValue)_referral" }

    /// What a browser keeps that comes by a link; nil unless it has the token of an approved partner.
    ///
    /// - Parameters:
    ///   - token: what the link has as `at`.
    ///   - campaign: what it has as `ct`; one of another form counts as none.
    package func ticket(token: String, campaign: String?) async throws -> String? {
        guard Partners.isToken(token) else { return nil }
        let found = try await store.database.lookUpOnce { try Partner.find(token: token, in: $0) }
        guard let partner = found, partner.state == .approved else { return nil }
        let told = [
            partner.id.description, String(store.clocks.wall().millisecondsSinceEpoch),
            Referral.campaign(campaign) ?? "",
        ].joined(separator: ".")
        return "\(told).\(Base64.encode(try await code(of: told), .url))"
    }

    /// The referral of a ticket; nil unless the store wrote it less than ``Referral/life`` ago.
    package func referral(_ ticket: String) async throws -> Referral? {
        let parts = ticket.split(separator: ".", omittingEmptySubsequences: false)
        guard ticket.utf8.count <= 200, parts.count == 4, let id = PartnerID(String(parts[0])),
            let milliseconds = Int64(parts[1]), let code = Base64.decode(String(parts[3]), .url),
            SecretComparison.areEqual(try await self.code(of: parts[..<3].joined(separator: ".")), code)
        else { return nil }
        let came = Instant(millisecondsSinceEpoch: milliseconds)
        guard came + Referral.life > store.clocks.wall() else { return nil }
        return Referral(partner: id, campaign: Referral.campaign(String(parts[2])), cameAt: came)
    }

    private func code(of text: String) async throws -> [UInt8] {
        try await store.pageSecret.code(of: Array("referral \(text)".utf8))
    }

    /// Notes by which link the customer of a purchase came that was opened on a page, in place of what was noted before.
    ///
    /// - Parameter referral: nil for none.
    package static func keep(_ referral: Referral?, of sale: SaleID, _ change: Change) throws {
        try change.transaction.execute("DELETE FROM referral WHERE sale_id = $1 AND commission IS NULL", sale)
        guard let referral else { return }
        _ = try change.transaction.insertIfNew(
            into: "referral",
            [
                "sale_id": sale, "partner_id": referral.partner, "campaign": referral.campaign,
                "came_at": referral.cameAt,
            ])
    }
}

/// What partners get of sales. It is booked with the sale, turned round with each refund, and comes out of what the store keeps.
enum Commissions {
    /// The commission of an order, and whose it is; nil where no partner gets any. It is noted with the referral.
    static func share(
        of order: SaleOrder, _ change: Change
    ) throws -> (partner: PartnerID, amount: Money)? {
        // Only what was bought on a page can be anybody's.
        guard order.origin == .purchase, order.device == nil, !order.total.isZero else { return nil }
        let found = try change.transaction.optional(
            "SELECT partner_id FROM referral WHERE sale_id = $1 AND commission IS NULL", order.id
        ) { try $0.value(0, as: PartnerID.self) }
        guard let id = found, let partner = try Partner.find(id, in: change.transaction), partner.state == .approved
        else { return nil }
        let part = order.total.split(at: partner.commission).part
        let amount = part.minorUnits > order.commission.minorUnits ? order.commission : part
        guard amount.minorUnits > 0 else { return nil }
        try change.transaction.update(
            "referral", ["commission": amount.minorUnits, "currency": amount.currency], where: ["sale_id": order.id])
        return (id, amount)
    }
}

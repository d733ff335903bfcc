/// One item of a purchase from a developer's own catalogue.
public struct AdvancedCommerceTransactionItem: Codable, Hashable, Sendable {
    /// The developer's own id of the item.
    public var sku: String?
    /// Its name.
    public var displayName: String?
    /// What it is, in a sentence.
    public var description: String?
    /// Its price, in thousandths of the main unit.
    public var price: Int64?
    /// The offer on it.
    public var offer: AdvancedCommerceOffer?
    /// What was refunded of it.
    public var refunds: [AdvancedCommerceRefund]?
    /// When it was taken back.
    public var revocationDate: Instant?

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        sku: String? = nil,
        displayName: String? = nil,
        description: String? = nil,
        price: Int64? = nil,
        offer: AdvancedCommerceOffer? = nil,
        refunds: [AdvancedCommerceRefund]? = nil,
        revocationDate: Instant? = nil
    ) {
        self.sku = sku
        self.displayName = displayName
        self.description = description
        self.price = price
        self.offer = offer
        self.refunds = refunds
        self.revocationDate = revocationDate
    }

    private enum CodingKeys: String, CodingKey {
        case sku = "SKU"
        case displayName
        case description
        case price
        case offer
        case refunds
        case revocationDate
    }
}

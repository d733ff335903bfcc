/// One item of a subscription from a developer's own catalogue, as it will renew.
public struct AdvancedCommerceRenewalItem: Codable, Hashable, Sendable {
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
    /// A higher price to come.
    public var priceIncreaseInfo: AdvancedCommercePriceIncreaseInfo?

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        sku: String? = nil,
        displayName: String? = nil,
        description: String? = nil,
        price: Int64? = nil,
        offer: AdvancedCommerceOffer? = nil,
        priceIncreaseInfo: AdvancedCommercePriceIncreaseInfo? = nil
    ) {
        self.sku = sku
        self.displayName = displayName
        self.description = description
        self.price = price
        self.offer = offer
        self.priceIncreaseInfo = priceIncreaseInfo
    }

    private enum CodingKeys: String, CodingKey {
        case sku = "SKU"
        case displayName
        case description
        case price
        case offer
        case priceIncreaseInfo
    }
}

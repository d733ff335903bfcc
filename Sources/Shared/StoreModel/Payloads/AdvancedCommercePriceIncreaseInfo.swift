/// A higher price of an item that renews.
public struct AdvancedCommercePriceIncreaseInfo: Codable, Hashable, Sendable {
    /// Other items whose new prices depend on this one.
    public var dependentSKUs: [String]?
    /// The new price, in thousandths of the main unit.
    public var price: Int64?
    /// How far it has come.
    public var status: AdvancedCommercePriceIncreaseStatus?

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        dependentSKUs: [String]? = nil,
        price: Int64? = nil,
        status: AdvancedCommercePriceIncreaseStatus? = nil
    ) {
        self.dependentSKUs = dependentSKUs
        self.price = price
        self.status = status
    }
}

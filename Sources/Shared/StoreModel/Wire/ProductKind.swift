/// What kind of product was bought.
public struct ProductKind: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A subscription that renews until it is cancelled.
    public static let autoRenewable = ProductKind(rawValue: "Auto-Renewable Subscription")
    /// Bought once, owned for good.
    public static let nonConsumable = ProductKind(rawValue: "Non-Consumable")
    /// Used up and bought again.
    public static let consumable = ProductKind(rawValue: "Consumable")
    /// A subscription whose period the developer counts.
    public static let nonRenewing = ProductKind(rawValue: "Non-Renewing Subscription")

    /// The values that this version knows.
    public static let known: Set<ProductKind> = [.autoRenewable, .nonConsumable, .consumable, .nonRenewing]
}

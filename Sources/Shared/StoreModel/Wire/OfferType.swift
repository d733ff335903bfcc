/// The kind of offer behind a price.
public struct OfferType: WireValue {
    /// The value on the wire.
    public let rawValue: Int

    /// Any value, known or not.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// For people new to the subscription group.
    public static let introductory = OfferType(rawValue: 1)
    /// For people who subscribe or did, signed by the app.
    public static let promotional = OfferType(rawValue: 2)
    /// A code that was redeemed.
    public static let offerCode = OfferType(rawValue: 3)
    /// For people who left.
    public static let winBack = OfferType(rawValue: 4)

    /// The values that this version knows.
    public static let known: Set<OfferType> = [.introductory, .promotional, .offerCode, .winBack]
}

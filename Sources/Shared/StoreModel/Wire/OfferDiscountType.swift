/// How an offer is paid.
public struct OfferDiscountType: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Nothing for the time of the offer.
    public static let freeTrial = OfferDiscountType(rawValue: "FREE_TRIAL")
    /// A lower price each period.
    public static let payAsYouGo = OfferDiscountType(rawValue: "PAY_AS_YOU_GO")
    /// One price for the whole time of the offer.
    public static let payUpFront = OfferDiscountType(rawValue: "PAY_UP_FRONT")
    /// A lower price for something bought once.
    public static let oneTime = OfferDiscountType(rawValue: "ONE_TIME")

    /// The values that this version knows.
    public static let known: Set<OfferDiscountType> = [.freeTrial, .payAsYouGo, .payUpFront, .oneTime]
}

/// Why a developer gives an offer.
public struct AdvancedCommerceOfferReason: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// To win somebody.
    public static let acquisition = AdvancedCommerceOfferReason(rawValue: "ACQUISITION")
    /// To win somebody back.
    public static let winBack = AdvancedCommerceOfferReason(rawValue: "WIN_BACK")
    /// To keep somebody.
    public static let retention = AdvancedCommerceOfferReason(rawValue: "RETENTION")

    /// The values that this version knows.
    public static let known: Set<AdvancedCommerceOfferReason> = [.acquisition, .winBack, .retention]
}

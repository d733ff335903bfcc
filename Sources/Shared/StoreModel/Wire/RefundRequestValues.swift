/// Why a customer asks for a refund, as the customer says.
public struct RefundRequestReason: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The purchase was made by mistake.
    public static let unintended = RefundRequestReason(rawValue: "UNINTENDED_PURCHASE")
    /// The purchase was not delivered, or did not work.
    public static let fulfillment = RefundRequestReason(rawValue: "FULFILLMENT_ISSUE")
    /// The purchase is not what the customer expected.
    public static let unsatisfied = RefundRequestReason(rawValue: "UNSATISFIED_WITH_PURCHASE")
    /// The law says so.
    public static let legal = RefundRequestReason(rawValue: "LEGAL")
    /// Another reason.
    public static let other = RefundRequestReason(rawValue: "OTHER")

    /// The values that this version knows.
    public static let known: Set<RefundRequestReason> = [.unintended, .fulfillment, .unsatisfied, .legal, .other]
}

/// Whether the developer delivered what a customer asks a refund for.
public struct ConsumptionDeliveryStatus: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The purchase was delivered and works.
    public static let delivered = ConsumptionDeliveryStatus(rawValue: "DELIVERED")
    /// The purchase was of poor quality.
    public static let qualityIssue = ConsumptionDeliveryStatus(rawValue: "UNDELIVERED_QUALITY_ISSUE")
    /// Something else was delivered.
    public static let wrongItem = ConsumptionDeliveryStatus(rawValue: "UNDELIVERED_WRONG_ITEM")
    /// The developer's server was out.
    public static let serverOutage = ConsumptionDeliveryStatus(rawValue: "UNDELIVERED_SERVER_OUTAGE")
    /// The purchase was not delivered, for another reason.
    public static let undelivered = ConsumptionDeliveryStatus(rawValue: "UNDELIVERED_OTHER")

    /// The values that this version knows.
    public static let known: Set<ConsumptionDeliveryStatus> = [
        .delivered, .qualityIssue, .wrongItem, .serverOutage, .undelivered,
    ]
}

/// What the developer would decide about a refund.
public struct ConsumptionRefundPreference: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Decline the refund.
    public static let decline = ConsumptionRefundPreference(rawValue: "DECLINE")
    /// To give all back.
    public static let full = ConsumptionRefundPreference(rawValue: "GRANT_FULL")
    /// To give back what was not used.
    public static let prorated = ConsumptionRefundPreference(rawValue: "GRANT_PRORATED")

    /// The values that this version knows.
    public static let known: Set<ConsumptionRefundPreference> = [.decline, .full, .prorated]
}

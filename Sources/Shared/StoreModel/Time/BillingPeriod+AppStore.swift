extension BillingPeriod {
    /// `P3D`, for offers only.
    public static let threeDays = BillingPeriod(known: 3, .day)
    /// `P1W`.
    public static let oneWeek = BillingPeriod(known: 1, .week)
    /// `P2W`, for offers only.
    public static let twoWeeks = BillingPeriod(known: 2, .week)
    /// `P1M`.
    public static let oneMonth = BillingPeriod(known: 1, .month)
    /// `P2M`.
    public static let twoMonths = BillingPeriod(known: 2, .month)
    /// `P3M`.
    public static let threeMonths = BillingPeriod(known: 3, .month)
    /// `P6M`.
    public static let sixMonths = BillingPeriod(known: 6, .month)
    /// `P9M`, for offers only.
    public static let nineMonths = BillingPeriod(known: 9, .month)
    /// `P1Y`.
    public static let oneYear = BillingPeriod(known: 1, .year)

    /// The periods a subscription can have, shortest first.
    public static let ofSubscriptions: [BillingPeriod] = [
        .oneWeek, .oneMonth, .twoMonths, .threeMonths, .sixMonths, .oneYear,
    ]

    /// The periods an offer can have, shortest first.
    public static let ofOffers: [BillingPeriod] = [
        .threeDays, .oneWeek, .twoWeeks, .oneMonth, .twoMonths, .threeMonths, .sixMonths, .nineMonths, .oneYear,
    ]

    /// Whether a subscription can be sold by this period.
    public var isForSubscriptions: Bool { Self.ofSubscriptions.contains(self) }

    /// Whether an offer can last for this period.
    public var isForOffers: Bool { Self.ofOffers.contains(self) }
}

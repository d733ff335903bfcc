import StoreModel

extension Product {
    /// A length of time in units of the calendar.
    public struct SubscriptionPeriod: Equatable, Hashable, Sendable {
        /// What it is counted in.
        public let unit: Unit
        /// How many units it has.
        public let value: Int

        init(_ value: Int, _ unit: Unit) {
            self.unit = unit
            self.value = value
        }

        /// The units of the calendar that periods are counted in.
        public enum Unit: Equatable, Hashable, Sendable {
            /// A day.
            case day
            /// Seven days.
            case week
            /// A month of the calendar.
            case month
            /// A year of the calendar.
            case year
        }
    }
}

extension Product.SubscriptionPeriod {
    /// A period as the store writes it.
    init(_ period: BillingPeriod) {
        let unit: Unit =
            switch period.unit {
            case .day: .day
            case .week: .week
            case .month: .month
            case .year: .year
            }
        self.init(period.count, unit)
    }

    /// The period in the form of ISO 8601, `P1W`.
    var isoText: String {
        let letter =
            switch unit {
            case .day: "D"
            case .week: "W"
            case .month: "M"
            case .year: "Y"
            }
        return "P\(value)\(letter)"
    }

    /// One week.
    public static var weekly: Product.SubscriptionPeriod { .init(1, .week) }
    /// One month.
    public static var monthly: Product.SubscriptionPeriod { .init(1, .month) }
    /// One year.
    public static var yearly: Product.SubscriptionPeriod { .init(1, .year) }
    /// Three days.
    public static var everyThreeDays: Product.SubscriptionPeriod { .init(3, .day) }
    /// Two weeks.
    public static var everyTwoWeeks: Product.SubscriptionPeriod { .init(2, .week) }
    /// Two months.
    public static var everyTwoMonths: Product.SubscriptionPeriod { .init(2, .month) }
    /// Three months.
    public static var everyThreeMonths: Product.SubscriptionPeriod { .init(3, .month) }
    /// Six months.
    public static var everySixMonths: Product.SubscriptionPeriod { .init(6, .month) }
}

/// A length of time in units of the calendar.
// Safe: what it holds never changes.
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {
    private let period: ProductRecord.Period

    /// Makes a period of no days, to be subclassed in tests.
    public override init() {
        period = ProductRecord.Period(count: 0, unit: .day)
        super.init()
    }

    init(period: ProductRecord.Period) {
        self.period = period
        super.init()
    }

    /// How many units the period has.
    open var numberOfUnits: Int { period.count }

    /// What the period is counted in.
    open var unit: SKProduct.PeriodUnit { period.unit }
}

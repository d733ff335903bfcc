package import StoreModel

/// How long the periods of subscriptions last: as the calendar has them, or shortened for tests.
///
/// What goes with a period is shortened with it: how long before its end the next one is charged, the grace period, and how
/// long a payment is tried again.
package struct PeriodScale: Hashable, Sendable {
    private let form: Form

    private enum Form: Hashable {
        case calendar
        /// So many milliseconds are a month.
        case month(Int64)
        /// So many milliseconds are a day, of which a month has 30 and a year twelve months.
        case day(Int64)
        /// Every period lasts so many milliseconds.
        case each(Int64)
    }

    private init(_ form: Form) {
        self.form = form
    }

    /// Periods of the calendar.
    package static let calendar = PeriodScale(.calendar)

    /// A month lasts so many milliseconds, and other periods as much shorter or longer as they are.
    package static func month(lasts milliseconds: Int64) -> PeriodScale { PeriodScale(.month(milliseconds)) }

    /// A day lasts so many milliseconds, and all that is counted in days as much longer: thirty of them are a month.
    package static func day(lasts milliseconds: Int64) -> PeriodScale { PeriodScale(.day(milliseconds)) }

    /// Each period lasts so many milliseconds, however long it is.
    package static func period(lasts milliseconds: Int64) -> PeriodScale { PeriodScale(.each(milliseconds)) }

    /// The shortest a month, a day or a period may be made, and the longest.
    package static let lengths: ClosedRange<Int64> = 1000...(31 * day)

    private static let day: Int64 = 24 * 60 * 60 * 1000
    private static let minute: Int64 = 60 * 1000
    /// The days by which a month is counted where it is shortened.
    private static let daysOfMonth: Int64 = 30

    // MARK: Periods

    /// The end of so many periods that begin at an instant.
    package func end(of period: BillingPeriod, times count: Int = 1, from start: Instant) -> Instant {
        guard let length = length(of: period) else { return start.adding(period, times: count) }
        return start.adding(milliseconds: length * Int64(count))
    }

    /// The milliseconds of a shortened period; nil where the calendar counts.
    private func length(of period: BillingPeriod) -> Int64? {
        switch form {
        case .calendar: nil
        case .each(let length): length
        case .month(let month): Self.length(of: period, month: month)
        case .day(let day): day * Self.days(of: period)
        }
    }

    /// The rates of Apple's sandbox do not shorten weeks as much as months.
    private static func length(of period: BillingPeriod, month: Int64) -> Int64 {
        let count = Int64(period.count)
        switch period.unit {
        case .month: return month * count
        case .year: return month * 12 * count
        case .week:
            let weeks: [Int64: Int64] = [3: 3, 5: 3, 15: 5, 30: 10, 60: 15]
            let week = month % minute == 0 ? weeks[month / minute].map { $0 * minute } : nil
            return max(week ?? month * 7 / daysOfMonth, 1) * count
        case .day:
            return max(month * count / daysOfMonth, 1)
        }
    }

    /// So many days of the calendar, shortened as the periods of a subscription are.
    package func span(days: Int64, of period: BillingPeriod) -> Duration {
        switch form {
        case .calendar: .milliseconds(days * Self.day)
        case .month(let month): .milliseconds(max(days * month / Self.daysOfMonth, 1))
        case .day(let day): .milliseconds(days * day)
        case .each(let length): .milliseconds(max(days * length / Self.days(of: period), 1))
        }
    }

    private static func days(of period: BillingPeriod) -> Int64 {
        let count = Int64(period.count)
        return switch period.unit {
        case .day: count
        case .week: 7 * count
        case .month: daysOfMonth * count
        case .year: 12 * daysOfMonth * count
        }
    }

    /// How long before the end of a period the next one is charged.
    package func lead(of period: BillingPeriod) -> Duration { span(days: 1, of: period) }

    /// How long a subscription counts that could not be paid.
    ///
    /// Periods of a week have at most six days. Shortened, it is a month, and a week of weekly periods.
    package func grace(days: Int64, of period: BillingPeriod) -> Duration {
        let isWeekly = Self.days(of: period) <= 7
        return switch form {
        case .calendar: .milliseconds((isWeekly ? min(days, 6) : days) * Self.day)
        case .day(let day): .milliseconds((isWeekly ? min(days, 6) : days) * day)
        case .month(let month): .milliseconds(isWeekly ? Self.length(of: .oneWeek, month: month) : month)
        case .each(let length): .milliseconds(length)
        }
    }

    /// How many days a payment is tried again.
    package static let retryDays: Int64 = 60

    /// On which days after the end of a period a payment is tried again, the first at the end itself.
    package static let attemptDays: [Int64] = [0, 1, 2, 3, 5, 7, 10, 14, 21, 28, 35, 42, 49, 56]
}

/// As it is kept: `calendar`, `month/300000`, `day/10000`, `period/2000`.
extension PeriodScale: RawRepresentable {
    package var rawValue: String {
        switch form {
        case .calendar: "calendar"
        case .month(let length): "month/\(length)"
        case .day(let length): "day/\(length)"
        case .each(let length): "period/\(length)"
        }
    }

    package init?(rawValue: String) {
        let parts = rawValue.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 1, parts[0] == "calendar" {
            self = .calendar
            return
        }
        guard parts.count == 2, let length = Int64(parts[1]), Self.lengths.contains(length) else { return nil }
        switch parts[0] {
        case "month": self = .month(lasts: length)
        case "day": self = .day(lasts: length)
        case "period": self = .period(lasts: length)
        default: return nil
        }
    }
}

/// How fast the subscriptions of a tester renew, by the names of App Store Connect.
package struct RenewalRate: WireValue {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let threeMinutes = RenewalRate(rawValue: "MONTHLY_RENEWAL_EVERY_THREE_MINUTES")
    /// What a tester has that has no other.
    package static let fiveMinutes = RenewalRate(rawValue: "MONTHLY_RENEWAL_EVERY_FIVE_MINUTES")
    package static let fifteenMinutes = RenewalRate(rawValue: "MONTHLY_RENEWAL_EVERY_FIFTEEN_MINUTES")
    package static let thirtyMinutes = RenewalRate(rawValue: "MONTHLY_RENEWAL_EVERY_THIRTY_MINUTES")
    package static let oneHour = RenewalRate(rawValue: "MONTHLY_RENEWAL_EVERY_ONE_HOUR")
    /// Periods of the calendar, for those who move the clock instead. Till's own.
    package static let realTime = RenewalRate(rawValue: "REAL_TIME")

    package static let known: Set<RenewalRate> = [
        .threeMinutes, .fiveMinutes, .fifteenMinutes, .thirtyMinutes, .oneHour, .realTime,
    ]

    /// The periods by it; nil of a rate that this version does not know.
    package var scale: PeriodScale? {
        let minutes: [RenewalRate: Int64] = [
            .threeMinutes: 3, .fiveMinutes: 5, .fifteenMinutes: 15, .thirtyMinutes: 30, .oneHour: 60,
        ]
        return self == .realTime ? .calendar : minutes[self].map { .month(lasts: $0 * 60_000) }
    }

    /// A short name for people: `five-minutes`.
    package var word: String {
        let prefix = "MONTHLY_RENEWAL_EVERY_"
        let short = rawValue.hasPrefix(prefix) ? rawValue.dropFirst(prefix.count) : rawValue[...]
        return short.lowercased().replacing("_", with: "-")
    }

    /// By what rates are sorted, the fastest first.
    package var length: Duration { scale?.span(days: 30, of: .oneMonth) ?? .zero }

    /// The rate of a scale; nil of one that has no name.
    package init?(_ scale: PeriodScale) {
        guard let rate = Self.known.first(where: { $0.scale == scale }) else { return nil }
        self = rate
    }
}

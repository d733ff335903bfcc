public import Foundation
import StoreFoundation
import StoreModel

extension Product.SubscriptionPeriod {
    /// Writes a length of time as `1 month` or `7 days`, in the language of a locale.
    ///
    /// On Apple's platforms it is a `Date.ComponentsFormatStyle`, which Foundation on Linux has no initialiser of.
    public struct RangeFormatStyle: Foundation.FormatStyle {
        /// The locale whose language it writes; English where StoreKit has no texts in that.
        public var locale: Locale
        /// The place, among the units, of what is counted first if the time is a whole number of it.
        private let preferred: Int?

        init(locale: Locale, preferred: Unit?) {
            self.locale = locale
            self.preferred = preferred?.order
        }

        /// The time between two moments, in the unit that it is a whole number of; in days otherwise.
        public func format(_ value: Range<Date>) -> String {
            let longestFirst = Unit.shortestFirst.reversed()
            for unit in Unit.shortestFirst.filter({ $0.order == preferred }) + longestFirst {
                if let count = Self.whole(unit, in: value) { return Self.text(count, unit, locale) }
            }
            let days = value.upperBound.timeIntervalSince(value.lowerBound) / 86_400
            return Self.text(Int(exactly: days.rounded(.up)) ?? .max, .day, locale)
        }

        /// The same style in the language of another locale.
        public func locale(_ locale: Locale) -> RangeFormatStyle {
            var style = self
            style.locale = locale
            return style
        }

        /// How many units make the time; nil if it is no whole number of them.
        private static func whole(_ unit: Unit, in range: Range<Date>) -> Int? {
            let (start, end) = (range.lowerBound, range.upperBound)
            let component = unit.component
            guard let count = Unit.calendar.dateComponents([component], from: start, to: end).value(for: component),
                count > 0, Unit.calendar.date(byAdding: component, value: count, to: start) == end
            else { return nil }
            return count
        }

        static func text(_ count: Int, _ unit: Unit, _ locale: Locale) -> String {
            let name =
                switch unit {
                case .day: "sheet.days"
                case .week: "sheet.weeks"
                case .month: "sheet.months"
                case .year: "sheet.years"
                }
            return Texts.best(for: [locale.identifier])(name, ["count": .number(count)])
        }
    }

    /// When a period ends that begins now.
    public func dateRange() -> Range<Date> { dateRange(referenceDate: SystemClock.now().date) }

    /// When a period ends that begins at a moment.
    public func dateRange(referenceDate: Date) -> Range<Date> {
        let end = Unit.calendar.date(byAdding: unit.component, value: value, to: referenceDate)
        return referenceDate..<max(end ?? referenceDate, referenceDate)
    }

    /// The period that begins now, as a style writes the time between two moments.
    public func formatted<S: Foundation.FormatStyle>(_ format: S) -> S.FormatOutput where S.FormatInput == Range<Date> {
        format.format(dateRange())
    }

    /// The period that begins at a moment, as a style writes the time between two moments.
    public func formatted<S: Foundation.FormatStyle>(
        _ format: S, referenceDate: Date
    ) -> S.FormatOutput where S.FormatInput == Range<Date> {
        format.format(dateRange(referenceDate: referenceDate))
    }

    /// The period that begins now, as a style writes a duration.
    public func formatted<S: Foundation.FormatStyle>(_ format: S) -> S.FormatOutput where S.FormatInput == Duration {
        format.format(Self.duration(of: dateRange()))
    }

    /// The period that begins at a moment, as a style writes a duration.
    public func formatted<S: Foundation.FormatStyle>(
        _ format: S, referenceDate: Date
    ) -> S.FormatOutput where S.FormatInput == Duration {
        format.format(Self.duration(of: dateRange(referenceDate: referenceDate)))
    }

    private static func duration(of range: Range<Date>) -> Duration {
        .seconds(range.upperBound.timeIntervalSince(range.lowerBound))
    }
}

extension Product.SubscriptionPeriod: CustomDebugStringConvertible {
    /// The period in English, `1 month`.
    public var debugDescription: String { RangeFormatStyle.text(value, unit, Locale(identifier: "en")) }
}

extension DateComponents {
    /// What is added to the date on which a period begins for the date on which it ends.
    public init(subscriptionPeriod period: Product.SubscriptionPeriod) {
        self.init()
        setValue(period.value, for: period.unit.component)
    }
}

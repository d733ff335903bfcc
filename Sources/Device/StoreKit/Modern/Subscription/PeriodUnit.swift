public import Foundation
import StoreFoundation

extension Product.SubscriptionPeriod.Unit: Comparable {
    /// Whether one unit is shorter than another.
    public static func < (first: Product.SubscriptionPeriod.Unit, second: Product.SubscriptionPeriod.Unit) -> Bool {
        first.order < second.order
    }

    static let shortestFirst: [Product.SubscriptionPeriod.Unit] = [.day, .week, .month, .year]

    /// The place among the units, the shortest first.
    var order: Int {
        switch self {
        case .day: 0
        case .week: 1
        case .month: 2
        case .year: 3
        }
    }
}

extension Product.SubscriptionPeriod.Unit: CustomDebugStringConvertible {
    /// The unit in English.
    public var debugDescription: String {
        switch self {
        case .day: "day"
        case .week: "week"
        case .month: "month"
        case .year: "year"
        }
    }
}

extension Product.SubscriptionPeriod.Unit {
    /// The calendar of periods. It has no summer time, so that a day always has 24 hours, as the store counts.
    static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    var component: Calendar.Component {
        switch self {
        case .day: .day
        case .week: .weekOfYear
        case .month: .month
        case .year: .year
        }
    }

    func name(in texts: Texts) -> String {
        switch self {
        case .day: texts("value.day")
        case .week: texts("value.week")
        case .month: texts("value.month")
        case .year: texts("value.year")
        }
    }

    /// The name of the unit, in the language of the device.
    public var localizedDescription: String { name(in: CurrentSession.texts) }

    /// The unit as a style writes it.
    public func formatted<S: Foundation.FormatStyle>(
        _ format: S
    ) -> S.FormatOutput where S.FormatInput == Product.SubscriptionPeriod.Unit {
        format.format(self)
    }

    /// Writes the name of a unit in the language of a locale.
    public struct FormatStyle: Foundation.FormatStyle {
        /// The locale whose language it writes; English where StoreKit has no texts in that.
        public var locale: Locale

        /// The name of the unit.
        public func format(_ value: Product.SubscriptionPeriod.Unit) -> String {
            value.name(in: Texts.best(for: [locale.identifier]))
        }

        /// The same style in the language of another locale.
        public func locale(_ locale: Locale) -> Self { Self(locale: locale) }
    }
}

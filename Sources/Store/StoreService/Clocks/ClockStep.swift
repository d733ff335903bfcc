package import StoreModel

/// How far a clock is advanced: so many units of the calendar or of time, such as `1mo`, `10d` or `90s`.
package struct ClockStep: Hashable, Sendable {
    package let text: String
    private let count: Int64
    private let unit: Unit

    private enum Unit: String, CaseIterable {
        case milliseconds = "ms"
        case seconds = "s"
        case minutes = "m"
        case hours = "h"
        case days = "d"
        case weeks = "w"
        case months = "mo"
        case years = "y"

        var milliseconds: Int64? {
            switch self {
            case .milliseconds: 1
            case .seconds: 1000
            case .minutes: 60_000
            case .hours: 3_600_000
            case .days: 86_400_000
            case .weeks: 604_800_000
            case .months, .years: nil
            }
        }
    }

    package static let rule = "a number and a unit: ms, s, m (minutes), h, d, w, mo (months) or y, such as 1mo or 90s"

    package init?(text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard (1...15).contains(digits.utf8.count), let count = Int64(digits), count > 0,
            let unit = Unit(rawValue: String(text.dropFirst(digits.count)))
        else { return nil }
        (self.text, self.count, self.unit) = (text, count, unit)
    }

    /// So much time.
    package init(_ duration: Duration) {
        let (seconds, fraction) = duration.components
        count = seconds * 1000 + fraction / 1_000_000_000_000_000
        unit = .milliseconds
        text = "\(count)ms"
    }

    /// The instant so much later; months and years keep the day, as far as the month has it.
    package func end(from start: Instant) -> Instant {
        guard let length = unit.milliseconds else {
            guard count <= BillingPeriod.largestCount,
                let period = try? BillingPeriod(Int(count), unit == .months ? .month : .year)
            else { return .latest }
            return start.adding(period)
        }
        let (distance, isTooFar) = count.multipliedReportingOverflow(by: length)
        return isTooFar ? .latest : start.adding(milliseconds: distance)
    }
}

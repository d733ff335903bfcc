package import StoreCatalogue
import StoreFoundation
package import StoreModel

/// The days that a list or a report is about, in GMT and by the store's clock.
package struct ReportPeriod: Hashable, Sendable {
    /// The first moment of it; nil for the beginning of the books.
    package var start: Instant?
    /// The first moment after it; nil for no end.
    package var end: Instant?

    package static let always = ReportPeriod(start: nil, end: nil)

    package init(start: Instant?, end: Instant?) {
        (self.start, self.end) = (start, end)
    }

    /// Reads the two ends: each a day, `2026-11-25`, or a moment in milliseconds since 1970. An empty text is no end.
    ///
    /// The last day belongs to the period; a last moment does not.
    package init(from first: String?, until last: String?) throws(ServiceError) {
        start = try Self.moment(first, isEnd: false, "from")
        end = try Self.moment(last, isEnd: true, "until")
        if let start, let end, start >= end {
            throw ServiceError(.valueInvalid, "the period ends before it begins", parameter: "until")
        }
    }

    /// The whole days from one to another, both included.
    package init(days: ClosedRange<ReportDay>) {
        start = days.lowerBound.start
        end = days.upperBound.next.start
    }

    private static func moment(
        _ text: String?, isEnd: Bool, _ name: String
    ) throws(ServiceError) -> Instant? {
        guard let text, !text.isEmpty else { return nil }
        if let day = ReportDay(text) { return isEnd ? day.next.start : day.start }
        guard let moment = try? Instant(millisecondsText: text) else {
            throw ServiceError(
                .valueInvalid, "a day is written like 2026-11-25, a moment in milliseconds since 1970", parameter: name)
        }
        return moment
    }

    package func contains(_ instant: Instant) -> Bool {
        start.map { instant >= $0 } ?? true && end.map { instant < $0 } ?? true
    }

    /// What stands for its ends in a condition `at >= … AND at < …`.
    var bounds: (first: Int64, end: Int64) {
        (start?.millisecondsSinceEpoch ?? .min, end?.millisecondsSinceEpoch ?? .max)
    }
}

/// A day in GMT, written `2026-11-25`.
package struct ReportDay: Hashable, Comparable, LosslessStringConvertible, Sendable {
    /// Counted from 1970-01-01.
    package let number: Int

    /// The milliseconds of a day.
    static let length: Int64 = 86_400_000
    /// The days that have a text form.
    private static let known = -719_162...2_932_896

    package init(number: Int) {
        self.number = min(max(number, Self.known.lowerBound), Self.known.upperBound)
    }

    /// The day of a moment.
    package init(_ instant: Instant) {
        self.init(number: CivilDate.divide(Int(instant.millisecondsSinceEpoch), by: Int(Self.length)).quotient)
    }

    package init?(_ description: String) {
        let parts = description.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2],
            description.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), year > 0,
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        number = date.daysSince1970
    }

    package var start: Instant { Instant(millisecondsSinceEpoch: Int64(number) * Self.length) }
    package var next: ReportDay { ReportDay(number: number + 1) }
    package var month: ReportMonth { ReportMonth(self) }

    /// The name of the day of the week.
    package var weekday: String {
        // 1970-01-01 was a Thursday.
        Self.weekdays[CivilDate.divide(number + 3, by: Self.weekdays.count).remainder]
    }

    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    package func adding(_ days: Int) -> ReportDay { ReportDay(number: number + days) }

    package var description: String { String(start.rfc3339.prefix(10)) }

    package static func < (earlier: ReportDay, later: ReportDay) -> Bool { earlier.number < later.number }
}

/// A month of the calendar in GMT, written `2026-11`.
package struct ReportMonth: Hashable, Comparable, LosslessStringConvertible, Sendable {
    package let first: ReportDay

    /// The month of a day.
    package init(_ day: ReportDay) {
        first = day.adding(1 - CivilDate(daysSince1970: day.number).day)
    }

    package init?(_ description: String) {
        guard let day = ReportDay(description + "-01") else { return nil }
        first = day
    }

    package var next: ReportMonth { ReportMonth(first.adding(31)) }
    package var previous: ReportMonth { ReportMonth(first.adding(-1)) }
    package var last: ReportDay { next.first.adding(-1) }
    package var period: ReportPeriod { ReportPeriod(days: first...last) }

    package var description: String { String(first.description.prefix(7)) }

    package static func < (earlier: ReportMonth, later: ReportMonth) -> Bool { earlier.first < later.first }
}

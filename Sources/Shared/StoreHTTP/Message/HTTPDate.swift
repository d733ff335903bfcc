/// An instant as HTTP writes it: whole seconds, always GMT (RFC 9110 §5.6.7).
package struct HTTPDate: Hashable, Comparable, Sendable {
    package let secondsSince1970: Int

    /// The years 0 to 9999 are what four digits can say; anything else becomes the nearest of them.
    package init(secondsSince1970: Int) {
        self.secondsSince1970 = min(max(secondsSince1970, -62_167_219_200), 253_402_300_799)
    }

    package init(nanosecondsSince1970: Int64) {
        let (seconds, rest) = nanosecondsSince1970.quotientAndRemainder(dividingBy: 1_000_000_000)
        self.init(secondsSince1970: Int(rest < 0 ? seconds - 1 : seconds))
    }

    package static func < (first: HTTPDate, second: HTTPDate) -> Bool {
        first.secondsSince1970 < second.secondsSince1970
    }

    static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `19941106T084937Z`, the basic form of ISO 8601
    package var basicText: String {
        let day = secondsSince1970 >= 0 ? secondsSince1970 / 86400 : (secondsSince1970 - 86399) / 86400
        let second = secondsSince1970 - day * 86400
        let civil = CivilDay(daysSince1970: day)
        let date = Self.pad(civil.year, 4) + Self.pad(civil.month, 2) + Self.pad(civil.day, 2)
        return "\(date)T\(Self.pad(second / 3600, 2))\(Self.pad(second / 60 % 60, 2))\(Self.pad(second % 60, 2))Z"
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    package var text: String {
        let day = secondsSince1970 >= 0 ? secondsSince1970 / 86400 : (secondsSince1970 - 86399) / 86400
        let second = secondsSince1970 - day * 86400
        let civil = CivilDay(daysSince1970: day)
        let weekday = Self.weekdays[((day + 4) % 7 + 7) % 7]
        let date = "\(Self.pad(civil.day, 2)) \(Self.months[civil.month - 1]) \(Self.pad(civil.year, 4))"
        let time = "\(Self.pad(second / 3600, 2)):\(Self.pad(second / 60 % 60, 2)):\(Self.pad(second % 60, 2))"
        return "\(weekday), \(date) \(time) GMT"
    }

    private static func pad(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// A day of the Gregorian calendar.
struct CivilDay: Equatable {
    let year, month, day: Int

    init(daysSince1970: Int) {
        // Years begin in March here, so that the day that leap years add is the last of its year.
        let shifted = daysSince1970 + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * month + 2) / 5 + 1
        self.month = month < 10 ? month + 3 : month - 9
        year = yearOfEra + era * 400 + (self.month <= 2 ? 1 : 0)
    }

    /// A day that the calendar has; nil for the thirtieth of February.
    init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), (1...31).contains(day), (0...9999).contains(year) else { return nil }
        self.year = year
        self.month = month
        self.day = day
        guard CivilDay(daysSince1970: daysSince1970) == self else { return nil }
    }

    var daysSince1970: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

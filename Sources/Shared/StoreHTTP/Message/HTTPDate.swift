import StoreFoundation

/// An instant as HTTP writes it: whole seconds, always GMT (RFC 9110 §5.6.7).
package struct HTTPDate: Hashable, Comparable, Sendable {
    package let secondsSince1970: Int

    /// The years 0 to 9999 are what four digits can say; anything else becomes the nearest of them.
    package init(secondsSince1970: Int) {
        self.secondsSince1970 = min(max(secondsSince1970, -62_167_219_200), 253_402_300_799)
    }

    package init(nanosecondsSince1970: Int64) {
        self.init(secondsSince1970: CivilDate.divide(Int(nanosecondsSince1970), by: 1_000_000_000).quotient)
    }

    package static func < (first: HTTPDate, second: HTTPDate) -> Bool {
        first.secondsSince1970 < second.secondsSince1970
    }

    static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `19941106T084937Z`, the basic form of ISO 8601
    package var basicText: String {
        let (day, second) = CivilDate.divide(secondsSince1970, by: 86400)
        let civil = CivilDate(daysSince1970: day)
        let date = Self.pad(civil.year, 4) + Self.pad(civil.month, 2) + Self.pad(civil.day, 2)
        return "\(date)T\(Self.pad(second / 3600, 2))\(Self.pad(second / 60 % 60, 2))\(Self.pad(second % 60, 2))Z"
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    package var text: String {
        let (day, second) = CivilDate.divide(secondsSince1970, by: 86400)
        let civil = CivilDate(daysSince1970: day)
        let weekday = Self.weekdays[CivilDate.divide(day + 4, by: 7).remainder]
        let date = "\(Self.pad(civil.day, 2)) \(Self.months[civil.month - 1]) \(Self.pad(civil.year, 4))"
        let time = "\(Self.pad(second / 3600, 2)):\(Self.pad(second / 60 % 60, 2)):\(Self.pad(second % 60, 2))"
        return "\(weekday), \(date) \(time) GMT"
    }

    private static func pad(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

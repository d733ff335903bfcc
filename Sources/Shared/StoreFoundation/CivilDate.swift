/// A day of the proleptic Gregorian calendar: the only place where days are turned into years and months and back.
@usableFromInline
package struct CivilDate: Hashable, Sendable {
    @usableFromInline package let year: Int
    /// 1 to 12.
    @usableFromInline package let month: Int
    /// 1 to 31.
    @usableFromInline package let day: Int

    @usableFromInline static let daysPerEra = 146_097  // 400 years, after which the calendar repeats
    @usableFromInline static let firstOfMarchOfYearZero = -719_468  // counted in days from 1970-01-01

    /// A day that the calendar has; nil for the thirtieth of February.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), (1...Self.days(inMonth: month, of: year)).contains(day) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The day so many days after 1970-01-01, or before it if negative.
    @inlinable
    package init(daysSince1970 number: Int) {
        let (era, dayOfEra) = Self.divide(number - Self.firstOfMarchOfYearZero, by: Self.daysPerEra)
        let leapDaysBefore = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDaysBefore) / 365
        let dayOfYear = dayOfEra - (yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100)
        let monthsSinceMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthsSinceMarch + 2) / 5 + 1
        month = (monthsSinceMarch + 2) % 12 + 1
        year = era * 400 + yearOfEra + (monthsSinceMarch < 10 ? 0 : 1)
    }

    /// The number of a day, counted from 1970-01-01. A day beyond the end of its month counts on into the next one.
    ///
    /// Years are taken to begin in March here: the leap day is then the last of its year, and the lengths of the months
    /// before it follow one line, 153 days every five months.
    @inlinable
    package static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let (era, yearOfEra) = divide(month > 2 ? year : year - 1, by: 400)
        let monthsSinceMarch = (month + 9) % 12
        let dayOfYear = (153 * monthsSinceMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * daysPerEra + dayOfEra + firstOfMarchOfYearZero
    }

    package var daysSince1970: Int { Self.daysSince1970(year: year, month: month, day: day) }

    /// Whether February has 29 days.
    @inlinable
    package static func isLeap(year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// How many days a month has.
    @inlinable
    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year: year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Divides so that the remainder is never negative, as days and times of day before 1970 need it.
    @inlinable
    package static func divide(_ dividend: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

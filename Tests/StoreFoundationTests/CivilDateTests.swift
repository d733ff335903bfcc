import Foundation
import StoreFoundation
import Testing

@Suite("Days of the calendar")
struct CivilDateTests {
    /// Counts the days of eight centuries one by one, by the rule of Gregory alone, and compares every date.
    @Test("Every day from 1600 to 2400 follows the one before it")
    func everyDay() throws {
        var (year, month, day) = (1600, 1, 1)
        var number = -135_140
        while year < 2401 {
            let date = try #require(CivilDate(year: year, month: month, day: day))
            guard CivilDate(daysSince1970: number) == date, date.daysSince1970 == number else {
                Issue.record("day \(number) is not \(year)-\(month)-\(day)")
                return
            }
            number += 1
            day += 1
            if day > CivilDate.days(inMonth: month, of: year) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        #expect(number == 157_420)
    }

    @Test("The C library has the same date for days of ten thousand years")
    func otherTool() {
        for number in stride(from: -719_162, through: 2_932_896, by: 997) {
            var (seconds, parts) = (time_t(number * 86_400), tm())
            gmtime_r(&seconds, &parts)
            let date = CivilDate(daysSince1970: number)
            #expect(date.year == Int(parts.tm_year) + 1900)
            #expect(date.month == Int(parts.tm_mon) + 1)
            #expect(date.day == Int(parts.tm_mday))
        }
    }

    @Test(
        "Months have the lengths that children learn",
        arguments: zip(1...12, [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]))
    func lengths(month: Int, days: Int) {
        #expect(CivilDate.days(inMonth: month, of: 2025) == days)
        #expect(CivilDate.days(inMonth: month, of: 2024) == (month == 2 ? 29 : days))
    }

    @Test("Every fourth year is a leap year, but not every hundredth, but every four hundredth")
    func leapYears() {
        #expect((1...9999).filter(CivilDate.isLeap(year:)).count == 2424)
        #expect([1900, 2000, 2024, 2025, 2100, 2400].filter(CivilDate.isLeap(year:)) == [2000, 2024, 2400])
    }

    @Test("A day that the calendar does not have is none")
    func noDay() {
        for (year, month, day) in [
            (2025, 2, 29), (1900, 2, 29), (2025, 4, 31), (2025, 0, 1), (2025, 13, 1), (2025, 1, 0),
        ] {
            #expect(CivilDate(year: year, month: month, day: day) == nil)
        }
    }
}

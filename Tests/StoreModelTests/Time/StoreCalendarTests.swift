import StoreModel
import Testing

@Suite("The calendar")
struct StoreCalendarTests {
    /// Counts the days of eight centuries one by one, by the rule of Gregory alone, and compares every date.
    @Test("Every day from 1600 to 2400 follows the one before it")
    func everyDay() throws {
        var (year, month, day) = (1600, 1, 1)
        var instant = try Instant(rfc3339: "1600-01-01T00:00:00Z")
        while year < 2401 {
            let time = StoreCalendar.civilTime(of: instant)
            guard time == CivilTime(year: year, month: month, day: day) else {
                Issue.record("\(instant) is not \(year)-\(month)-\(day)")
                return
            }
            guard StoreCalendar.instant(of: time) == instant else {
                Issue.record("\(time) does not lead back to \(instant)")
                return
            }
            instant += .seconds(86_400)
            day += 1
            if day > StoreCalendar.days(inMonth: month, of: year) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        #expect(instant.rfc3339 == "2401-01-01T00:00:00Z")
    }

    @Test(
        "Months have the lengths that children learn",
        arguments: zip(1...12, [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]))
    func lengths(month: Int, days: Int) {
        #expect(StoreCalendar.days(inMonth: month, of: 2025) == days)
        #expect(StoreCalendar.days(inMonth: month, of: 2024) == (month == 2 ? 29 : days))
    }

    @Test("Every fourth year is a leap year, but not every hundredth, but every four hundredth")
    func leapYears() {
        #expect((1...9999).filter(StoreCalendar.isLeap(year:)).count == 2424)
        #expect([1900, 2000, 2024, 2025, 2100, 2400].filter(StoreCalendar.isLeap(year:)) == [2000, 2024, 2400])
    }

    @Test("The parts of a time of day are those of the clock")
    func timeOfDay() throws {
        let time = StoreCalendar.civilTime(of: try Instant(rfc3339: "2025-12-26T18:39:47.250Z"))
        #expect(
            time == CivilTime(year: 2025, month: 12, day: 26, hour: 18, minute: 39, second: 47, millisecond: 250))
        let before = StoreCalendar.civilTime(of: Instant(millisecondsSinceEpoch: -1))
        #expect(before == CivilTime(year: 1969, month: 12, day: 31, hour: 23, minute: 59, second: 59, millisecond: 999))
    }

    @Test("Text exists for the years 1 to 9999, which the first and the last instant bound")
    func bounds() {
        #expect(StoreCalendar.years == 1...9999)
        #expect(StoreCalendar.civilTime(of: .earliest) == CivilTime(year: 1, month: 1, day: 1))
        #expect(StoreCalendar.civilTime(of: .latest).year == 9999)
        #expect(StoreCalendar.instant(of: CivilTime(year: 1, month: 1, day: 1)) == .earliest)
        let end = CivilTime(year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59, millisecond: 999)
        #expect(StoreCalendar.instant(of: end) == .latest)
    }
}

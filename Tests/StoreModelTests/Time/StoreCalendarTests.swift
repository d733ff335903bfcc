import StoreModel
import Testing

@Suite("The calendar")
struct StoreCalendarTests {
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

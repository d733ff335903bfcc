import Foundation
import StoreModel
import TestSupport
import Testing

@Suite("Billing periods")
struct BillingPeriodTests {
    private func instant(_ text: String) throws -> Instant { try Instant(rfc3339: text) }

    @Test(
        "The ISO form with one unit is read and written",
        arguments: ["P1D", "P3D", "P1W", "P2W", "P1M", "P12M", "P1Y", "P999Y"])
    func isoForm(text: String) throws {
        let period = try BillingPeriod(parsing: text)
        #expect(period.description == text)
        #expect(BillingPeriod(text) == period)
        let json = try JSONEncoder().encode([period])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(text)\"]")
        #expect(try JSONDecoder().decode([BillingPeriod].self, from: json) == [period])
    }

    @Test(
        "Other forms are refused",
        arguments: [
            "", "P", "P1", "1M", "p1m", "P1m", "P01M", "P+1M", "P-1M", "P1M2D", "P1.5M", "PT1H", " P1M", "P1M ", "PM",
            "P1MM", "P99999999999999999999M",
        ])
    func otherFormsAreRefused(text: String) {
        #expect(throws: InvalidValue.self) { try BillingPeriod(parsing: text) }
        #expect(BillingPeriod(text) == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([BillingPeriod].self, from: Data("[\"\(text)\"]".utf8))
        }
    }

    @Test("A count outside 1 to 999 is refused by name", arguments: [0, -1, 1000, Int.max, Int.min])
    func countIsBounded(count: Int) {
        let error = #expect(throws: InvalidValue.self) { try BillingPeriod(count, .month) }
        #expect(error?.code == .outOfRange)
        #expect(error?.subject == "period")
        #expect(throws: InvalidValue.self) { try BillingPeriod(parsing: "P1000D") }
        #expect(throws: InvalidValue.self) { try BillingPeriod(parsing: "P0D") }
    }

    @Test("Subscriptions are sold by six periods, offers by nine")
    func appStoreSets() throws {
        #expect(BillingPeriod.ofSubscriptions.map(\.description) == ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"])
        #expect(
            BillingPeriod.ofOffers.map(\.description) == [
                "P3D", "P1W", "P2W", "P1M", "P2M", "P3M", "P6M", "P9M", "P1Y",
            ])
        #expect(BillingPeriod.oneMonth.isForSubscriptions && BillingPeriod.oneMonth.isForOffers)
        #expect(!BillingPeriod.threeDays.isForSubscriptions && BillingPeriod.threeDays.isForOffers)
        #expect(try !BillingPeriod(7, .day).isForSubscriptions, "seven days are not a week on the wire")
        #expect(try !BillingPeriod(12, .month).isForOffers)
    }

    @Test(
        "Months and years count from the anchor and keep its day where the month has it",
        arguments: [
            ("2026-01-31T10:20:30Z", "P1M", 1, "2026-02-28T10:20:30Z"),
            ("2026-01-31T10:20:30Z", "P1M", 2, "2026-03-31T10:20:30Z"),
            ("2026-01-31T10:20:30Z", "P1M", 3, "2026-04-30T10:20:30Z"),
            ("2024-01-31T00:00:00Z", "P1M", 1, "2024-02-29T00:00:00Z"),
            ("2024-02-29T23:59:59Z", "P1Y", 1, "2025-02-28T23:59:59Z"),
            ("2024-02-29T23:59:59Z", "P1Y", 4, "2028-02-29T23:59:59Z"),
            ("2096-02-29T00:00:00Z", "P1Y", 4, "2100-02-28T00:00:00Z"),
            ("2096-02-29T00:00:00Z", "P1Y", 8, "2104-02-29T00:00:00Z"),
            ("2026-08-31T00:00:00Z", "P6M", 1, "2027-02-28T00:00:00Z"),
            ("2026-08-31T00:00:00Z", "P6M", 2, "2027-08-31T00:00:00Z"),
            ("2026-11-30T00:00:00Z", "P3M", 1, "2027-02-28T00:00:00Z"),
            ("2026-12-31T00:00:00Z", "P2M", 1, "2027-02-28T00:00:00Z"),
            ("2026-03-31T00:00:00Z", "P1M", -1, "2026-02-28T00:00:00Z"),
            ("2026-01-15T00:00:00Z", "P1M", -1, "2025-12-15T00:00:00Z"),
            ("2026-03-07T10:00:00Z", "P1D", 1, "2026-03-08T10:00:00Z"),
            ("2026-03-07T10:00:00Z", "P1W", 1, "2026-03-14T10:00:00Z"),
            ("2026-10-31T08:30:00Z", "P3D", 1, "2026-11-03T08:30:00Z"),
            ("2026-01-31T00:00:00Z", "P1M", 0, "2026-01-31T00:00:00Z"),
            ("1969-12-31T12:00:00Z", "P2M", 1, "1970-02-28T12:00:00Z"),
        ])
    func anchorDay(anchor: String, period: String, times: Int, expected: String) throws {
        let result = try instant(anchor).adding(try BillingPeriod(parsing: period), times: times)
        #expect(result.rfc3339 == expected)
    }

    @Test("Periods lead where another calendar says they lead")
    func agreesWithForeignCalendar() throws {
        #expect(goldenPeriods.count == 160)
        for row in goldenPeriods {
            let result = try instant(row.anchor).adding(try BillingPeriod(parsing: row.period), times: row.times)
            #expect(result.rfc3339 == row.result, "\(row.anchor) + \(row.times) × \(row.period)")
        }
    }

    @Test("Counting from the last result would lose the day; counting from the anchor does not")
    func chainingDiffers() throws {
        let anchor = try instant("2026-01-31T00:00:00Z")
        let chained = anchor.adding(.oneMonth).adding(.oneMonth)
        #expect(chained.rfc3339 == "2026-03-28T00:00:00Z")
        #expect(anchor.adding(.oneMonth, times: 2).rfc3339 == "2026-03-31T00:00:00Z")
    }

    @Test("Milliseconds of the anchor stay")
    func millisecondsStay() throws {
        let anchor = try instant("2026-01-31T00:00:00.123Z")
        #expect(anchor.adding(.oneYear).rfc3339Milliseconds == "2027-01-31T00:00:00.123Z")
    }

    @Test("Results outside the supported years saturate", arguments: [Int.max, 1_000_000, 200_000])
    func saturates(times: Int) throws {
        let anchor = try instant("2026-01-31T00:00:00Z")
        #expect(anchor.adding(.oneYear, times: times) == .latest)
        #expect(anchor.adding(.oneMonth, times: times) == .latest)
        #expect(anchor.adding(.oneYear, times: -times) == .earliest)
        #expect(anchor.adding(try BillingPeriod(999, .week), times: times) == .latest)
        #expect(anchor.adding(try BillingPeriod(999, .day), times: Int.min) == .earliest)
    }

    @Test("Random month arithmetic keeps day and time")
    func randomMonths() throws {
        var generator = RandomizedRun.generator(named: "periods")
        for _ in 0..<RandomizedRun.cases(5000) {
            let anchor = Instant(millisecondsSinceEpoch: .random(in: 0...4_102_444_800_000, using: &generator))
            let times = Int.random(in: -200...600, using: &generator)
            let result = anchor.adding(.oneMonth, times: times)
            let (from, to) = (anchor.rfc3339Milliseconds, result.rfc3339Milliseconds)
            #expect(from.dropFirst(10) == to.dropFirst(10))
            let day = (from: Int(from.dropFirst(8).prefix(2)) ?? 0, to: Int(to.dropFirst(8).prefix(2)) ?? 0)
            #expect(day.to == day.from || (day.to < day.from && day.to >= 28))
            let months = { (text: String) in (Int(text.prefix(4)) ?? 0) * 12 + (Int(text.dropFirst(5).prefix(2)) ?? 0) }
            #expect(months(to) - months(from) == times)
        }
    }
}

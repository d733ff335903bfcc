import StoreCatalogue
import StoreModel
import StoreService
import TestSupport
import Testing

@Suite(.bounded) struct ReportPeriodTests {
    @Test("The last day of a period belongs to it, a last moment does not")
    func ends() throws {
        let days = try ReportPeriod(from: "2026-11-01", until: "2026-11-25")
        #expect(days.start?.rfc3339 == "2026-11-01T00:00:00Z" && days.end?.rfc3339 == "2026-11-26T00:00:00Z")
        let moments = try ReportPeriod(from: "1000", until: "2000")
        #expect(moments.contains(Instant(millisecondsSinceEpoch: 1999)))
        #expect(!moments.contains(Instant(millisecondsSinceEpoch: 2000)))
        #expect(try ReportPeriod(from: "", until: nil) == .always)
    }

    @Test(
        "What is no day is refused by the name of its end",
        arguments: [
            ("2026-02-30", nil, "from"), ("2026-1-1", nil, "from"), ("yesterday", nil, "from"),
            (nil, "2026-11-25T00:00:00Z", "until"), (nil, "99999999999999999999", "until"),
            ("2026-11-25", "2026-11-24", "until"), ("２０２６-11-25", nil, "from"), ("+1", nil, "from"),
        ] as [(String?, String?, String)])
    func refused(_ from: String?, _ until: String?, _ parameter: String) throws {
        let error = #expect(throws: ServiceError.self) { try ReportPeriod(from: from, until: until) }
        #expect(error?.parameter == parameter && error?.code == .valueInvalid)
    }

    @Test("Days and months are those of the calendar")
    func calendar() throws {
        let leap = try #require(ReportMonth("2028-02"))
        #expect(leap.last.description == "2028-02-29" && leap.next.description == "2028-03")
        #expect(leap.previous.description == "2028-01" && ReportMonth("2028-13") == nil)
        let first = try #require(ReportMonth("2026-12"))
        #expect(first.next.description == "2027-01")
        #expect(ReportDay("2026-11-26")?.weekday == "Thursday")
        #expect(ReportDay("1969-12-31")?.weekday == "Wednesday")
        #expect(ReportDay(Instant(millisecondsSinceEpoch: -1)).description == "1969-12-31")
        for text in ["2026-11-25", "0001-01-01", "9999-12-31"] { #expect(ReportDay(text)?.description == text) }
    }

    @Test(
        "An amount needs its currency, has no sign and not more digits than it has",
        arguments: [
            ("1.00", nil, nil, "amountFrom"), ("1.999", nil, "USD", "amountFrom"), (nil, "-1", "USD", "amountTo"),
            ("2", "1", "USD", "amountTo"), ("1", nil, "XXL", "currency"), ("1,00", nil, "USD", "amountFrom"),
        ] as [(String?, String?, String?, String)])
    func amounts(_ from: String?, _ to: String?, _ code: String?, _ parameter: String) throws {
        let error = #expect(throws: ServiceError.self) { try AmountRange(from: from, to: to, in: code) }
        #expect(error?.parameter == parameter)
    }

    @Test("Amounts are read in the digits of their currency")
    func readAmounts() throws {
        let range = try AmountRange(from: "1.5", to: "2", in: "USD")
        #expect(range.least == Money(minorUnits: 150, currency: .usd))
        #expect(range.most == Money(minorUnits: 200, currency: .usd))
        #expect(try AmountRange(from: "", to: "", in: "") == .any)
    }
}

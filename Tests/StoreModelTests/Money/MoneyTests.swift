import StoreModel
import Testing

@Suite("Money")
struct MoneyTests {
    private func dollars(_ cents: Int64) -> Money { Money(minorUnits: cents, currency: .usd) }

    @Test("Amounts of one currency add, subtract, multiply and change sign")
    func arithmetic() throws {
        #expect(try dollars(199) + dollars(1) == dollars(200))
        #expect(try dollars(199) - dollars(200) == dollars(-1))
        #expect(try dollars(199) * 4 == dollars(796))
        #expect(try dollars(199) * 0 == .zero(.usd))
        #expect(try -dollars(199) == dollars(-199))
        #expect(try dollars(1).isLess(than: dollars(2)))
        #expect(try !dollars(2).isLess(than: dollars(2)))
        #expect(dollars(-1).isNegative && !dollars(0).isNegative && dollars(0).isZero)
    }

    @Test("Overflow is an error, not a trap")
    func overflow() {
        for operation: () throws -> Money in [
            { try dollars(.max) + dollars(1) }, { try dollars(.min) + dollars(-1) }, { try dollars(.min) - dollars(1) },
            { try dollars(.max) * 2 }, { try dollars(2) * Int.max }, { try -dollars(.min) }, { try dollars(.min) * -1 },
        ] {
            let error = #expect(throws: MoneyError.self) { try operation() }
            #expect(error?.code == .overflow)
            #expect(error?.description.contains("USD") == true)
        }
    }

    @Test("Amounts of different currencies never meet (P43)")
    func mismatch() {
        let euro = Money(minorUnits: 100, currency: .eur)
        for operation: () throws -> Void in [
            { _ = try dollars(1) + euro }, { _ = try dollars(1) - euro }, { _ = try dollars(1).isLess(than: euro) },
        ] {
            let error = #expect(throws: MoneyError.self) { try operation() }
            #expect(error?.code == .currencyMismatch)
            #expect(error?.reason.contains("USD") == true && error?.reason.contains("EUR") == true)
        }
    }

    @Test(
        "Prices of the API are thousandths, whatever the digits of the currency",
        arguments: [
            ("USD", 199, 1990), ("USD", 0, 0), ("USD", -199, -1990), ("JPY", 120, 120_000), ("BHD", 1990, 1990),
            ("CLF", 19_900, 1990),
            ("UYW", -10, -1), ("XAU", 3, 3000),
        ])
    func milliunits(code: String, minorUnits: Int64, milliunits: Int64) throws {
        let currency = try Currency(code: code)
        let money = Money(minorUnits: minorUnits, currency: currency)
        #expect(try money.milliunits() == milliunits)
        #expect(try Money(milliunits: milliunits, currency: currency) == money)
    }

    @Test(
        "What has no exact form in the other unit is refused",
        arguments: [("USD", 1995), ("USD", -1), ("JPY", 1500), ("JPY", 999)])
    func inexactMilliunits(code: String, milliunits: Int64) throws {
        let currency = try Currency(code: code)
        let error = #expect(throws: MoneyError.self) { try Money(milliunits: milliunits, currency: currency) }
        #expect(error?.code == .notRepresentable)
        let tiny = Money(minorUnits: 19_901, currency: try Currency(code: "CLF"))
        let other = #expect(throws: MoneyError.self) { try tiny.milliunits() }
        #expect(other?.code == .notRepresentable)
    }

    @Test("Conversions that leave 64 bits are overflows")
    func milliunitOverflow() throws {
        #expect(throws: MoneyError.self) { try dollars(.max).milliunits() }
        #expect(throws: MoneyError.self) { try Money(minorUnits: .min, currency: .jpy).milliunits() }
        let currency = try Currency(code: "CLF")
        let error = #expect(throws: MoneyError.self) { try Money(milliunits: .max, currency: currency) }
        #expect(error?.code == .overflow)
    }

    @Test(
        "Decimal text is read and written with all digits of the currency",
        arguments: [
            ("1.99", "USD", 199, "1.99"), ("1.9", "USD", 190, "1.90"), ("1", "USD", 100, "1.00"),
            ("0", "USD", 0, "0.00"),
            ("0.05", "USD", 5, "0.05"), ("-0.05", "USD", -5, "-0.05"), ("-12.30", "EUR", -1230, "-12.30"),
            ("120", "JPY", 120, "120"),
            ("1.234", "BHD", 1234, "1.234"), ("0.0001", "CLF", 1, "0.0001"), ("7", "XAU", 7, "7"),
            ("92233720368547758.07", "USD", Int64.max, "92233720368547758.07"),
            ("-92233720368547758.08", "USD", Int64.min, "-92233720368547758.08"),
        ])
    func decimalText(text: String, code: String, minorUnits: Int64, written: String) throws {
        let currency = try Currency(code: code)
        let money = try Money(decimal: text, currency: currency)
        #expect(money.minorUnits == minorUnits)
        #expect(money.decimalText == written)
        #expect(money.description == "\(written) \(code)")
    }

    @Test(
        "Other texts are refused",
        arguments: [
            "", "-", ".", "1.", ".5", "01", "00.5", "+1", " 1", "1 ", "1,99", "1.9.9", "1e2", "--1", "0x1", "١", "-0",
            "-0.00", "NaN",
        ])
    func otherTexts(text: String) {
        let error = #expect(throws: InvalidValue.self) { try Money(decimal: text, currency: .usd) }
        #expect(error?.code == .malformed)
    }

    @Test("Too many digits and too large amounts are refused by name")
    func tooMuch() throws {
        let digits = #expect(throws: InvalidValue.self) { try Money(decimal: "1.999", currency: .usd) }
        #expect(digits?.rule == "has at most 2 digits after the point in USD")
        let yen = #expect(throws: InvalidValue.self) { try Money(decimal: "1.0", currency: .jpy) }
        #expect(yen?.rule == "has at most 0 digits after the point in JPY")
        let large = #expect(throws: InvalidValue.self) { try Money(decimal: "92233720368547758.08", currency: .usd) }
        #expect(large?.code == .outOfRange)
        #expect(throws: InvalidValue.self) { try Money(decimal: "99999999999999999999", currency: .usd) }
    }

    @Test("Money survives its JSON form")
    func json() throws {
        #expect(try jsonText(dollars(199)) == #"{"currency":"USD","minorUnits":199}"#)
        #expect(try decode(Money.self, from: #"{"currency":"USD","minorUnits":199}"#) == dollars(199))
        #expect(throws: DecodingError.self) { try decode(Money.self, from: #"{"currency":"USD","minorUnits":1.99}"#) }
        #expect(throws: DecodingError.self) { try decode(Money.self, from: #"{"currency":"???","minorUnits":1}"#) }
    }
}

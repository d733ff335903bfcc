import StoreModel
import Testing

@Suite("Currencies of ISO 4217 (P43)")
struct CurrencyTests {
    @Test("All 178 current codes and the two withdrawn ones are there, each once")
    func count() {
        #expect(Currency.all.filter { !$0.isWithdrawn }.count == 178)
        #expect(Currency.all.filter(\.isWithdrawn).map(\.code) == ["BGN", "HRK"])
        #expect(Set(Currency.all.map(\.code)).count == Currency.all.count)
        #expect(Set(Currency.all.map(\.numericCode)).count == Currency.all.count)
        #expect(
            Currency.all.allSatisfy { (1...999).contains($0.numericCode) && $0.code.count == 3 && !$0.name.isEmpty })
    }

    @Test(
        "The amendments up to 2026 are in",
        arguments: [
            ("XCG", 532, 2), ("ZWG", 924, 2), ("XAD", 396, 2), ("SLE", 925, 2), ("VED", 926, 2), ("UYW", 927, 4),
            ("VES", 928, 2),
        ])
    func amendments(code: String, number: Int, digits: Int) throws {
        let currency = try Currency(code: code)
        #expect(currency.numericCode == number)
        #expect(currency.minorUnitDigits == digits)
        #expect(!currency.isWithdrawn)
    }

    @Test("The current codes are exactly those of another list, with the same numbers and digits")
    func agreesWithForeignList() throws {
        #expect(Currency.all.filter { !$0.isWithdrawn }.map(\.code) == goldenCurrencies.map(\.code))
        for row in goldenCurrencies {
            let currency = try Currency(code: row.code)
            #expect(currency.numericCode == row.number, "\(row.code)")
            #expect(currency.minorUnitDigits == row.digits, "\(row.code)")
        }
    }

    @Test("Codes that ISO withdrew are unknown, or marked where the App Store once sold in them")
    func withdrawals() throws {
        for code in ["ANG", "CUC", "ZWL", "SLL", "VEF", "BYR", "MRO", "STD", "LTL"] {
            #expect(throws: InvalidValue.self) { try Currency(code: code) }
        }
        #expect(try Currency(code: "HRK").isWithdrawn)
        #expect(try Currency(code: "BGN").isWithdrawn)
        #expect(try Currency(code: "BGN").minorUnitDigits == 2)
    }

    @Test(
        "Minor units have the digits of the standard",
        arguments: [
            ("USD", 2), ("JPY", 0), ("KRW", 0), ("BHD", 3), ("TND", 3), ("CLF", 4), ("HUF", 2), ("TWD", 2), ("VND", 0),
        ])
    func digits(code: String, digits: Int) throws {
        #expect(try Currency(code: code).minorUnitDigits == digits)
    }

    @Test("Metals, funds and no currency at all have no minor units", arguments: ["XAU", "XAG", "XDR", "XTS", "XXX"])
    func noMinorUnits(code: String) throws {
        #expect(try Currency(code: code).minorUnitDigits == nil)
    }

    @Test("The constants are the currencies they name")
    func constants() {
        let constants: [Currency] = [.usd, .eur, .gbp, .jpy, .cny, .noCurrency]
        #expect(constants.map(\.code) == ["USD", "EUR", "GBP", "JPY", "CNY", "XXX"])
        #expect(Currency.usd.name == "US Dollar")
        #expect(Currency.usd.numericCode == 840)
    }

    @Test("Every currency is found again by its code, its number and its JSON form")
    func lookup() throws {
        for currency in Currency.all {
            #expect(Currency(currency.code) == currency)
            #expect(Currency(numericCode: currency.numericCode) == currency)
            #expect(try decode([Currency].self, from: try jsonText([currency])) == [currency])
        }
    }

    @Test("Other codes are refused", arguments: ["", "US", "USDX", "usd", "Usd", "$", " USD", "USD\0", "ABC"])
    func unknown(code: String) {
        let error = #expect(throws: InvalidValue.self) { try Currency(code: code) }
        #expect(error?.code == .unknown)
        #expect(Currency(code) == nil)
        #expect(throws: DecodingError.self) { try decode([Currency].self, from: try jsonText([code])) }
    }

    @Test("Numbers that are no code give nil", arguments: [0, -1, 1, 1000, Int.max])
    func unknownNumber(number: Int) {
        #expect(Currency(numericCode: number) == nil)
    }
}

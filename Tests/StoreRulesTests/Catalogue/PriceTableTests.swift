import Foundation
import StoreModel
import StoreRules
import Testing

@Suite("Prices of all storefronts from a table of price points")
struct PriceTableTests {
    private static let currencies = Set(StorefrontRecord.all.map(\.currency)).sorted { $0.code < $1.code }

    private static func price(_ text: String, _ code: String = "USD", in other: String) throws -> String? {
        let base = try Money(decimal: text, currency: Currency(code: code))
        return try PriceTable.price(of: base, in: Currency(code: other))?.decimalText
    }

    @Test("The points go from 0.29 to 999.99, and 87 of them were tiers")
    func points() {
        let points = PriceTable.points
        #expect(points.first?.cents == 29 && points.last?.cents == 99999)
        #expect(points.map(\.cents) == Set(points.map(\.cents)).sorted())
        #expect(points.compactMap(\.tier) == Array(1...87))
        let tiers = Dictionary(
            uniqueKeysWithValues: points.compactMap { point in point.tier.map { ($0, point.cents) } })
        let known = [1: 99, 50: 4999, 51: 5499, 60: 9999, 63: 12499, 70: 17999, 77: 24999, 82: 49999, 87: 99999]
        for (tier, cents) in known { #expect(tiers[tier] == Int64(cents)) }
    }

    @Test(
        "R1.6: What the six countries of the goldens pay",
        arguments: [
            ("0.99", ["160", "39.99", "8.00", "1.19"]), ("1.49", ["240", "59.99", "12.00", "1.79"]),
            ("1.99", ["320", "79.99", "15.00", "2.29"]), ("2.99", ["480", "119.99", "22.00", "3.49"]),
            ("4.99", ["800", "199.99", "38.00", "5.99"]),
        ])
    func goldens(dollars: String, prices: [String]) throws {
        #expect(try ["JPY", "TRY", "CNY", "EUR"].map { try Self.price(dollars, in: $0) } == prices)
    }

    @Test("Every storefront sells every point, never for nothing, and never for less than a lower one")
    func everywhere() throws {
        #expect(StorefrontRecord.all.count == 175)
        for currency in Self.currencies {
            let prices = PriceTable.points.map {
                PriceTable.price(of: Money(minorUnits: $0.cents, currency: .usd), in: currency)?.minorUnits ?? 0
            }
            #expect(prices.allSatisfy { $0 > 0 } && prices == prices.sorted(), "\(currency)")
            // What one tier more costs can be seen.
            let tiers = zip(PriceTable.points, prices).filter { $0.0.tier != nil }.map(\.1)
            #expect(Set(tiers).count == tiers.count, "\(currency)")
        }
    }

    @Test("Prices have the digits with which ICU shows their currency")
    func digits() throws {
        let english = Locale(identifier: "en_US")
        for currency in Self.currencies {
            let shown = Decimal(1).formatted(.currency(code: currency.code).locale(english))
            let digits = shown.split(separator: ".").dropFirst().first?.count ?? 0
            #expect(PriceTable.digits(of: currency) == digits, "\(currency)")
            let unit = (digits..<(currency.minorUnitDigits ?? 0)).reduce(1) { power, _ in power * 10 }
            for point in PriceTable.points {
                let price = PriceTable.price(of: Money(minorUnits: point.cents, currency: .usd), in: currency)
                #expect((price?.minorUnits ?? 1) % Int64(unit) == 0, "\(currency)")
            }
        }
    }

    @Test(
        "What is no point belongs to the nearest one, and what is beyond all of them is converted as it is",
        arguments: [
            ("0.00", "USD", "JPY", "0"), ("0.01", "USD", "JPY", "50"), ("0.95", "USD", "JPY", "160"),
            ("0.93", "USD", "JPY", "140"), ("0.94", "USD", "JPY", "160"), ("5.00", "USD", "EUR", "5.99"),
            ("999.99", "USD", "JPY", "160000"),
            ("1000.00", "USD", "JPY", "160000"), ("2000.00", "USD", "JPY", "320000"), ("8.00", "CNY", "USD", "0.99"),
            ("160", "JPY", "USD", "0.99"), ("160", "JPY", "TRY", "39.99"), ("155", "JPY", "USD", "0.99"),
            ("1", "JPY", "USD", "0.29"), ("1.19", "EUR", "GBP", "0.99"), ("320000", "JPY", "USD", "1999.99"),
            ("160", "JPY", "JPY", "160"), ("1.25", "USD", "USD", "1.25"),
        ])
    func between(text: String, code: String, other: String, expected: String) throws {
        #expect(try Self.price(text, code, in: other) == expected)
    }

    @Test("A currency in which no storefront sells has no prices, and amounts without end do no harm")
    func elsewhere() throws {
        #expect(try Self.price("0.99", in: "BHD") == nil)
        #expect(try Self.price("0.990", "BHD", in: "USD") == nil)
        #expect(PriceTable.price(of: Money(minorUnits: -1, currency: .usd), in: .jpy) == nil)
        let most = PriceTable.price(of: Money(minorUnits: .max, currency: .usd), in: try Currency(code: "IDR"))
        #expect(most?.minorUnits == .max)
    }
}

import StoreModel
import StoreRules
import Testing

@Suite("The prices of points next to a price")
struct PricePointTests {
    private static func dollars(_ cents: Int64) -> Money { Money(minorUnits: cents, currency: .usd) }

    @Test(
        "The neighbours of a price are those of the points below and above it; the price of a point is its own",
        arguments: [(99, [99]), (100, [99, 109]), (1, [29]), (99_999, [99_999]), (2_000_000, [99_999])]
            as [(Int64, [Int64])])
    func neighbours(_ price: Int64, _ nearest: [Int64]) {
        #expect(PriceTable.nearest(to: Self.dollars(price)).map(\.minorUnits) == nearest)
    }

    @Test(
        "Old tiers are known by their numbers, and in currencies in which several points cost the same each is there once"
    )
    func tiers() throws {
        #expect(PriceTable.pricePoint(of: Self.dollars(199))?.tier == 2)
        #expect(PriceTable.pricePoint(of: Self.dollars(0)) == nil)
        let yen = PriceTable.prices(in: .jpy)
        #expect(Set(yen).count == yen.count && yen == yen.sorted { $0.minorUnits < $1.minorUnits })
        #expect(PriceTable.prices(in: try Currency(code: "XAU")).isEmpty)
    }
}

package import StoreModel

/// What a price comes to in the currencies of other storefronts: a list of price points in dollars, and for each currency one
/// factor and the endings that its prices have.
///
/// A price belongs to the nearest point, of two equally near ones to the higher. What is less than the lowest point counts as
/// that one, what is more than the highest one is converted as it is. Of the points to which a price in another currency
/// belongs, an old tier is preferred. What costs nothing costs nothing everywhere.
///
/// The figures are those of one day and our own; Apple's are others. A table with other figures is another table: what products
/// cost does not change because Till did.
package enum PriceTable {
    /// The day of the factors.
    package static let date = "2026-11-23"

    /// A price in dollars at which products are sold everywhere.
    package struct Point: Hashable, Sendable {
        package let cents: Int64
        /// The number by which prices were known until 2022, 1 to 87.
        package let tier: Int?
    }

    /// The price points, the lowest first.
    package static let points: [Point] = {
        let tiers = Dictionary(
            uniqueKeysWithValues: PriceRows.amounts(PriceRows.tiers).enumerated().map { ($1, $0 + 1) })
        return PriceRows.amounts(PriceRows.points).map { Point(cents: $0, tier: tiers[$0]) }
    }()

    /// The prices of all points in a currency, in the order of the points.
    private static let prices: [Currency: [Int64]] = rules.mapValues { rule in
        points.map { rule.price(of: $0) }
    }

    private static let rules: [Currency: CurrencyPrices] = Dictionary(
        uniqueKeysWithValues: PriceRows.currencies.split(separator: "\n").compactMap(CurrencyPrices.init).map {
            ($0.currency, $0)
        })

    /// How many digits after the point prices in a currency are shown with, which may be fewer than it has.
    package static func digits(of currency: Currency) -> Int {
        rules[currency]?.digits ?? currency.minorUnitDigits ?? 0
    }

    /// What a price comes to in a currency; nil if no storefront sells in one of the two.
    package static func price(of base: Money, in currency: Currency) -> Money? {
        guard base.currency != currency else { return base }
        guard let from = rules[base.currency], let to = rules[currency], base.minorUnits >= 0 else { return nil }
        guard base.minorUnits > 0 else { return .zero(currency) }
        let amount =
            point(of: base).flatMap { prices[currency]?[$0] }
            ?? to.nearest(to: from.dollars(of: base.minorUnits))
        return Money(minorUnits: amount, currency: currency)
    }

    /// The prices of a currency that belong to a point, the lowest first; none where no storefront sells in it.
    package static func prices(in currency: Currency) -> [Money] {
        var last: Int64?
        return (prices[currency] ?? []).compactMap { amount in
            defer { last = amount }
            return amount == last ? nil : Money(minorUnits: amount, currency: currency)
        }
    }

    /// The prices of points next to a price, the lower one first: one if it is a price of a point itself, or lies beyond them.
    package static func nearest(to price: Money) -> [Money] {
        let all = prices(in: price.currency)
        guard let above = all.first(where: { $0.minorUnits >= price.minorUnits }) else { return all.suffix(1) }
        let below = all.last { $0.minorUnits < price.minorUnits }
        return above == price ? [above] : [below, above].compactMap(\.self)
    }

    /// The point to which a price belongs; nil for what costs nothing and for what is beyond all of them.
    package static func pricePoint(of price: Money) -> Point? {
        price.minorUnits > 0 ? point(of: price).map { points[$0] } : nil
    }

    /// The number of the point to which a price belongs; nil if it is beyond all of them.
    private static func point(of base: Money) -> Int? {
        guard let prices = prices[base.currency], let highest = prices.last, base.minorUnits <= highest else {
            return nil
        }
        var (low, high) = (0, prices.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if prices[middle] < base.minorUnits { low = middle + 1 } else { high = middle }
        }
        let isLowerNearer = low > 0 && base.minorUnits - prices[low - 1] < prices[low] - base.minorUnits
        let price = prices[isLowerNearer ? low - 1 : low]
        // In another currency than dollars some points next to each other cost the same.
        let first = prices[...low].firstIndex(of: price) ?? low
        let same = prices[first...].prefix { $0 == price }.indices
        return same.first { points[$0].tier != nil } ?? first
    }
}

/// An amount of dollars as an exact fraction.
private struct Dollars {
    let numerator: Int128
    let denominator: Int128
}

/// How prices are made in one currency.
private struct CurrencyPrices {
    /// The endings of the prices from an amount on.
    struct Band {
        /// All in minor units; the endings are less than the step.
        let start: Int64
        let step: Int64
        let endings: [Int64]
    }

    let currency: Currency
    /// What a dollar comes to, in thousandths of the main unit.
    let factor: Int64
    let digits: Int
    let bands: [Band]

    /// Reads a row of ``PriceRows/currencies``; one of another form would be left out, and a test counts them.
    init?(_ row: Substring) {
        let parts = row.split(separator: " ")
        guard parts.count > 3, let currency = try? Currency(code: parts[0]),
            let factor = try? Money(decimal: parts[1], currency: PriceRows.thousandths).minorUnits,
            let digits = Int(parts[2])
        else { return nil }
        self.currency = currency
        self.factor = factor
        self.digits = digits
        bands = parts.dropFirst(3).compactMap { part in
            let numbers = part.split(whereSeparator: { ":,".contains($0) }).compactMap {
                try? Money(decimal: $0, currency: currency).minorUnits
            }
            guard numbers.count > 2 else { return nil }
            return Band(start: numbers[0], step: numbers[1], endings: Array(numbers[2...]))
        }
        guard bands.count == parts.count - 3 else { return nil }
    }

    private var minorUnits: Int128 { (0..<(currency.minorUnitDigits ?? 0)).reduce(1) { power, _ in power * 10 } }

    func price(of point: PriceTable.Point) -> Int64 {
        currency == .usd ? point.cents : nearest(to: Dollars(numerator: Int128(point.cents), denominator: 100))
    }

    func dollars(of amount: Int64) -> Dollars {
        Dollars(numerator: Int128(amount) * 1000, denominator: Int128(factor) * minorUnits)
    }

    /// The amount with an ending of this currency that is nearest to a number of dollars, and more than nothing.
    func nearest(to dollars: Dollars) -> Int64 {
        let (numerator, denominator) = (
            dollars.numerator * Int128(factor) * minorUnits, dollars.denominator * 1000
        )
        let whole = numerator / denominator
        guard let band = bands.last(where: { $0.start <= whole }) ?? bands.first else { return 0 }
        let start = whole / Int128(band.step) * Int128(band.step)
        let candidates = [-1, 0, 1].flatMap { turn in
            band.endings.map { start + Int128(turn) * Int128(band.step) + Int128($0) }
        }
        let nearest = candidates.filter { $0 > 0 }.min { one, other in
            let distances = (
                (one * denominator - numerator).magnitude, (other * denominator - numerator).magnitude
            )
            return distances.0 == distances.1 ? one > other : distances.0 < distances.1
        }
        return Int64(clamping: nearest ?? 0)
    }
}

/// The figures behind ``PriceTable``.
private enum PriceRows {
    /// A currency with three digits.
    static let thousandths = (try? Currency(code: "BHD")) ?? .usd

    /// The price points: from, to, step, in dollars.
    static let points = """
        0.29 9.99 0.10
        10.49 49.99 0.50
        50.99 199.99 1.00
        204.99 499.99 5.00
        509.99 999.99 10.00
        """

    /// The points that were tiers 1 to 87, in the same form.
    static let tiers = """
        0.99 49.99 1.00
        54.99 99.99 5.00
        109.99 119.99 10.00
        124.99 129.99 5.00
        139.99 169.99 10.00
        174.99 179.99 5.00
        189.99 249.99 10.00
        299.99 499.99 50.00
        599.99 999.99 100.00
        """

    /// The currencies of the storefronts: code; what a dollar comes to; digits after the point that ICU shows; and from which
    /// amount on prices end how: `0:10:9,5` for those that end in 9 or 5, whatever the tens.
    static let currencies = """
        AED 4 2 0:1:0.99
        AUD 1.55 2 0:1:0.19,0.29,0.49,0.79,0.99 10:1:0.99
        BRL 5.9 2 0:1:0.90
        CAD 1.4 2 0:1:0.19,0.29,0.49,0.79,0.99 10:1:0.99
        CHF 1 2 0:0.5:0
        CLP 990 0 0:100:90
        CNY 7.55 2 0:10:2,5,8
        COP 4900 0 0:1000:900
        CZK 25 2 0:10:9
        DKK 8 2 0:1:0
        EGP 50 2 0:10:9.99
        EUR 1.195 2 0:1:0.19,0.29,0.49,0.79,0.99 10:1:0.99
        GBP 1 2 0:1:0.19,0.29,0.49,0.79,0.99 10:1:0.99
        HKD 8 2 0:1:0
        HUF 400 2 0:100:90
        IDR 16500 0 0:1000:0
        ILS 3.9 2 0:1:0.90
        INR 99.9 2 0:10:9
        JPY 160 0 0:10:0 10000:100:0
        KRW 1500 0 0:100:0
        KZT 499 2 0:100:90
        MXN 19.9 2 0:10:9
        MYR 4.99 2 0:1:0.90
        NGN 1500 2 0:100:0
        NOK 11.9 2 0:1:0
        NZD 1.75 2 0:1:0.19,0.29,0.49,0.79,0.99 10:1:0.99
        PEN 3.9 2 0:1:0.90
        PHP 59 2 0:10:9
        PKR 300 0 0:100:0
        PLN 5 2 0:1:0.99
        QAR 4 2 0:1:0.99
        RON 5 2 0:1:0.99
        RUB 99.9 2 0:10:9
        SAR 4 2 0:1:0.99
        SEK 11.9 2 0:1:0
        SGD 1.4 2 0:1:0.19,0.29,0.49,0.79,0.99 10:1:0.99
        THB 35 2 0:10:9
        TRY 40 2 0:1:0.99
        TWD 33 2 0:10:0
        TZS 2500 2 0:500:0
        USD 1 2 0:1:0.99
        VND 25000 0 0:1000:0
        ZAR 20 2 0:1:0.99
        """

    /// All amounts of rows of from, to and step, in cents.
    static func amounts(_ rows: String) -> [Int64] {
        rows.split(separator: "\n").flatMap { row -> [Int64] in
            let numbers = row.split(separator: " ").compactMap {
                try? Money(decimal: $0, currency: .usd).minorUnits
            }
            return numbers.count == 3 ? Array(stride(from: numbers[0], through: numbers[1], by: Int(numbers[2]))) : []
        }
    }
}

import StoreModel
import TestSupport
import Testing

@Suite("Splitting money")
struct MoneySplitTests {
    @Test(
        "The part is rounded to the nearest minor unit, an exact half to the even one",
        arguments: [
            (199, 30, 100, 60), (100, 30, 100, 30), (1, 1, 2, 0), (3, 1, 2, 2), (5, 1, 2, 2), (7, 1, 2, 4),
            (2, 1, 3, 1), (1, 1, 3, 0),
            (-199, 30, 100, -60), (-1, 1, 2, 0), (-3, 1, 2, -2), (99, 15, 100, 15), (0, 1, 2, 0), (100, 0, 1, 0),
            (100, 1, 1, 100),
        ])
    func rounding(whole: Int64, numerator: Int64, denominator: Int64, part: Int64) throws {
        let money = Money(minorUnits: whole, currency: .eur)
        let split = money.split(at: try Proportion(numerator, outOf: denominator))
        #expect(split.part == Money(minorUnits: part, currency: .eur))
        #expect(try split.part + split.rest == money)
    }

    @Test("The largest amounts split without a trap", arguments: [Int64.max, Int64.min])
    func extremes(whole: Int64) throws {
        let money = Money(minorUnits: whole, currency: .usd)
        for proportion in [
            try Proportion(0, outOf: 1), try Proportion(1, outOf: 1), try Proportion(Int64.max - 1, outOf: .max),
            try Proportion(1, outOf: .max),
        ] {
            let split = money.split(at: proportion)
            #expect(try split.part + split.rest == money)
        }
        #expect(money.split(at: try Proportion(1, outOf: 1)).part == money)
    }

    @Test(
        "Random amounts: the parts sum to the whole, lie within it, mirror under a change of sign and miss by at most a half"
    )
    func randomProperty() throws {
        var generator = RandomizedRun.generator(named: "splits")
        for _ in 0..<RandomizedRun.cases(20_000) {
            let bits = Int64.random(in: 0...62, using: &generator)
            let limit = Int64(1) << bits
            let money = Money(minorUnits: .random(in: -limit...limit, using: &generator), currency: .usd)
            let denominator = Int64.random(in: 1...limit, using: &generator)
            let proportion = try Proportion(.random(in: 0...denominator, using: &generator), outOf: denominator)
            let (part, rest) = money.split(at: proportion)
            #expect(try part + rest == money)
            #expect(part.minorUnits.magnitude <= money.minorUnits.magnitude)
            #expect(part.isZero || part.isNegative == money.isNegative)
            #expect(try (-money).split(at: proportion).part == -part)
            let exact = Int128(money.minorUnits) * Int128(proportion.numerator)
            let error = (Int128(part.minorUnits) * Int128(proportion.denominator) - exact).magnitude
            #expect(error * 2 <= Int128(proportion.denominator).magnitude)
        }
    }

    @Test("Proportions are kept in lowest terms and between 0 and 1")
    func proportions() throws {
        #expect(try Proportion(30, outOf: 100) == Proportion(3, outOf: 10))
        #expect(try Proportion(30, outOf: 100).description == "3/10")
        #expect(try Proportion(0, outOf: 7).description == "0/1")
        #expect(try Proportion(percentMilliunits: 50_000) == Proportion(1, outOf: 2))
        #expect(try Proportion(1, outOf: 2).percentMilliunits == 50_000)
        #expect(try Proportion(1, outOf: 3).percentMilliunits == nil)
        #expect(try Proportion(Int64.max, outOf: .max).percentMilliunits == 100_000)
        for (numerator, denominator) in [
            (Int64(1), Int64(0)), (-1, 2), (3, 2), (0, 0), (1, -2), (.min, .min), (0, .min),
        ] {
            #expect(throws: InvalidValue.self) { try Proportion(numerator, outOf: denominator) }
        }
        #expect(throws: InvalidValue.self) { try Proportion(percentMilliunits: 100_001) }
    }
}

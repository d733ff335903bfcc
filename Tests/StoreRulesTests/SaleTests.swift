import StoreModel
import StoreRules
import TestSupport
import Testing

@Suite struct SaleTests {
    private func sale(_ minorUnits: Int64, _ quantity: Int, _ currency: Currency = .usd) throws -> Sale {
        try Sale(
            unitPrice: Money(minorUnits: minorUnits, currency: currency), quantity: quantity,
            commission: Proportion(3, outOf: 10))
    }

    @Test("R2.3: The total is the unit price so many times")
    func total() throws {
        #expect(try sale(99, 4).total == Money(minorUnits: 396, currency: .usd))
        #expect(try sale(150, 10, .jpy).total == Money(minorUnits: 1500, currency: .jpy))
    }

    @Test("X10: Of 99 cents the store keeps 30 and the developer gets 69")
    func split() throws {
        let sale = try sale(99, 1)
        #expect(sale.commission.minorUnits == 30)
        #expect(sale.proceeds.minorUnits == 69)
    }

    @Test("R2.1: A quantity below 1 or above the limit is refused", arguments: [Int.min, -1, 0, 11, Int.max])
    func quantity(_ quantity: Int) {
        #expect(throws: SaleError.self) { try sale(99, quantity) }
    }

    @Test("A total that no number holds is refused")
    func tooLarge() {
        let error = #expect(throws: SaleError.self) { try sale(.max, 2) }
        #expect(error?.code == .tooLarge)
    }

    @Test("A price below nothing is refused")
    func negative() {
        let error = #expect(throws: SaleError.self) { try sale(-1, 1) }
        #expect(error?.code == .priceNegative)
    }

    @Test("X10: Commission and proceeds sum to the total, whatever the price and the rate")
    func sums() throws {
        var random = RandomizedRun.generator(named: "sums of sales")
        for _ in 0..<RandomizedRun.cases(500) {
            let denominator = Int64.random(in: 1...100_000, using: &random)
            let sale = try Sale(
                unitPrice: Money(minorUnits: .random(in: 0...1_000_000_000, using: &random), currency: .usd),
                quantity: .random(in: Sale.quantities, using: &random),
                commission: Proportion(.random(in: 0...denominator, using: &random), outOf: denominator))
            #expect(try sale.commission + sale.proceeds == sale.total)
            #expect(!sale.commission.isNegative && !sale.proceeds.isNegative)
        }
    }
}

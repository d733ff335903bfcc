package import StoreModel

/// What went through the test processor, for each currency.
package struct TestProcessorTotals: Hashable, Sendable {
    /// Sums in minor units, exact however many there were.
    package struct Sums: Hashable, Sendable {
        package var captured: Int128 = 0
        package var refunded: Int128 = 0
    }

    package private(set) var sums: [Currency: Sums] = [:]

    mutating func add(_ record: TestProcessorRecord) {
        guard let amount = record.amount else { return }
        switch record.result {
        case .captured: sums[amount.currency, default: Sums()].captured += Int128(amount.minorUnits)
        case .refunded: sums[amount.currency, default: Sums()].refunded += Int128(amount.minorUnits)
        default: break
        }
    }
}

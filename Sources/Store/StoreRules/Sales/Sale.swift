package import StoreModel

/// What a customer pays, and who gets how much of it.
package struct Sale: Hashable, Sendable {
    /// What one costs.
    package let unitPrice: Money
    package let quantity: Int
    /// What all of them cost: what the customer pays.
    package let total: Money
    /// What the store keeps of it.
    package let commission: Money
    /// What the developer gets.
    package let proceeds: Money

    /// How many of a product one purchase may have.
    package static let quantities = 1...10

    /// The sum of a sale. Commission and proceeds always sum to the total.
    package init(unitPrice: Money, quantity: Int, commission rate: Proportion) throws(SaleError) {
        guard Self.quantities.contains(quantity) else {
            throw SaleError(.quantityOutOfRange, "a purchase is of 1 to \(Self.quantities.upperBound)")
        }
        guard !unitPrice.isNegative else { throw SaleError(.priceNegative, "a price is not below nothing") }
        self.unitPrice = unitPrice
        self.quantity = quantity
        do {
            total = try unitPrice * quantity
        } catch {
            throw SaleError(.tooLarge, "the sum of the purchase is too large")
        }
        (commission, proceeds) = total.split(at: rate)
    }
}

/// Why something cannot be sold like this.
package struct SaleError: Error, Hashable, Sendable {
    package struct Code: Hashable, Sendable {
        package let name: String

        package static let quantityOutOfRange = Code(name: "quantity_out_of_range")
        package static let priceNegative = Code(name: "price_negative")
        package static let tooLarge = Code(name: "too_large")
    }

    package let code: Code
    /// One sentence that is safe to log.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension SaleError: CustomStringConvertible {
    package var description: String { message }
}

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

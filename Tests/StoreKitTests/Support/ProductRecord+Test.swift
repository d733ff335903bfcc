import Foundation

@testable import StoreKit

extension ProductRecord {
    /// A product for 0.99 dollars.
    static func test(_ identifier: String) -> ProductRecord {
        ProductRecord(
            identifier: identifier, title: "Banana", text: "A banana", price: Decimal(99) / 100,
            priceLocale: "en_US@currency=USD")
    }
}

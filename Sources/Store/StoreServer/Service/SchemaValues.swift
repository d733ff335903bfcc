package import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreRules
import StoreService

// How values look in JSON, wherever a message has one.

extension SchemaValue where Self: NumericIdentifier {
    package static var schema: JSONSchema { .string(pattern: "^(0|[1-9][0-9]{0,18})$") }
}

extension SchemaValue where Self: CatalogueIdentifier {
    package static var schema: JSONSchema { .integer("The number by which links and receipts name it.", minimum: 0) }
}

extension CountedIdentifier: SchemaValue {
    package static var schema: JSONSchema { .integer(minimum: 0) }
}

extension SchemaValue where Self: UUIDIdentifier {
    package static var schema: JSONSchema { .string(format: "uuid") }
}

extension AppAccountToken: SchemaValue {}
extension AppID: SchemaValue {}
extension CustomerID: SchemaValue {}
extension DeviceID: SchemaValue {}
extension ItemID: SchemaValue {}
extension NotificationID: SchemaValue {}
extension PurchaseID: SchemaValue {}
extension PurchaseKey: SchemaValue {}
extension SaleID: SchemaValue {}
extension OrderID: SchemaValue {
    package static var schema: JSONSchema {
        .string(example: "MK5TTTVWJH", pattern: "^[A-Z0-9]+$", lengths: 1...longest)
    }
}
extension StorefrontID: SchemaValue {}
extension SubscriptionID: SchemaValue {}
extension TransactionID: SchemaValue {}

extension BillingPeriod: SchemaValue {
    package static var schema: JSONSchema { .string(example: "P1M") }
}

extension BundleID: SchemaValue {
    package static var schema: JSONSchema {
        .string(example: "com.example.app", pattern: #"^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$"#, lengths: 1...longest)
    }
}

extension BundlePattern: SchemaValue {
    package static var schema: JSONSchema {
        .string(
            example: "com.example.app", pattern: #"^(\*|[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(\.\*)?)$"#,
            lengths: 1...BundleID.longest)
    }
}

extension Instant: SchemaValue {
    package static var schema: JSONSchema { .integer("Milliseconds since 1970.") }
}

extension ProductID: SchemaValue {
    package static var schema: JSONSchema {
        .string(example: "com.example.app.credits5", pattern: "^[A-Za-z0-9._-]+$", lengths: 1...longest)
    }
}

extension TeamID: SchemaValue {
    package static var schema: JSONSchema {
        .string(example: "example-team", pattern: "^[a-z0-9-]+$", lengths: 1...longest)
    }
}

extension SubscriptionGroupID: SchemaValue {
    package static var schema: JSONSchema {
        .string(example: "21000001", pattern: "^[A-Za-z0-9._-]+$", lengths: 1...longest)
    }
}

extension WireWord: SchemaValue {
    package static var schema: JSONSchema { .string(among: Known.allCases.map(\.rawValue)) }
}

extension FeedMode: SchemaValue {
    package static var schema: JSONSchema { .string(among: allCases.map(\.rawValue).sorted()) }
}

extension StoreEnvironment: SchemaValue {
    package static var schema: JSONSchema { .string(among: allCases.map(\.rawValue).sorted()) }
}

extension StorefrontCode: SchemaValue {
    package static var schema: JSONSchema { .string("Three letters.", example: "USA", pattern: "^[A-Z]{3}$") }
}

extension JSONSchema {
    static let jws = string("A JWS under the chain of the store.")
    static let quantity = integer(minimum: Sale.quantities.lowerBound, maximum: Sale.quantities.upperBound)
    /// A decimal number of the main unit of a currency.
    static let amount = string(example: "0.99", pattern: #"^[0-9]+(\.[0-9]+)?$"#)
}

/// Why the catalogue does not do what it was asked.
package struct CatalogueError: Error, Hashable, Sendable {
    /// What kind of refusal this is; more may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no such app.
        package static let appUnknown = Code(rawValue: "app_unknown")
        /// There is an app of this bundle id.
        package static let appExists = Code(rawValue: "app_exists")
        /// The app has no such product.
        package static let productUnknown = Code(rawValue: "product_unknown")
        /// The product is of another kind, which never changes.
        package static let kindFixed = Code(rawValue: "product_kind_fixed")
        /// The id belonged to a product that was removed.
        package static let productRemoved = Code(rawValue: "product_removed")
        /// A value breaks its rule.
        package static let valueInvalid = Code(rawValue: "value_invalid")
        /// There would be more than a limit allows.
        package static let limitReached = Code(rawValue: "limit_reached")
        /// Something of this name is there already.
        package static let nameTaken = Code(rawValue: "name_taken")
        /// There is nothing of this name.
        package static let nameUnknown = Code(rawValue: "name_unknown")
    }

    package let code: Code
    /// The value that is meant: `products[3].displayPrice`.
    package let field: String?
    /// One sentence without its full stop that is safe to log.
    package let message: String

    package init(_ code: Code, _ message: String, field: String? = nil) {
        self.code = code
        self.field = field
        self.message = message
    }
}

extension CatalogueError: CustomStringConvertible {
    package var description: String { field.map { "\($0): \(message)" } ?? message }
}

package import StoreModel

/// Why the catalogue does not do what it was asked.
package struct CatalogueError: Error, Hashable, Sendable {
    package let code: RefusalCode
    /// The value that is meant: `products[3].displayPrice`.
    package let field: String?
    /// One sentence without its full stop that is safe to log.
    package let message: String

    package init(_ code: RefusalCode, _ message: String, field: String? = nil) {
        self.code = code
        self.field = field
        self.message = message
    }
}

extension CatalogueError: CustomStringConvertible {
    package var description: String { field.map { "\($0): \(message)" } ?? message }
}

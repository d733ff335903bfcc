package import StoreModel

/// Why the catalogue does not do what it was asked.
package struct CatalogueError: Refusal, Hashable {
    package let code: RefusalCode
    /// The path of the value that is meant: `products[3].displayPrice`.
    package let parameter: String?
    /// One sentence about the value, without its full stop.
    let rule: String

    package init(_ code: RefusalCode, _ rule: String, field: String? = nil) {
        self.code = code
        self.rule = rule
        parameter = field
    }

    /// The sentence, after the path of the value.
    package var message: String { parameter.map { "\($0): \(rule)" } ?? rule }
}

/// What putting a product into the catalogue did.
package struct ProductChange: Hashable, Sendable {
    /// The word by which interfaces tell it.
    package let name: String

    package static let added = ProductChange(name: "added")
    package static let changed = ProductChange(name: "changed")
    package static let unchanged = ProductChange(name: "unchanged")
}

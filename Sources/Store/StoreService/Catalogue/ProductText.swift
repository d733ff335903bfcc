/// What customers read of a product, in one language.
package struct ProductText: Hashable, Sendable {
    package let title: String
    package let description: String

    package init(title: String, description: String) {
        self.title = title
        self.description = description
    }
}

import StoreModel

/// How far a product is on its way to being sold.
package struct ProductState: WireValue {
    package let rawValue: String

    /// Any state, known or not.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Complete: the sandbox sells it.
    package static let ready = ProductState(rawValue: "ready")
    /// Reviewed: production sells it too.
    package static let approved = ProductState(rawValue: "approved")

    package static let known: Set<ProductState> = [.ready, .approved]
}

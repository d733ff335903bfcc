/// A purchase that the customer has begun outside the app, on a page of the store for example.
public struct PurchaseIntent: Equatable, Hashable, Identifiable, Sendable {
    /// The product that the customer wants.
    public let product: Product
    /// The offer that goes with it.
    public let offer: Product.SubscriptionOffer?

    /// What names the product to the store.
    public var id: Product.ID { product.id }

    package init(product: Product, offer: Product.SubscriptionOffer? = nil) {
        self.product = product
        self.offer = offer
    }
}

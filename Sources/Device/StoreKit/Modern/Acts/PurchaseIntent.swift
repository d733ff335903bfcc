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

extension PurchaseIntent {
    /// What the customer wants to buy that was chosen outside the app. While it is read, observers of the original API are not
    /// asked. It never ends.
    public static var intents: PurchaseIntents { PurchaseIntents() }

    /// Purchases that were begun outside the app.
    public struct PurchaseIntents: AsyncSequence, Sendable {
        /// A purchase that was begun outside the app.
        public typealias Element = PurchaseIntent

        /// Reads the sequence from now on.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }

        /// Reads purchases that were begun outside the app. It ends when its task is cancelled.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let reading: TransactionDelivery.Reading
            private var elements: AsyncStream<PurchaseIntent>.Iterator

            init() {
                let delivery = TransactionDelivery.current
                elements = delivery.intents.elements().makeAsyncIterator()
                reading = delivery.read()
                (delivery.session as? DeviceSession)?.lookForPromotions()
            }

            /// The next purchase.
            public mutating func next() async -> PurchaseIntent? {
                defer { withExtendedLifetime(reading) {} }
                return await elements.next()
            }
        }
    }
}

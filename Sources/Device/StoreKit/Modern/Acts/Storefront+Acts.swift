extension Storefront {
    /// The storefront of the customer; nil while it is not known and the store cannot be reached.
    public static var current: Storefront? {
        get async {
            let session = CurrentSession.session
            if session.storefront == nil, let session = session as? DeviceSession {
                try? await session.device.prepare()
            }
            return session.storefront.map(Storefront.init)
        }
    }

    /// Each other storefront of the customer. It never ends.
    public static var updates: Storefronts { Storefronts() }

    /// Storefronts that the customer goes over to.
    public struct Storefronts: AsyncSequence, Sendable {
        /// A storefront.
        public typealias Element = Storefront

        /// Reads the sequence from now on.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }

        /// Reads storefronts. It ends when its task is cancelled.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let reading: TransactionDelivery.Reading
            private var elements: AsyncStream<Storefront>.Iterator

            init() {
                let delivery = TransactionDelivery.current
                elements = delivery.storefronts.elements().makeAsyncIterator()
                reading = delivery.read()
            }

            /// The next storefront.
            public mutating func next() async -> Storefront? {
                defer { withExtendedLifetime(reading) {} }
                return await elements.next()
            }
        }
    }
}

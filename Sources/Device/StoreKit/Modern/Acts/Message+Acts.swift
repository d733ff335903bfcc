extension Message {
    /// What the store wants to tell the customer. While it is read, the app shows each with ``display()``; otherwise the question
    /// comes by itself. It never ends.
    public static var messages: Messages { Messages() }

    /// Shows the message: asks the customer to agree to a higher price, or opens the page of the store.
    ///
    /// On Apple's platforms this takes a scene.
    @MainActor public func display() throws {
        let session = CurrentSession.session
        if reason == .priceIncreaseConsent { return session.showPriceConsentIfNeeded() }
        guard let session = session as? DeviceSession else { throw StoreKitError.unsupported }
        Task { await session.showSubscriptions() }
    }

    /// Messages of the store.
    public struct Messages: AsyncSequence, Sendable {
        /// A message.
        public typealias Element = Message

        /// Reads the sequence from now on.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }

        /// Reads messages. It ends when its task is cancelled.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let reading: TransactionDelivery.Reading
            private var elements: AsyncStream<Message>.Iterator

            init() {
                let delivery = TransactionDelivery.current
                elements = delivery.messages.elements().makeAsyncIterator()
                reading = delivery.read()
            }

            /// The next message.
            public mutating func next() async -> Message? {
                defer { withExtendedLifetime(reading) {} }
                return await elements.next()
            }
        }
    }
}

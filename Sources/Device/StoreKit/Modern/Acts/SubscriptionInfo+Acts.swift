import StoreModel

extension Product.SubscriptionInfo {
    /// Whether the customer may have the introductory offer: whether the group is new to them. The first answer stands for the life
    /// of the process.
    public var isEligibleForIntroOffer: Bool {
        get async { await Self.isEligibleForIntroOffer(for: subscriptionGroupID) }
    }

    /// Whether a group of subscriptions is new to the customer. The first answer stands for the life of the process.
    public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
        guard let session = CurrentSession.session as? DeviceSession else { return true }
        return await session.isEligibleForIntroOffer(in: groupID)
    }

    /// How the customer's subscriptions of the group stand: none, one, or another that the family shares.
    public var status: [Product.SubscriptionInfo.Status] {
        get async throws { try await Self.status(for: subscriptionGroupID) }
    }

    /// How the customer's subscriptions of a group stand: none, one, or another that the family shares.
    public static func status(for groupID: String) async throws -> [Product.SubscriptionInfo.Status] {
        try await statuses().filter { $0.group == groupID }.map(\.status)
    }

    /// How the subscription stands that a transaction is of; nil if the customer has none.
    public static func status(transactionID: UInt64) async throws -> SubscriptionStatus? {
        let all = try await statuses().map(\.status)
        let direct = all.first { status in
            let transaction = status.transaction.unsafePayloadValue
            return transaction.id == transactionID || transaction.originalID == transactionID
        }
        if let direct { return direct }
        for await found in Transaction.all where found.unsafePayloadValue.id == transactionID {
            let series = found.unsafePayloadValue.originalID
            return all.first { $0.transaction.unsafePayloadValue.originalID == series }
        }
        return nil
    }

    fileprivate static func statuses() async throws -> [(group: String, status: SubscriptionStatus)] {
        let session = CurrentSession.session
        try session.failIfSimulated(.subscriptionStatus)
        guard let session = session as? DeviceSession else { return [] }
        do {
            return try await session.statuses()
        } catch {
            if Task.isCancelled { return [] }
            throw StoreKitError(error)
        }
    }
}

extension Product.SubscriptionInfo.Status {
    /// Subscriptions that stand otherwise, each as it does then. It never ends.
    public struct Statuses: AsyncSequence, Sendable {
        /// How a subscription stands.
        public typealias Element = Product.SubscriptionInfo.Status

        /// Reads the sequence from now on.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }

        /// Reads how subscriptions stand. It ends when its task is cancelled.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let reading: TransactionDelivery.Reading
            private var elements: AsyncStream<Product.SubscriptionInfo.Status>.Iterator

            init() {
                let delivery = TransactionDelivery.current
                elements = delivery.statuses.elements().makeAsyncIterator()
                reading = delivery.read()
            }

            /// The next subscription that stands otherwise.
            public mutating func next() async -> Product.SubscriptionInfo.Status? {
                defer { withExtendedLifetime(reading) {} }
                return await elements.next()
            }
        }
    }

    /// Each change of how a subscription stands: it is renewed, is over, does not renew any more, is not paid.
    public static var updates: Statuses { Statuses() }

    /// How all subscriptions of the customer stand, by their groups.
    public static var all: AsyncStream<(groupID: String, statuses: [Product.SubscriptionInfo.Status])> {
        let own = CurrentSession.own
        return AsyncStream { continuation in
            let task = Task {
                await CurrentSession.$own.withValue(own) {
                    let found = (try? await Product.SubscriptionInfo.statuses()) ?? []
                    for (group, statuses) in Dictionary(grouping: found, by: \.group).sorted(by: { $0.key < $1.key }) {
                        continuation.yield((groupID: group, statuses: statuses.map(\.status)))
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

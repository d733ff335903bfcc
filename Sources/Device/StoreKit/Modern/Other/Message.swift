/// Something that the store wants to tell the customer while the app is open.
public struct Message: Sendable, Equatable, Hashable {
    /// What it is about.
    public let reason: Message.Reason

    package init(reason: Message.Reason) {
        self.reason = reason
    }

    /// What messages are about.
    public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
        /// As the store numbers it.
        public let rawValue: Int

        /// Any reason, known or not.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Something else.
        public static let generic = Reason(rawValue: 0)
        /// A higher price, to which the customer has to consent.
        public static let priceIncreaseConsent = Reason(rawValue: 1)
        /// A renewal that could not be paid.
        public static let billingIssue = Reason(rawValue: 2)
        /// An offer for former subscribers.
        public static let winBackOffer = Reason(rawValue: 3)
    }
}

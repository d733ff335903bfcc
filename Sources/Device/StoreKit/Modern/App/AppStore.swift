/// What concerns the store as a whole.
public enum AppStore: Sendable {
    /// The age rating of the app in the customer's country; nil, as apps have none for the device to tell.
    public static var ageRatingCode: Int? {
        get async { nil }
    }

    /// The environments of a store.
    public struct Environment: RawRepresentable, Equatable, Hashable, Sendable {
        /// As the store writes it.
        public let rawValue: String

        /// Any environment, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Real customers and real money.
        public static let production = Environment(rawValue: "Production")
        /// Testers and test money.
        public static let sandbox = Environment(rawValue: "Sandbox")
        /// A test in Xcode; this store never writes it.
        public static let xcode = Environment(rawValue: "Xcode")
    }

    /// The platforms that apps are got on.
    public struct Platform: RawRepresentable, Equatable, Hashable, Sendable {
        /// As the store writes it.
        public let rawValue: String

        /// Any platform, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Phones and tablets.
        public static let iOS = Platform(rawValue: "iOS")
        /// The Mac.
        public static let macOS = Platform(rawValue: "macOS")
        /// Televisions.
        public static let tvOS = Platform(rawValue: "tvOS")
        /// Headsets.
        public static let visionOS = Platform(rawValue: "visionOS")
        /// Devices that an organisation manages.
        public static let managed = Platform(rawValue: "managed")
    }
}

/// The platform on which a customer first got the app.
public struct OriginalPlatform: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A phone or tablet.
    public static let iOS = OriginalPlatform(rawValue: "iOS")
    /// A Mac.
    public static let macOS = OriginalPlatform(rawValue: "macOS")
    /// A television.
    public static let tvOS = OriginalPlatform(rawValue: "tvOS")
    /// A headset.
    public static let visionOS = OriginalPlatform(rawValue: "visionOS")

    /// The values that this version knows.
    public static let known: Set<OriginalPlatform> = [.iOS, .macOS, .tvOS, .visionOS]
}

/// Which apps a provisioning profile is for: one, or all whose bundle ids begin alike (`com.example.*`).
public struct BundlePattern: StoreIdentifier {
    /// What it is called in errors.
    public static let subject = "bundle id of a profile"

    /// The pattern as text.
    public let text: String

    /// Reads a bundle id, or one that ends with `.*`, or `*` alone.
    public init(parsing text: some StringProtocol) throws(InvalidValue) {
        if text != "*" {
            let explicit = text.hasSuffix(".*") ? String(text.dropLast(2)) : String(text)
            do {
                _ = try BundleID(parsing: explicit)
            } catch {
                throw InvalidValue(
                    error.code, subject: Self.subject, value: text, rule: "is a bundle id, or ends with .* after one")
            }
        }
        self.text = String(text)
    }

    /// The pattern as text.
    public var description: String { text }

    /// The app, if it is one.
    public var bundleID: BundleID? { isWildcard ? nil : BundleID(text) }

    /// Whether it is for many apps. Such a profile is valid, but nothing can be sold with it.
    public var isWildcard: Bool { text.hasSuffix("*") }

    /// Whether an app is among those meant.
    public func matches(_ bundleID: BundleID) -> Bool {
        isWildcard ? bundleID.text.hasPrefix(text.dropLast()) : bundleID.text == text
    }
}

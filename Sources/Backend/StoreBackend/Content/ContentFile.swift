/// A version of a content, in a file.
public struct ContentFile: Hashable, Sendable {
    /// The name of the content.
    public let name: String
    /// The version, such as `1.0`.
    public let version: String
    /// The file.
    public let path: String
    /// How many bytes it has.
    public let bytes: Int64
    /// The SHA-256 digest, in 64 hexadecimal digits.
    public let digest: String
    /// What the file is called when it is saved.
    public let fileName: String
    /// The first version of the app that may have it.
    public let minimumAppVersion: String?
    /// The last version of the app that may have it.
    public let maximumAppVersion: String?
}

public import Foundation

/// The UUID by which an app ties purchases to an account of its own.
public struct AppAccountToken: UUIDIdentifier {
    /// What it is called in errors.
    public static let subject = "app account token"

    /// The UUID.
    public let uuid: UUID

    /// A token by its UUID.
    public init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

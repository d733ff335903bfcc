public import Foundation

/// The UUID of a notification to a developer's server, the same in every attempt to deliver it.
public struct NotificationID: UUIDIdentifier {
    /// What it is called in errors.
    public static let subject = "notification id"

    /// The UUID.
    public let uuid: UUID

    /// An id by its UUID.
    public init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

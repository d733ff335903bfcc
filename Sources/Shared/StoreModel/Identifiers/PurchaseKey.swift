public import Foundation

/// The UUID a device gives a purchase before anything is sent, so that a repeated request buys nothing twice.
public struct PurchaseKey: UUIDIdentifier {
    /// What it is called in errors.
    public static let subject = "purchase key"

    /// The UUID.
    public let uuid: UUID

    /// A key by its UUID.
    public init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

public import Foundation

/// The UUID hashed into a device verification value.
public struct DeviceVerificationNonce: UUIDIdentifier {
    /// What it is called in errors.
    public static let subject = "device verification nonce"

    /// The UUID.
    public let uuid: UUID

    /// A nonce by its UUID.
    public init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

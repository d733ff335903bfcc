package import Foundation
package import StoreModel

/// What ties a signed payload to the device that received it: `deviceVerification` of transactions, of what comes after a
/// subscription's period, and of the download of the app.
///
/// It is the SHA-384 of the nonce and of `AppStore.deviceVerificationID`, both as text in lower case, in Base64.
package struct DeviceVerification: Hashable, Sendable {
    package let nonce: DeviceVerificationNonce
    /// In Base64.
    package let text: String

    private static let length = 16

    /// The digest of a nonce and a device.
    package static func digest(nonce: UUID, device: UUID) throws -> [UInt8] {
        let names = DeviceVerificationNonce(nonce).description + DeviceVerificationNonce(device).description
        return try DigestAlgorithm.sha384.digest(names.utf8)
    }

    /// One for the bytes of a device's name, with a nonce that was never used; nil if that is no UUID.
    package init?(for device: [UInt8], random: RandomBytes) throws {
        guard device.count == Self.length else { return nil }
        var bytes = try random(Self.length)
        // As a UUID that was drawn is marked.
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let drawn = Self.uuid(bytes)
        nonce = DeviceVerificationNonce(drawn)
        text = Base64.encode(try Self.digest(nonce: drawn, device: Self.uuid(device)))
    }

    private static func uuid(_ bytes: [UInt8]) -> UUID {
        bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

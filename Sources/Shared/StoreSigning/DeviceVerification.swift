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

    /// That of a nonce for a device.
    package init(nonce: DeviceVerificationNonce, device: UUID) throws {
        let name = nonce.description + device.uuidString.lowercased()
        self.nonce = nonce
        text = Base64.encode(try DigestAlgorithm.sha384.digest(name.utf8))
    }

    /// One with a nonce that was never used.
    package init(for device: UUID, random: RandomBytes) throws {
        try self.init(nonce: DeviceVerificationNonce(Self.uuid(random(16))), device: device)
    }

    /// The UUID of sixteen random bytes, marked as such.
    private static func uuid(_ bytes: [UInt8]) -> UUID {
        var bytes = bytes
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}

package import StoreSigning

/// The secret that a device shows with each request. Only its hash is kept.
package struct DeviceToken: Hashable, Sendable {
    /// As the device has it.
    package let text: String
    let hash: [UInt8]

    private static let bytes = 32
    /// How long a token opens anything; a device renews it by registering again.
    package static let lifetime = Duration.seconds(90 * 24 * 60 * 60)

    /// A new one.
    package init(random: RandomBytes) throws {
        try self.init(text: Base64.encode(random(Self.bytes), .url))
    }

    /// One that somebody showed.
    package init(text: String) throws {
        self.text = text
        hash = try DigestAlgorithm.sha256.digest(text.utf8)
    }
}

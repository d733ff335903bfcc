import Foundation

/// A promotional offer as an app has it from its server, with the signature.
package struct DiscountOrder: Hashable, Sendable {
    package var identifier: String
    package var keyIdentifier: String
    package var nonce: UUID
    package var signature: String
    /// In milliseconds since 1970.
    package var timestamp: Int64

    package init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: Int64) {
        self.identifier = identifier
        self.keyIdentifier = keyIdentifier
        self.nonce = nonce
        self.signature = signature
        self.timestamp = timestamp
    }
}

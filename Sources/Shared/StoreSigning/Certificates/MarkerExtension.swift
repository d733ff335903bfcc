/// An extension by which verifiers tell a certificate made for signing purchases from any other under the same root.
package struct MarkerExtension: Hashable, Sendable {
    package let objectIdentifier: String

    package init(objectIdentifier: String) {
        self.objectIdentifier = objectIdentifier
    }

    /// Demanded of the intermediate certificate.
    package static let intermediate = MarkerExtension(objectIdentifier: "1.2.840.113635.100.6.2.1")
    /// Demanded of the leaf that signs purchases and receipts.
    package static let signingLeaf = MarkerExtension(objectIdentifier: "1.2.840.113635.100.6.11.1")

    /// What the extension holds: a DER NULL.
    static let content: [UInt8] = [0x05, 0x00]
}

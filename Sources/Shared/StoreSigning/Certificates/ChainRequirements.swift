/// What a chain must be, beyond leading to a trusted root.
package struct ChainRequirements: Hashable, Sendable {
    package var leafMarker: MarkerExtension
    package var intermediateMarker: MarkerExtension
    package var leafKey: KeyAlgorithm

    package init(leafMarker: MarkerExtension, intermediateMarker: MarkerExtension, leafKey: KeyAlgorithm) {
        self.leafMarker = leafMarker
        self.intermediateMarker = intermediateMarker
        self.leafKey = leafKey
    }

    /// Chains of signed JSON.
    package static let jws = ChainRequirements(
        leafMarker: .signingLeaf, intermediateMarker: .intermediate, leafKey: .p256)
    /// Chains of receipts.
    package static let receipt = ChainRequirements(
        leafMarker: .signingLeaf, intermediateMarker: .intermediate, leafKey: .rsa)
}

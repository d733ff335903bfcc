/// An app receipt whose signature, chain and date were found good.
package struct VerifiedReceipt: Sendable {
    package let receipt: AppReceipt
    /// The signer's chain.
    package let chain: VerifiedChain
}

/// The three certificates under which everything is signed.
package struct CertificateChain: Sendable {
    package let leaf: Certificate
    package let intermediate: Certificate
    package let root: Certificate

    package init(leaf: Certificate, intermediate: Certificate, root: Certificate) {
        self.leaf = leaf
        self.intermediate = intermediate
        self.root = root
    }

    /// Leaf, intermediate, root: the order of `x5c` and of receipts.
    package var certificates: [Certificate] { [leaf, intermediate, root] }
}

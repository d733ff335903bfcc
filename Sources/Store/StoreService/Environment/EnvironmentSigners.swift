package import StoreSigning

/// What signs and verifies in one environment, prepared once.
package struct EnvironmentSigners: Sendable {
    package let jws: JWSSigner
    package let jwsVerifier: JWSVerifier
    package let receipt: ReceiptSigner
    package let transactionReceipt: TransactionReceiptSigner

    package init(_ keys: EnvironmentKeys) throws {
        jws = try keys.jwsSigner()
        jwsVerifier = try keys.jwsVerifier()
        receipt = try keys.receiptSigner()
        transactionReceipt = try keys.transactionReceiptSigner()
    }
}

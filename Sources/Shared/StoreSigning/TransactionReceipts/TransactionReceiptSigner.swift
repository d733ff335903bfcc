package import StoreModel

/// Makes transaction receipts of the iOS 6 form.
package struct TransactionReceiptSigner: Sendable {
    private let certifiedKey: CertifiedKey
    private let chain: VerifiedChain
    private let environment: StoreEnvironment

    package init(_ certifiedKey: CertifiedKey, environment: StoreEnvironment) throws {
        guard certifiedKey.key.algorithm == .rsa else {
            throw SigningError(.algorithmNotAllowed, "a receipt is signed with an RSA key")
        }
        self.certifiedKey = certifiedKey
        chain = VerifiedChain(certifiedKey.chain)
        self.environment = environment
    }

    /// The receipt as the bytes that an app gets; clients send them on in Base64.
    ///
    /// What its verifier would refuse is not signed: more keys or bytes than a receipt may have, or a purchase made after
    /// the end of the certificate.
    package func sign(_ receipt: TransactionReceipt) throws -> [UInt8] {
        guard receipt.purchaseDate <= chain.notAfter else {
            throw SigningError(.outsideValidity, "the purchase was made after the end of the certificate that signs it")
        }
        guard receipt.entries.entries.count <= SigningLimits.propertyListKeys else {
            throw SigningError(.tooLarge, "the receipt has more than \(SigningLimits.propertyListKeys) keys")
        }
        let purchaseInfo = Array(receipt.entries.text.utf8)
        let signature = try TransactionReceiptSignature(
            signature: certifiedKey.key.signature(
                for: TransactionReceiptSignature.signedBytes(purchaseInfo), digest: .sha1),
            certificate: certifiedKey.chain.leaf.derRepresentation)
        var entries = [
            (key: "signature", value: Base64.encode(signature.encoded)),
            (key: "purchase-info", value: Base64.encode(purchaseInfo)),
        ]
        // Production receipts do not name their environment.
        if environment == .sandbox { entries.append((key: "environment", value: "Sandbox")) }
        entries.append((key: "pod", value: environment == .sandbox ? "100" : "17"))
        entries.append((key: "signing-status", value: "0"))
        let bytes = Array(PropertyListText(entries).text.utf8)
        guard bytes.count <= SigningLimits.transactionReceiptBytes else {
            throw SigningError(.tooLarge, "the receipt exceeds \(SigningLimits.transactionReceiptBytes) bytes")
        }
        return bytes
    }
}

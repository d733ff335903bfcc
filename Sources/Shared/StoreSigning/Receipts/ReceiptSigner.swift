import StoreModel

/// Makes app receipts: PKCS#7 in the structure of the App Store's receipts.
package struct ReceiptSigner: Sendable {
    private let key: PrivateKey
    private let chain: VerifiedChain
    private let signerIdentifier: [UInt8]
    private let certificates: [UInt8]

    package init(_ certifiedKey: CertifiedKey) throws {
        guard certifiedKey.key.algorithm == .rsa else {
            throw SigningError(.algorithmNotAllowed, "a receipt is signed with an RSA key")
        }
        key = certifiedKey.key
        chain = VerifiedChain(certifiedKey.chain)
        let leaf = certifiedKey.chain.leaf
        signerIdentifier = try DER.sequence(leaf.issuerBytes, leaf.serialNumberBytes)
        // Leaf, intermediate, root, in this order: the App Store's receipts do not sort this set either.
        certificates = DER.value(.context0, certifiedKey.chain.certificates.flatMap(\.derRepresentation))
    }

    /// Signs a receipt; its certificates must be valid at its creation date. Throws if a verifier would refuse it.
    package func sign(_ receipt: AppReceipt) throws -> [UInt8] {
        try chain.requireValidity(at: receipt.creationDate)
        let bytes = try container(around: receipt.encoded)
        guard bytes.count <= SigningLimits.receiptBytes else {
            throw SigningError(.tooLarge, "the receipt would exceed \(SigningLimits.receiptBytes) bytes")
        }
        return bytes
    }

    private func container(around payload: [UInt8]) throws -> [UInt8] {
        let digest = DER.sequence(DER.value(.objectIdentifier, SignedDataIdentifier.sha256), DER.null)
        let encryption = DER.sequence(DER.value(.objectIdentifier, SignedDataIdentifier.rsaEncryption), DER.null)
        // Without signed attributes the signature is over the payload itself.
        let signer = try DER.sequence(
            DER.integer(1), signerIdentifier, digest, encryption, DER.octetString(key.signature(for: payload)))
        let signedData = DER.sequence(
            DER.integer(1), DER.set([digest]),
            DER.sequence(
                DER.value(.objectIdentifier, SignedDataIdentifier.data),
                DER.value(.context0, DER.octetString(payload))),
            certificates, DER.set([signer]))
        return DER.sequence(
            DER.value(.objectIdentifier, SignedDataIdentifier.signedData), DER.value(.context0, signedData))
    }
}

/// The hash that binds a receipt to its device.
package enum DeviceHash {
    /// SHA-1 over the device identifier, the opaque value, and the bundle identifier in the DER of its attribute.
    package static func compute(identifier: [UInt8], opaqueValue: [UInt8], bundleID: String) throws -> [UInt8] {
        try DigestAlgorithm.sha1.digest(identifier + opaqueValue + DER.utf8String(bundleID))
    }
}

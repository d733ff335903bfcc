import COpenSSL

/// A private key: what signs.
package struct PrivateKey: Sendable {
    let handle: KeyHandle
    private let sha256: SignatureContexts
    package let algorithm: KeyAlgorithm

    init(_ handle: KeyHandle) throws {
        guard let algorithm = handle.algorithm else {
            throw SigningError(.algorithmNotAllowed, "the key is neither ECDSA on P-256 or P-384 nor RSA")
        }
        self.handle = handle
        self.algorithm = algorithm
        sha256 = SignatureContexts(handle, .signing, digest: .sha256)
    }

    /// Makes a new key of 256 bits on the curve P-256.
    package static func p256() throws -> PrivateKey {
        try PrivateKey(KeyHandle(owning: OpenSSLFailure.unwrap(till_generate_p256(), "making a P-256 key")))
    }

    /// Makes a new RSA key of 2048 bits, the size of every key that signs receipts.
    package static func rsa() throws -> PrivateKey {
        try PrivateKey(KeyHandle(owning: OpenSSLFailure.unwrap(till_generate_rsa(2048), "making an RSA key")))
    }

    package var publicKey: PublicKey {
        get throws {
            try PublicKey(derRepresentation: DERExport.bytes("writing a public key") { i2d_PUBKEY(handle.pointer, $0) })
        }
    }

    /// Signs bytes: DER for ECDSA, a PKCS#1 v1.5 block for RSA.
    package func signature(
        for message: some Sequence<UInt8>, digest algorithm: DigestAlgorithm = .sha256
    ) throws -> [UInt8] {
        let digest = try algorithm.digest(message)
        let contexts = algorithm == .sha256 ? sha256 : SignatureContexts(handle, .signing, digest: algorithm)
        return try contexts.withContext { try Self.sign(digest: digest, in: $0) }
    }

    func withContext<Result>(_ body: (SignatureContexts.Lent) throws -> Result) throws -> Result {
        try sha256.withContext(body)
    }

    static func sign(digest: [UInt8], in context: SignatureContexts.Lent) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: maximumSignatureBytes) { buffer, count in
            var length = maximumSignatureBytes
            try OpenSSLFailure.check(
                EVP_PKEY_sign(context.key, buffer.baseAddress, &length, digest, digest.count), "signing")
            count = length
        }
    }

    /// Enough for RSA of 4096 bits.
    private static let maximumSignatureBytes = 512
}

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

    func withContext<Result>(_ body: (SignatureContexts.Context) throws -> Result) throws -> Result {
        try sha256.withContext(body)
    }

    static func sign(digest: [UInt8], in context: SignatureContexts.Context) throws -> [UInt8] {
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

extension PrivateKey {
    /// The cost of the scrypt step that turns a passphrase into the key of a protected file: 16 MB. OpenSSL's own tools
    /// refuse to open a file that asks for 32 MB or more.
    private enum FileScrypt {
        static let cost: UInt64 = 1 << 14
        static let blockSize: UInt64 = 8
        static let parallelism: UInt64 = 1
        static let saltBytes: Int32 = 16
    }

    /// PKCS#8 in PEM, which every tool reads: plain, or encrypted under a passphrase (PBES2: scrypt and AES-256-CBC).
    package func pemRepresentation(passphrase: [UInt8]? = nil) throws -> String {
        if let passphrase, passphrase.count > SigningLimits.passphraseBytes {
            throw SigningError(.tooLarge, "the passphrase exceeds \(SigningLimits.passphraseBytes) bytes")
        }
        let plain = try OpenSSLFailure.unwrap(EVP_PKEY2PKCS8(handle.pointer), "writing a private key")
        defer { PKCS8_PRIV_KEY_INFO_free(plain) }
        let bio = try MemoryBIO()
        guard let passphrase else {
            try OpenSSLFailure.check(PEM_write_bio_PKCS8_PRIV_KEY_INFO(bio.pointer, plain), "writing a private key")
            return bio.text
        }
        let scheme = try OpenSSLFailure.unwrap(
            PKCS5_pbe2_set_scrypt(
                EVP_aes_256_cbc(), nil, FileScrypt.saltBytes, nil, FileScrypt.cost, FileScrypt.blockSize,
                FileScrypt.parallelism),
            "preparing the encryption of a key file")
        let password = passphrase.map { CChar(bitPattern: $0) }
        guard let encrypted = PKCS8_set0_pbe(password, Int32(password.count), plain, scheme) else {
            X509_ALGOR_free(scheme)
            throw OpenSSLFailure.error("encrypting a private key")
        }
        defer { X509_SIG_free(encrypted) }
        try OpenSSLFailure.check(PEM_write_bio_PKCS8(bio.pointer, encrypted), "writing a private key")
        return bio.text
    }

    /// Reads a private key from PEM: PKCS#8 (also an `AuthKey_….p8`), plain or encrypted, or the older forms.
    package init(pemRepresentation: String, passphrase: [UInt8]? = nil) throws {
        guard pemRepresentation.utf8.count <= SigningLimits.keyFileBytes else {
            throw SigningError(.tooLarge, "the key file exceeds \(SigningLimits.keyFileBytes) bytes")
        }
        if passphrase == nil, Self.isEncrypted(pemRepresentation) {
            throw SigningError(.wrongPassphrase, "the key is protected by a passphrase and none was given")
        }
        let bio = try MemoryBIO(Array(pemRepresentation.utf8))
        // OpenSSL asks for the passphrase through a callback; an empty one keeps it from asking on the terminal.
        var question = PassphraseQuestion(passphrase: passphrase ?? [])
        let key = withUnsafeMutablePointer(to: &question) {
            PEM_read_bio_PrivateKey(bio.pointer, nil, answerPassphrase, $0)
        }
        guard let key else {
            let encrypted = Self.isEncrypted(pemRepresentation)
            let reason = OpenSSLFailure.takeReason()
            throw encrypted
                ? SigningError(.wrongPassphrase, "the passphrase does not open this key")
                : SigningError(.malformed, "reading a private key: \(reason)")
        }
        try self.init(KeyHandle(owning: key))
    }

    /// Whether a PEM text holds a key under a passphrase.
    package static func isEncrypted(_ pem: String) -> Bool {
        pem.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----") || pem.contains("Proc-Type: 4,ENCRYPTED")
    }
}

private struct PassphraseQuestion {
    let passphrase: [UInt8]
}

private func answerPassphrase(
    buffer: UnsafeMutablePointer<CChar>?, capacity: Int32, isWriting: Int32, question: UnsafeMutableRawPointer?
) -> Int32 {
    guard let buffer, let question else { return -1 }
    let passphrase = question.assumingMemoryBound(to: PassphraseQuestion.self).pointee.passphrase
    guard passphrase.count <= Int(capacity) else { return -1 }
    for (index, byte) in passphrase.enumerated() { buffer[index] = CChar(bitPattern: byte) }
    return Int32(passphrase.count)
}

/// The kinds of keys that chains and tokens are made of.
package enum KeyAlgorithm: String, Hashable, Sendable {
    // Closed: every place that signs or verifies has to decide about a new kind.
    /// ECDSA on P-256: JWS, offers and tokens.
    case p256
    /// ECDSA on P-384: roots and intermediates of others only.
    case p384
    /// RSA: receipts.
    case rsa
}

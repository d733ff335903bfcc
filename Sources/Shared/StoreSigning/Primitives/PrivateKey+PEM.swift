import COpenSSL

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

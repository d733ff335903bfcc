import COpenSSL

/// AES-256 in Galois/Counter mode: keeps bytes secret and detects changes to them and to their context.
package struct AESGCM: Sendable {
    package static let keyBytes = 32
    package static let nonceBytes = 12
    package static let tagBytes = 16

    private let key: [UInt8]

    package init(key: [UInt8]) throws {
        guard key.count == Self.keyBytes else {
            throw SigningError(.cryptography, "an AES-256 key has \(Self.keyBytes) bytes")
        }
        self.key = key
    }

    /// Encrypts bytes and answers nonce, ciphertext and tag in one piece.
    ///
    /// `context` is not kept in the result, but must be given again to open it. The nonce is random: one key may seal
    /// about four billion times.
    package func seal(
        _ bytes: [UInt8], context: [UInt8] = [], random: RandomBytes = RandomBytes()
    ) throws -> [UInt8] {
        let nonce = try random(Self.nonceBytes)
        return try run(encrypting: true, bytes, nonce: nonce, context: context) { cipher, output in
            var tag = [UInt8](repeating: 0, count: Self.tagBytes)
            var end: Int32 = 0
            guard EVP_EncryptFinal_ex(cipher, nil, &end) == 1,
                EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagBytes), &tag) == 1
            else { throw OpenSSLFailure.error("encrypting") }
            return nonce + output + tag
        }
    }

    /// Opens what ``seal(_:context:random:)`` made; throws if one bit of it, of the key or of the context differs.
    package func open(_ sealed: [UInt8], context: [UInt8] = []) throws -> [UInt8] {
        guard sealed.count >= Self.nonceBytes + Self.tagBytes else {
            throw SigningError(.malformed, "sealed bytes are shorter than their nonce and tag")
        }
        let nonce = Array(sealed[..<Self.nonceBytes])
        let body = Array(sealed[Self.nonceBytes..<(sealed.count - Self.tagBytes)])
        var tag = Array(sealed.suffix(Self.tagBytes))
        return try run(encrypting: false, body, nonce: nonce, context: context) { cipher, output in
            var end: Int32 = 0
            guard EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagBytes), &tag) == 1,
                EVP_DecryptFinal_ex(cipher, nil, &end) == 1
            else {
                ERR_clear_error()
                throw SigningError(.invalidSignature, "sealed bytes were changed, or the key or context is another")
            }
            return output
        }
    }

    private func run(
        encrypting: Bool, _ bytes: [UInt8], nonce: [UInt8], context: [UInt8],
        finish: (_ cipher: OpaquePointer, _ output: [UInt8]) throws -> [UInt8]
    ) throws -> [UInt8] {
        guard max(bytes.count, context.count) <= SigningLimits.sealedBytes else {
            throw SigningError(
                .tooLarge, "more than \(SigningLimits.sealedBytes >> 20) MB cannot be sealed in one piece")
        }
        let cipher = try OpenSSLFailure.unwrap(EVP_CIPHER_CTX_new(), "making a cipher")
        defer { EVP_CIPHER_CTX_free(cipher) }
        try OpenSSLFailure.check(
            EVP_CipherInit_ex(cipher, EVP_aes_256_gcm(), nil, key, nonce, encrypting ? 1 : 0), "starting a cipher")
        var count: Int32 = 0
        if !context.isEmpty {
            try OpenSSLFailure.check(
                EVP_CipherUpdate(cipher, nil, &count, context, Int32(context.count)), "adding the context")
        }
        var output = [UInt8](repeating: 0, count: bytes.count)
        if !bytes.isEmpty {
            try OpenSSLFailure.check(
                EVP_CipherUpdate(cipher, &output, &count, bytes, Int32(bytes.count)), "running a cipher")
        }
        return try finish(cipher, output)
    }
}

/// Opens many small pieces that were sealed with one key: the key is set up once, and nothing is allocated for a piece.
package final class AESGCMReader {
    private let cipher: OpaquePointer

    package init(key: [UInt8]) throws {
        guard key.count == AESGCM.keyBytes else {
            throw SigningError(.cryptography, "an AES-256 key has \(AESGCM.keyBytes) bytes")
        }
        cipher = try OpenSSLFailure.unwrap(EVP_CIPHER_CTX_new(), "making a cipher")
        guard EVP_CipherInit_ex(cipher, EVP_aes_256_gcm(), nil, key, nil, 0) == 1 else {
            EVP_CIPHER_CTX_free(cipher)
            throw OpenSSLFailure.error("starting a cipher")
        }
    }

    deinit {
        EVP_CIPHER_CTX_free(cipher)
    }

    /// Opens what ``AESGCM/seal(_:context:random:)`` made.
    ///
    /// - Parameter output: what was sealed is written to its beginning; it must not be smaller than `sealed`.
    /// - Returns: how many bytes that are; nil if one bit of the piece, of the key or of the context differs.
    package func open(
        _ sealed: UnsafeRawBufferPointer, context: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> Int? {
        let count = sealed.count - AESGCM.nonceBytes - AESGCM.tagBytes
        guard count >= 0, sealed.count <= SigningLimits.sealedBytes, output.count >= sealed.count,
            let bytes = sealed.bindMemory(to: UInt8.self).baseAddress,
            let result = output.bindMemory(to: UInt8.self).baseAddress
        else { return nil }
        var written: Int32 = 0
        let body = bytes + AESGCM.nonceBytes
        // OpenSSL takes the tag as a pointer that it could write through, and reads it only.
        let tag = UnsafeMutableRawPointer(mutating: body + count)
        guard EVP_CipherInit_ex(cipher, nil, nil, nil, bytes, 0) == 1,
            EVP_CipherUpdate(
                cipher, nil, &written, context.bindMemory(to: UInt8.self).baseAddress, Int32(context.count)) == 1,
            EVP_CipherUpdate(cipher, result, &written, body, Int32(count)) == 1,
            EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(AESGCM.tagBytes), tag) == 1,
            EVP_CipherFinal_ex(cipher, result + count, &written) == 1
        else {
            ERR_clear_error()
            return nil
        }
        return count
    }
}

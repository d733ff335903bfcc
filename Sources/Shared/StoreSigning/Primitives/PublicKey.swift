import COpenSSL
import Glibc

/// A public key: what verifies.
package struct PublicKey: Sendable {
    let handle: KeyHandle
    private let sha256: SignatureContexts
    private let sha1: SignatureContexts

    /// The kind of key; nil for one that is not supported.
    package let algorithm: KeyAlgorithm?

    /// Any kind of key: whether it is allowed depends on the certificate's place in the chain.
    init(_ handle: KeyHandle) {
        self.handle = handle
        algorithm = handle.algorithm
        sha256 = SignatureContexts(handle, .verifying, digest: .sha256)
        sha1 = SignatureContexts(handle, .verifying, digest: .sha1)
    }

    /// Reads a SubjectPublicKeyInfo in DER; anything after it is refused.
    package init(derRepresentation der: [UInt8]) throws {
        try Self.requireSize(der.count)
        var end = 0
        let key: OpaquePointer? = der.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return nil }
            var cursor: UnsafePointer<UInt8>? = start
            let key = d2i_PUBKEY(nil, &cursor, buffer.count)
            end = cursor.map { $0 - start } ?? 0
            return key
        }
        guard let key else { throw OpenSSLFailure.error("reading a public key", code: .malformed) }
        let handle = KeyHandle(owning: key)
        guard end == der.count else {
            throw SigningError(.malformed, "reading a public key: \(der.count - end) bytes follow it")
        }
        try self.init(known: handle)
    }

    /// Reads a PEM file's `PUBLIC KEY`.
    package init(pemRepresentation: String) throws {
        try Self.requireSize(pemRepresentation.utf8.count)
        let bio = try MemoryBIO(Array(pemRepresentation.utf8))
        guard let key = PEM_read_bio_PUBKEY(bio.pointer, nil, nil, nil) else {
            throw OpenSSLFailure.error("reading a public key", code: .malformed)
        }
        try self.init(known: KeyHandle(owning: key))
    }

    private init(known handle: KeyHandle) throws {
        guard handle.algorithm != nil else {
            throw SigningError(.algorithmNotAllowed, "the key is neither ECDSA on P-256 or P-384 nor RSA")
        }
        self.init(handle)
    }

    private static func requireSize(_ count: Int) throws {
        if count > SigningLimits.keyFileBytes {
            throw SigningError(.tooLarge, "the key exceeds \(SigningLimits.keyFileBytes) bytes")
        }
    }

    /// SubjectPublicKeyInfo in DER.
    package var derRepresentation: [UInt8] {
        get throws { try DERExport.bytes("writing a public key") { i2d_PUBKEY(handle.pointer, $0) } }
    }

    package var pemRepresentation: String {
        get throws {
            let bio = try MemoryBIO()
            try OpenSSLFailure.check(PEM_write_bio_PUBKEY(bio.pointer, handle.pointer), "writing a public key")
            return bio.text
        }
    }

    /// Whether a signature in DER (ECDSA) or as a plain block (RSA PKCS#1 v1.5) matches these bytes.
    package func isValidSignature(
        _ signature: some Sequence<UInt8>, for message: some Sequence<UInt8>, digest: DigestAlgorithm = .sha256
    ) throws -> Bool {
        let signature = Array(signature)
        return try contexts(for: digest).withContext { context in
            try Self.verify(signature, digest: digest.digest(message, scratch: context.digest), in: context)
        }
    }

    func withContext<Result>(_ body: (SignatureContexts.Context) throws -> Result) throws -> Result {
        try sha256.withContext(body)
    }

    static func verify(_ signature: [UInt8], digest: [UInt8], in context: SignatureContexts.Context) -> Bool {
        let valid = EVP_PKEY_verify(context.key, signature, signature.count, digest, digest.count) == 1
        if !valid { ERR_clear_error() }
        return valid
    }

    private func contexts(for algorithm: DigestAlgorithm) throws -> SignatureContexts {
        switch algorithm {
        case .sha256: return sha256
        case .sha1: return sha1
        case .sha384: return SignatureContexts(handle, .verifying, digest: .sha384)
        // Nothing is signed over it.
        case .md5: throw OpenSSLFailure.error("verifying a signature over MD5")
        }
    }
}

/// Owns one `EVP_PKEY`.
// Safe: OpenSSL counts references atomically and an EVP_PKEY is not changed after it was made.
final class KeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over the caller's reference.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    var algorithm: KeyAlgorithm? {
        switch EVP_PKEY_get_base_id(pointer) {
        case EVP_PKEY_RSA: .rsa
        case EVP_PKEY_EC where groupName == "prime256v1": .p256
        case EVP_PKEY_EC where groupName == "secp384r1": .p384
        default: nil
        }
    }

    private var groupName: String {
        var name = [CChar](repeating: 0, count: 80)
        var length = 0
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &length) == 1 else { return "" }
        return String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether both contain the same bytes. The C library compares many at once.
    package func holdsSame(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
        return memcmp(start, otherStart, count) == 0
    }
}

import Foundation

/// The three segments of a compact JWS, found but not yet believed.
struct CompactJWS {
    let header: UnsafeRawBufferPointer
    let payload: UnsafeRawBufferPointer
    let signature: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count <= SigningLimits.jwsBytes else {
            throw SigningError(.tooLarge, "the JWS exceeds \(SigningLimits.jwsBytes) bytes")
        }
        guard let first = Self.dot(in: bytes, from: 0), let second = Self.dot(in: bytes, from: first + 1),
            Self.dot(in: bytes, from: second + 1) == nil
        else { throw SigningError(.malformed, "a compact JWS has three segments with a dot between") }
        header = UnsafeRawBufferPointer(rebasing: bytes[..<first])
        payload = UnsafeRawBufferPointer(rebasing: bytes[(first + 1)..<second])
        signature = UnsafeRawBufferPointer(rebasing: bytes[(second + 1)...])
    }

    /// Where the next dot is. The C library looks at many bytes at once, and there are thousands.
    private static func dot(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        guard let base = rest.baseAddress, let found = memchr(base, Int32(UInt8(ascii: ".")), rest.count) else {
            return nil
        }
        return start + (UnsafeRawPointer(found) - base)
    }

    /// The signature in DER.
    func derSignature() throws -> [UInt8] {
        guard let raw = Base64.decode(signature, .url), let der = ECDSASignature.der(fromRaw: raw) else {
            throw SigningError(.malformed, "the signature of the JWS is not 64 bytes in Base64url")
        }
        return der
    }

    func decodedPayload() throws -> [UInt8] {
        guard let bytes = Base64.decode(payload, .url) else {
            throw SigningError(.malformed, "the payload of the JWS is not Base64url")
        }
        return bytes
    }

    func decodedHeader() throws -> JWSHeader {
        guard header.count <= SigningLimits.jwsHeaderBytes else {
            throw SigningError(.tooLarge, "the header of the JWS exceeds \(SigningLimits.jwsHeaderBytes) bytes")
        }
        guard let bytes = Base64.decode(header, .url) else {
            throw SigningError(.malformed, "the header of the JWS is not Base64url")
        }
        return try JWSHeader(decoding: bytes)
    }

    /// Whether the signature belongs to these bytes and this key. `beginning` is the hashed `header.`, if at hand.
    func requireSignature(of key: PublicKey, beginning: HashPrefix) throws {
        guard key.algorithm == .p256 else {
            throw SigningError(.algorithmNotAllowed, "a JWS is verified with a P-256 key")
        }
        let der = try derSignature()
        let valid = try key.withContext { context in
            var digest = [UInt8](repeating: 0, count: DigestAlgorithm.sha256.byteCount)
            try beginning.digest(payload, scratch: context.digest, into: &digest)
            return PublicKey.verify(der, digest: digest, in: context)
        }
        if !valid { throw SigningError(.invalidSignature, "the signature of the JWS does not match its content") }
    }

    /// The hashed `header.` of this JWS.
    func hashedBeginning() throws -> HashPrefix {
        try (Array(header) + [UInt8(ascii: ".")]).withUnsafeBytes { try HashPrefix($0) }
    }
}

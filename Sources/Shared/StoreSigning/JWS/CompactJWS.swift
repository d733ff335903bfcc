import Foundation

/// The three segments of a compact JWS, not yet verified.
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

    /// The index of the next dot. The C library compares many bytes at once.
    private static func dot(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        guard let base = rest.baseAddress, let found = memchr(base, Int32(UInt8(ascii: ".")), rest.count) else {
            return nil
        }
        return start + (UnsafeRawPointer(found) - base)
    }

    /// The signature in DER.
    private func derSignature() throws -> [UInt8] {
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

/// The protected header of a compact JWS. Every signature here is ES256; a header that names anything else is refused.
package struct JWSHeader: Codable, Hashable, Sendable {
    package static let algorithm = "ES256"

    package var alg: String
    /// Leaf, intermediate and root in standard Base64, for data signed under a chain.
    package var x5c: [String]?
    /// The name of the key, for tokens and offers signed with a key that the receiver knows.
    package var kid: String?
    package var typ: String?
    /// Extensions that a reader must understand; none are understood here.
    package var crit: [String]?

    /// The header of data signed under a chain.
    package init(chain: CertificateChain) {
        alg = Self.algorithm
        x5c = chain.certificates.map { Base64.encode($0.derRepresentation) }
    }

    /// The header of a token signed with a named key.
    package init(keyID: String) {
        alg = Self.algorithm
        kid = keyID
        typ = "JWT"
    }

    /// JSON with a fixed order of keys, so that one chain always has one header.
    var encoded: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try Array(encoder.encode(self))
        }
    }

    /// Reads a header and throws unless it can be one of ours.
    init(decoding bytes: [UInt8]) throws {
        do {
            self = try JSONDecoder().decode(JWSHeader.self, from: Data(bytes))
        } catch {
            throw SigningError(.malformed, "the header of the JWS is not the JSON of a header")
        }
        guard alg == Self.algorithm else {
            throw SigningError(.algorithmNotAllowed, "the JWS names another algorithm than ES256")
        }
        guard crit == nil else {
            throw SigningError(.malformed, "the JWS demands header extensions that are not known here")
        }
    }
}

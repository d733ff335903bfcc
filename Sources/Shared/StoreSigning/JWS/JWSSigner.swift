package import Foundation
package import StoreModel

/// Signs JSON under a chain, the way transactions, renewals and notifications are signed.
package struct JWSSigner: Sendable {
    private let signer: CompactSigner
    private let chain: VerifiedChain

    /// Prepares everything that is the same for every payload.
    package init(_ certifiedKey: CertifiedKey) throws {
        signer = try CompactSigner(header: JWSHeader(chain: certifiedKey.chain), key: certifiedKey.key)
        chain = VerifiedChain(certifiedKey.chain)
    }

    /// Signs a payload whose signing date is `instant`.
    ///
    /// Throws if a verifier would refuse the certificates at that date.
    package func sign(_ payload: some ContiguousBytes, at instant: Instant) throws -> String {
        try chain.requireValidity(at: instant)
        return try signer.sign(payload)
    }

    /// Encodes and signs a payload.
    package func sign(encoding payload: some Encodable, at instant: Instant) throws -> String {
        try sign(JSONEncoder.wire.encode(payload), at: instant)
    }
}

extension JSONEncoder {
    /// The encoder of everything that is signed.
    static var wire: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return encoder
    }
}

/// Makes compact JWS with one key and one header.
struct CompactSigner: Sendable {
    private let key: PrivateKey
    /// `header.` in its final form.
    private let beginning: [UInt8]
    private let hashedBeginning: HashPrefix

    init(header: JWSHeader, key: PrivateKey) throws {
        guard key.algorithm == .p256 else {
            throw SigningError(
                .algorithmNotAllowed, "a JWS is signed with a P-256 key, not with \(key.algorithm.rawValue)")
        }
        self.key = key
        beginning = try Array(Base64.encode(header.encoded, .url).utf8) + [UInt8(ascii: ".")]
        hashedBeginning = try beginning.withUnsafeBytes { try HashPrefix($0) }
    }

    func sign(_ payload: some ContiguousBytes) throws -> String {
        try payload.withUnsafeBytes { try sign($0) }
    }

    private func sign(_ payload: UnsafeRawBufferPointer) throws -> String {
        let payloadCount = Base64.encodedCount(payload.count, .url)
        let signatureCount = Base64.encodedCount(ECDSASignature.rawByteCount, .url)
        let count = beginning.count + payloadCount + 1 + signatureCount
        guard count <= SigningLimits.jwsBytes else {
            throw SigningError(.tooLarge, "the JWS would exceed \(SigningLimits.jwsBytes) bytes")
        }
        return try String(unsafeUninitializedCapacity: count) { buffer in
            let output = UnsafeMutableRawBufferPointer(buffer)
            beginning.withUnsafeBytes { output.copyMemory(from: $0) }
            let payloadEnd = beginning.count + payloadCount
            let segment = UnsafeMutableRawBufferPointer(rebasing: output[beginning.count..<payloadEnd])
            Base64.encode(payload, .url, into: segment)
            output[payloadEnd] = UInt8(ascii: ".")
            let signature = try signature(over: UnsafeRawBufferPointer(segment))
            signature.withUnsafeBytes {
                _ = Base64.encode($0, .url, into: UnsafeMutableRawBufferPointer(rebasing: output[(payloadEnd + 1)...]))
            }
            return count
        }
    }

    private func signature(over segment: UnsafeRawBufferPointer) throws -> [UInt8] {
        let der = try key.withContext { context in
            var digest = [UInt8](repeating: 0, count: DigestAlgorithm.sha256.byteCount)
            try hashedBeginning.digest(segment, scratch: context.digest, into: &digest)
            return try PrivateKey.sign(digest: digest, in: context)
        }
        var raw = [UInt8](repeating: 0, count: ECDSASignature.rawByteCount)
        guard raw.withUnsafeMutableBytes({ ECDSASignature.writeRaw(of: der, into: $0) }) else {
            throw SigningError(.cryptography, "OpenSSL made a signature of an unknown form")
        }
        return raw
    }
}

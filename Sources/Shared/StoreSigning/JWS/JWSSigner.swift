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

    /// Signs a payload that says of itself that it was signed at `instant`.
    ///
    /// Verifiers judge the certificates at that moment; what they would refuse is not signed.
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

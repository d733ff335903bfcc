import Foundation
import StoreFoundation
package import StoreModel

/// Verifies JSON that was signed under a chain.
package final class JWSVerifier: Sendable {
    private struct Known: Sendable {
        let chain: VerifiedChain
        let beginning: HashPrefix
    }

    private let chains: ChainVerifier
    private let recent = RecentChains<Known>()

    /// Trusts these roots only, except revoked certificates.
    package init(roots: [Certificate], revocations: Revocations = Revocations()) throws {
        chains = try ChainVerifier(roots: roots, requirements: .jws, revocations: revocations)
    }

    /// Verifies algorithm, chain, signature, and that the chain was valid when the payload was signed.
    package func verify(_ jws: String) throws -> VerifiedJWS {
        var jws = jws
        return try jws.withUTF8 { try verify(UnsafeRawBufferPointer($0)) }
    }

    private func verify(_ bytes: UnsafeRawBufferPointer) throws -> VerifiedJWS {
        let compact = try CompactJWS(bytes)
        let known = try recent.value(for: compact.header) ?? judgeHeader(of: compact)
        try compact.requireSignature(of: known.chain.chain.leaf.publicKey, beginning: known.beginning)
        let payload = try compact.decodedPayload()
        let signedAt = try SigningTime.read(from: payload)
        try known.chain.requireValidity(at: signedAt)
        return VerifiedJWS(payload: payload, chain: known.chain, signedAt: signedAt)
    }

    private func judgeHeader(of compact: CompactJWS) throws -> Known {
        let x5c = try compact.decodedHeader().x5c ?? []
        guard x5c.count == CertificateRole.chain.count else {
            throw SigningError(.invalidChainLength, "x5c has \(x5c.count) certificates instead of 3")
        }
        // The third certificate is only the root that the signer claims; trusted roots are our own.
        let certificates = try x5c.prefix(2).map { text in
            guard let der = Base64.decode(text) else {
                throw SigningError(.malformed, "a certificate in x5c is not Base64")
            }
            return try Certificate(derRepresentation: der)
        }
        let chain = try chains.verify(leaf: certificates[0], others: [certificates[1]])
        let known = try Known(chain: chain, beginning: compact.hashedBeginning())
        recent.remember(known, for: Array(compact.header))
        return known
    }
}

/// The content of a JWS whose signature, chain and date were verified.
package struct VerifiedJWS: Sendable {
    /// The payload, byte for byte as it was signed.
    package let payload: [UInt8]
    package let chain: VerifiedChain
    /// When it was signed, according to the payload.
    package let signedAt: Instant

    package func decode<Payload: Decodable>(_ type: Payload.Type = Payload.self) throws -> Payload {
        try JSONDecoder().decode(type, from: Data(payload))
    }
}

/// The signing date in a payload: `signedDate`, or `receiptCreationDate` for the app's own transaction.
///
/// Every signed payload is asked for its date before it is known what kind of payload it is. Decoding all of it for one
/// number would take longer than any other part of a verification but the curve.
enum SigningTime {
    private static let signedDate = Array("signedDate".utf8)
    private static let receiptCreationDate = Array("receiptCreationDate".utf8)

    static func read(from payload: [UInt8]) throws -> Instant {
        var signed: Instant?
        var created: Instant?
        do {
            // The form of all of it is checked, so that what passes here can be decoded.
            var reader = JSONReader(payload, depth: SigningLimits.nestingDepth)
            try reader.requireUTF8()
            while let key = try reader.nextMember() {
                let value = try reader.value()
                guard let name = JSONReader.meaning(of: key, in: payload) else { throw malformed }
                // With two dates, readers could disagree about which one counts.
                if name.elementsEqual(signedDate) {
                    guard signed == nil else { throw malformed }
                    signed = try instant(payload[value])
                } else if name.elementsEqual(receiptCreationDate) {
                    guard created == nil else { throw malformed }
                    created = try instant(payload[value])
                }
            }
        } catch let fault as JSONReader.Fault {
            throw SigningError(
                fault.kind == .tooDeep ? .tooLarge : .malformed,
                "the payload of the JWS, byte \(fault.position): \(fault.reason)")
        }
        guard let instant = signed ?? created else {
            throw SigningError(.malformed, "the payload of the JWS has neither signedDate nor receiptCreationDate")
        }
        return instant
    }

    private static var malformed: SigningError {
        SigningError(.malformed, "the payload of the JWS is not JSON with a signing date")
    }

    /// Reads the usual form, about thirteen digits, directly; any other as the decoder of the payload does.
    private static func instant(_ value: ArraySlice<UInt8>) throws -> Instant? {
        guard value.count <= mostDigits, value.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return try decode(Instant?.self, Array(value))
        }
        let milliseconds = value.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        return Instant(millisecondsSinceEpoch: milliseconds)
    }

    /// Numbers of this many digits are valid instants: the last is in the year 5138.
    private static let mostDigits = 14

    private static func decode<Value: Decodable>(_ type: Value.Type, _ json: [UInt8]) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(json))
        } catch {
            throw malformed
        }
    }
}

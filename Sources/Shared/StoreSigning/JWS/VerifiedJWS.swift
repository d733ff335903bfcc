import Foundation
package import StoreModel

/// The content of a JWS whose signature, chain and date were found good.
package struct VerifiedJWS: Sendable {
    /// The payload, byte for byte as it was signed.
    package let payload: [UInt8]
    package let chain: VerifiedChain
    /// When it was signed, by its own word.
    package let signedAt: Instant

    package func decode<Payload: Decodable>(_ type: Payload.Type = Payload.self) throws -> Payload {
        try JSONDecoder().decode(type, from: Data(payload))
    }
}

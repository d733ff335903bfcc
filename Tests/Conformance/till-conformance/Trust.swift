import Foundation
import StoreSigning

/// The roots and revocations that a verifier is made with.
struct Trust: Decodable {
    let roots: [Data]
    /// SHA-256 fingerprints.
    let revoked: [Data]

    var certificates: [Certificate] {
        get throws { try roots.map { try Certificate(derRepresentation: Array($0)) } }
    }

    var revocations: Revocations { Revocations(fingerprints: revoked.map { Array($0) }) }
}

/// The handle of a new verifier.
struct MadeVerifier: Encodable {
    let verifier: String
}

import Foundation

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

import Foundation
import StoreModel

@testable import StoreSigning

/// Makes compact JWS of any header and payload, correctly signed, that `JWSSigner` would never make.
struct JWSForge {
    var key: PrivateKey
    var header: [String: Any]

    /// Signs under a chain with the header that genuine data has.
    init(_ certifiedKey: CertifiedKey) {
        key = certifiedKey.key
        header = [
            "alg": "ES256", "x5c": certifiedKey.chain.certificates.map { Base64.encode($0.derRepresentation) },
        ]
    }

    /// A payload that was signed at the tests' moment.
    static let payload = #"{"signedDate":1767323045000,"productId":"coins"}"#

    func sign(_ payload: String = payload) throws -> String { try sign(Array(payload.utf8)) }

    func sign(_ payload: [UInt8]) throws -> String {
        let header = try JSONSerialization.data(withJSONObject: header, options: [.sortedKeys])
        return try Self.sign(header: Array(header), payload: payload, with: key)
    }

    static func sign(header: [UInt8], payload: [UInt8], with key: PrivateKey) throws -> String {
        let input = Base64.encode(header, .url) + "." + Base64.encode(payload, .url)
        let der = try key.signature(for: input.utf8)
        var raw = [UInt8](repeating: 0, count: ECDSASignature.rawByteCount)
        _ = raw.withUnsafeMutableBytes { ECDSASignature.writeRaw(of: der, into: $0) }
        return input + "." + Base64.encode(raw, .url)
    }
}

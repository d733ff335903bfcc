import Foundation
import StoreModel

/// A JWT under a named key: found by its `kid`, verified, and decoded. The caller checks the claims.
enum NamedKeyToken {
    static func sign(_ claims: some Encodable, with key: NamedKey) throws -> String {
        try CompactSigner(header: JWSHeader(keyID: key.keyID), key: key.key).sign(JSONEncoder.wire.encode(claims))
    }

    /// Verifies algorithm, key and signature; returns the claims and the key they were signed with.
    static func verify<Claims: Decodable>(
        _ token: String, _ type: Claims.Type, limit: Int, key find: (_ keyID: String) throws -> KnownKey?
    ) throws -> (claims: Claims, key: KnownKey) {
        guard token.utf8.count <= limit else { throw SigningError(.tooLarge, "the token exceeds \(limit) bytes") }
        var token = token
        return try token.withUTF8 { bytes in
            let compact = try CompactJWS(UnsafeRawBufferPointer(bytes))
            guard let key = try find(keyID(of: compact)) else {
                throw SigningError(.unknownKey, "no key has the kid of the token")
            }
            try compact.requireSignature(of: key.publicKey, beginning: compact.hashedBeginning())
            return try (claims(type, of: compact), key)
        }
    }

    /// What a token says, without looking at its signature.
    static func read<Claims: Decodable>(
        _ token: String, _ type: Claims.Type, limit: Int
    ) throws -> (claims: Claims, keyID: String) {
        guard token.utf8.count <= limit else { throw SigningError(.tooLarge, "the token exceeds \(limit) bytes") }
        var token = token
        return try token.withUTF8 { bytes in
            let compact = try CompactJWS(UnsafeRawBufferPointer(bytes))
            return try (claims(type, of: compact), keyID(of: compact))
        }
    }

    private static func keyID(of compact: CompactJWS) throws -> String {
        guard let keyID = try compact.decodedHeader().kid, !keyID.isEmpty else {
            throw SigningError(.malformed, "the header of the token has no kid")
        }
        return keyID
    }

    private static func claims<Claims: Decodable>(_ type: Claims.Type, of compact: CompactJWS) throws -> Claims {
        do {
            return try JSONDecoder().decode(type, from: Data(compact.decodedPayload()))
        } catch let error as SigningError {
            throw error
        } catch {
            throw SigningError(.malformed, "the claims of the token are not of the expected form: \(error.reason)")
        }
    }
}

extension Error {
    /// Which member of a JSON text was wrong and how, without its value.
    var reason: String {
        guard let error = self as? DecodingError else { return "unreadable" }
        func path(_ context: DecodingError.Context) -> String {
            context.codingPath.isEmpty ? "the JSON" : context.codingPath.map(\.stringValue).joined(separator: ".")
        }
        return switch error {
        case .keyNotFound(let key, _): "\(key.stringValue) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context): "\(path(context)) has another type"
        case .dataCorrupted(let context): "\(path(context)) is not valid"
        @unknown default: "unreadable"
        }
    }
}

/// A private key with a name, with which a developer's server signs tokens and offers.
package struct NamedKey: Sendable {
    package let keyID: String
    package let key: PrivateKey

    package init(keyID: String, key: PrivateKey) {
        self.keyID = keyID
        self.key = key
    }
}

/// A date in a JWT: seconds since 1970 as a JSON number, to which some signers add a fraction.
struct NumericDate: Codable, Hashable, Sendable {
    let instant: Instant

    init(_ instant: Instant) {
        self.instant = instant
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let seconds = try container.decode(Double.self)
        let milliseconds = (seconds * 1000).rounded()
        guard let exact = Int64(exactly: milliseconds) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a date is out of range")
        }
        instant = Instant(millisecondsSinceEpoch: exact)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(instant.millisecondsSinceEpoch / 1000)
    }
}

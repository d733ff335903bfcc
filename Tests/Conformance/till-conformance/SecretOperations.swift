import Foundation
import StoreSigning

/// Derives keys from passwords, and seals and opens bytes.
enum SecretOperations {
    static var table: [String: Operation] {
        [
            "scrypt.derive": Operation(derive),
            "password.hash": Operation(hash),
            "password.matches": Operation(matches),
            "sealed.seal": Operation(seal),
            "sealed.open": Operation(open),
        ]
    }

    private struct Derive: Decodable {
        let password: Data
        let salt: Data
        let count: Int
        let logarithmicCost: Int
        let blockSize: Int
        let parallelism: Int
    }

    private struct Bytes: Encodable {
        let bytes: Data
    }

    private static func derive(_ request: Derive, in session: Session) throws -> Bytes {
        let scrypt = try Scrypt(
            logarithmicCost: request.logarithmicCost, blockSize: request.blockSize, parallelism: request.parallelism)
        let key = try scrypt.derive(
            password: Array(request.password), salt: Array(request.salt), count: request.count)
        return Bytes(bytes: Data(key))
    }

    private struct Hash: Decodable {
        let password: String
    }

    private struct Hashed: Encodable {
        let text: String
    }

    private static func hash(_ request: Hash, in session: Session) throws -> Hashed {
        try Hashed(text: PasswordHash(request.password).text)
    }

    private struct Matches: Decodable {
        let text: String
        let password: String
    }

    private struct Matched: Encodable {
        let matches: Bool
        let isOutdated: Bool
    }

    private static func matches(_ request: Matches, in session: Session) throws -> Matched {
        let hash = try PasswordHash(text: request.text)
        return try Matched(matches: hash.matches(request.password), isOutdated: hash.isOutdated)
    }

    private struct Sealing: Decodable {
        let key: Data
        let bytes: Data
        let context: Data
    }

    private static func seal(_ request: Sealing, in session: Session) throws -> Bytes {
        let cipher = try AESGCM(key: Array(request.key))
        return try Bytes(bytes: Data(cipher.seal(Array(request.bytes), context: Array(request.context))))
    }

    private static func open(_ request: Sealing, in session: Session) throws -> Bytes {
        let cipher = try AESGCM(key: Array(request.key))
        return try Bytes(bytes: Data(cipher.open(Array(request.bytes), context: Array(request.context))))
    }
}

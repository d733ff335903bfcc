import Foundation
import StoreSigning

/// Reads, writes and uses private keys.
enum KeyOperations {
    static var table: [String: Operation] {
        [
            "key.make": Operation(make),
            "key.protect": Operation(protect),
            "key.sign": Operation(sign),
        ]
    }

    private struct Make: Decodable {
        let purpose: ChainPurpose
    }

    private struct File: Encodable {
        let pem: String
    }

    private static func make(_ request: Make, in session: Session) throws -> File {
        try File(pem: request.purpose.makeKey().pemRepresentation())
    }

    private struct Protect: Decodable {
        let pem: String
        let passphrase: Data
    }

    /// The same key under a passphrase.
    private static func protect(_ request: Protect, in session: Session) throws -> File {
        let key = try PrivateKey(pemRepresentation: request.pem)
        return try File(pem: key.pemRepresentation(passphrase: Array(request.passphrase)))
    }

    private struct Sign: Decodable {
        let pem: String
        let passphrase: Data?
        let message: Data
    }

    private struct Signed: Encodable {
        let algorithm: String
        let signature: Data
    }

    private static func sign(_ request: Sign, in session: Session) throws -> Signed {
        let key = try PrivateKey(pemRepresentation: request.pem, passphrase: request.passphrase.map { Array($0) })
        return try Signed(algorithm: key.algorithm.rawValue, signature: Data(key.signature(for: request.message)))
    }
}

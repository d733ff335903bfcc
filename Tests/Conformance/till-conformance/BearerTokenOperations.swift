import Foundation
import StoreModel
import StoreSigning

/// Makes and verifies the tokens of the server APIs.
enum BearerTokenOperations {
    static var table: [String: Operation] {
        [
            "bearer-token.make": Operation(make),
            "bearer-token.verify": Operation(verify),
        ]
    }

    private struct Claims: Codable {
        var issuerID: String?
        var issuedAt: Instant?
        var expiresAt: Instant
        var audience: String
        var bundleID: String?
        var subject: String?
        var scope: [String]?
    }

    private struct Make: Decodable {
        let claims: Claims
        let keyID: String
        let privateKey: String
    }

    private struct Made: Encodable {
        let token: String
    }

    private static func make(_ request: Make, in session: Session) throws -> Made {
        let claims = BearerTokenClaims(
            issuerID: request.claims.issuerID, issuedAt: request.claims.issuedAt, expiresAt: request.claims.expiresAt,
            audience: request.claims.audience, bundleID: request.claims.bundleID, subject: request.claims.subject,
            scope: request.claims.scope)
        let key = try NamedKey(keyID: request.keyID, key: PrivateKey(pemRepresentation: request.privateKey))
        return try Made(token: BearerToken.make(claims, with: key))
    }

    private struct Verify: Decodable {
        let token: String
        let at: Instant
        let lifetimeMinutes: Int64
        let keys: NamedKeys
    }

    private struct Content: Encodable {
        let keyID: String
        let claims: Claims
    }

    private static func verify(_ request: Verify, in session: Session) throws -> Content {
        let token = try BearerToken(
            verifying: request.token, at: request.at, lifetime: .init(minutes: request.lifetimeMinutes),
            key: request.keys.find)
        let claims = token.claims
        return Content(
            keyID: token.keyID,
            claims: Claims(
                issuerID: claims.issuerID, issuedAt: claims.issuedAt, expiresAt: claims.expiresAt,
                audience: claims.audience, bundleID: claims.bundleID, subject: claims.subject,
                scope: claims.requests))
    }
}

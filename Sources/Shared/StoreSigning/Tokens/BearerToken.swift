package import StoreModel

/// The tokens by which a developer's server proves to the server APIs who it is.
package struct BearerToken: Hashable, Sendable {
    package let claims: BearerTokenClaims
    package let keyID: String

    /// The audience of both of the App Store's server APIs.
    package static let audience = "appstoreconnect-v1"

    /// How long a token may live.
    package struct Lifetime: Hashable, Sendable {
        package var milliseconds: Int64

        package init(minutes: Int64) {
            milliseconds = minutes * 60 * 1000
        }

        package static let serverAPI = Lifetime(minutes: 60)
        package static let connectAPI = Lifetime(minutes: 20)
    }

    /// How far the clocks of signer and store may differ.
    package static let clockTolerance: Int64 = 60 * 1000

    package static func make(_ claims: BearerTokenClaims, with key: NamedKey) throws -> String {
        try NamedKeyToken.sign(claims, with: key)
    }

    /// Verifies a token at the moment `now`; each refusal names the one claim that is wrong.
    package init(
        verifying token: String, at now: Instant, lifetime: Lifetime,
        key find: (_ keyID: String) throws -> KnownKey?
    ) throws {
        let (claims, key) = try NamedKeyToken.verify(
            token, BearerTokenClaims.self, limit: SigningLimits.bearerTokenBytes, key: find)
        guard claims.audience == Self.audience else {
            throw SigningError(.unexpectedContent, "aud of the token is not \(Self.audience)")
        }
        // Tokens of individual keys name a subject in place of the issuer.
        guard claims.issuerID == key.issuerID || claims.issuerID == nil && claims.subject == "user" else {
            throw SigningError(.unexpectedContent, "iss of the token is not the issuer that owns its key")
        }
        try Self.requireTime(of: claims, at: now, lifetime: lifetime)
        self.claims = claims
        keyID = key.keyID
    }

    private static func requireTime(of claims: BearerTokenClaims, at now: Instant, lifetime: Lifetime) throws {
        let tolerance = clockTolerance
        guard now.adding(milliseconds: -tolerance) < claims.expiresAt else {
            throw SigningError(.expired, "the token expired at \(claims.expiresAt.rfc3339)")
        }
        if let issuedAt = claims.issuedAt, issuedAt > now.adding(milliseconds: tolerance) {
            throw SigningError(.expired, "iat of the token, \(issuedAt.rfc3339), lies in the future")
        }
        let start = claims.issuedAt ?? now
        guard claims.expiresAt <= start.adding(milliseconds: lifetime.milliseconds + tolerance) else {
            let minutes = lifetime.milliseconds / 60_000
            throw SigningError(.expired, "exp of the token lies more than \(minutes) minutes after it was issued")
        }
    }
}

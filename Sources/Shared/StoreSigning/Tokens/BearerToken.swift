package import StoreModel

/// The tokens with which a developer's server authenticates to the server APIs.
package struct BearerToken: Hashable, Sendable {
    package let claims: BearerTokenClaims
    package let keyID: String

    /// The audience of both of the App Store's server APIs.
    package static let audience = "appstoreconnect-v1"

    /// The longest validity of a token.
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

    /// Verifies a token at the moment `now`; the error names the claim that is wrong.
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
        self.claims = claims
        keyID = key.keyID
        try requireTime(at: now, lifetime: lifetime)
    }

    /// What a token says before it is verified: by which key, and of which app.
    package static func unverified(_ token: String) throws -> (keyID: String, bundleID: String?) {
        let said = try NamedKeyToken.read(token, BearerTokenClaims.self, limit: SigningLimits.bearerTokenBytes)
        return (said.keyID, said.claims.bundleID)
    }

    /// Refuses a token that is over at a moment, or lasts longer than it may.
    package func requireTime(at now: Instant, lifetime: Lifetime) throws {
        try Self.requireTime(of: claims, at: now, lifetime: lifetime)
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

/// The claims of a bearer token for the server APIs.
package struct BearerTokenClaims: Codable, Hashable, Sendable {
    private var iss: String?
    private var iat: NumericDate?
    private var exp: NumericDate
    private var aud: String
    private var bid: String?
    private var sub: String?
    private var scope: [String]?

    package init(
        issuerID: String?, issuedAt: Instant?, expiresAt: Instant, audience: String, bundleID: String? = nil,
        subject: String? = nil, scope: [String]? = nil
    ) {
        iss = issuerID
        iat = issuedAt.map(NumericDate.init)
        exp = NumericDate(expiresAt)
        aud = audience
        bid = bundleID
        sub = subject
        self.scope = scope
    }

    package var issuerID: String? { iss }
    /// Apple's Python library leaves it out.
    package var issuedAt: Instant? { iat?.instant }
    package var expiresAt: Instant { exp.instant }
    package var audience: String { aud }
    /// The app that the call is about; App Store Server API only.
    package var bundleID: String? { bid }
    /// `user` in tokens of individual keys; App Store Connect API only.
    package var subject: String? { sub }
    /// The requests that the token is restricted to; App Store Connect API only.
    package var requests: [String]? { scope }
}

/// The public half of a named key, as the store keeps it.
package struct KnownKey: Sendable {
    package let keyID: String
    /// The owner of the key: the `iss` of everything signed with it.
    package let issuerID: String
    package let publicKey: PublicKey

    package init(keyID: String, issuerID: String, publicKey: PublicKey) {
        self.keyID = keyID
        self.issuerID = issuerID
        self.publicKey = publicKey
    }
}

package import StoreModel

/// What a bearer token for the server APIs says.
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

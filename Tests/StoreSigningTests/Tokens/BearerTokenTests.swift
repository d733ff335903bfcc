import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreSigning

@Suite struct BearerTokenTests {
    private let now = Fixture.now
    private let named: NamedKey
    private let known: KnownKey

    init() throws {
        named = try NamedKey(keyID: "2X9R4HXF34", key: GoldenKeys.p256.privateKey())
        known = try KnownKey(keyID: "2X9R4HXF34", issuerID: "issuer-1", publicKey: named.key.publicKey)
    }

    private func seconds(_ offset: Int64 = 0) -> Int64 { now.millisecondsSinceEpoch / 1000 + offset }

    private func claims(_ change: (inout [String: Any]) -> Void = { _ in }) -> [String: Any] {
        var claims: [String: Any] = [
            "iss": "issuer-1", "iat": seconds(), "exp": seconds(1200), "aud": "appstoreconnect-v1",
            "bid": "com.example.app",
        ]
        change(&claims)
        return claims
    }

    private func token(
        _ claims: [String: Any], header: [String: Any] = ["alg": "ES256", "kid": "2X9R4HXF34", "typ": "JWT"],
        key: PrivateKey? = nil
    ) throws -> String {
        try JWSForge.sign(
            header: Array(JSONSerialization.data(withJSONObject: header)),
            payload: Array(JSONSerialization.data(withJSONObject: claims)), with: key ?? named.key)
    }

    private func verify(
        _ token: String, lifetime: BearerToken.Lifetime = .serverAPI, known: KnownKey? = nil
    ) throws -> BearerToken {
        try BearerToken(verifying: token, at: now, lifetime: lifetime) { keyID in
            keyID == "2X9R4HXF34" ? known ?? self.known : nil
        }
    }

    // MARK: Accepted

    @Test("A token that was made is verified, with all it says") func tokenWasMade() throws {
        let claims = BearerTokenClaims(
            issuerID: "issuer-1", issuedAt: now, expiresAt: now.adding(milliseconds: 1_200_000),
            audience: BearerToken.audience, bundleID: "com.example.app", scope: ["GET /v1/apps"])
        let verified = try verify(BearerToken.make(claims, with: named))
        #expect(verified.claims == claims)
        #expect(verified.keyID == "2X9R4HXF34")
        #expect(verified.claims.requests == ["GET /v1/apps"])
    }

    @Test("Dates may have fractions, and the date of issue may be left out") func datesMayHave() throws {
        let verified = try verify(
            token(
                claims {
                    $0["iat"] = nil
                    $0["exp"] = Double(seconds(600)) + 0.25
                }))
        #expect(verified.claims.issuedAt == nil)
        #expect(verified.claims.expiresAt == now.adding(milliseconds: 600_250))
    }

    @Test("Tokens of individual keys name a subject in place of the issuer") func tokensIndividualKeys() throws {
        #expect(throws: Never.self) {
            try verify(
                token(
                    claims {
                        $0["iss"] = nil
                        $0["sub"] = "user"
                    }))
        }
        expectRefusal(.unexpectedContent) { try verify(token(claims { $0["iss"] = nil })) }
        expectRefusal(.unexpectedContent) {
            try verify(
                token(
                    claims {
                        $0["iss"] = nil
                        $0["sub"] = "admin"
                    }))
        }
        expectRefusal(.unexpectedContent) {
            try verify(
                token(
                    claims {
                        $0["iss"] = "issuer-2"
                        $0["sub"] = "user"
                    }))
        }
    }

    // MARK: Refused

    @Test("Issuer and audience must be the expected ones") func issuerAudienceMust() {
        for issuer in ["", "issuer-2", "ISSUER-1", "issuer-1 "] {
            expectRefusal(.unexpectedContent) { try verify(token(claims { $0["iss"] = issuer })) }
        }
        for audience in ["", "appstoreconnect-v2", "promotional-offer"] {
            expectRefusal(.unexpectedContent) { try verify(token(claims { $0["aud"] = audience })) }
        }
        expectRefusal(.malformed) { try verify(token(claims { $0["aud"] = ["appstoreconnect-v1"] })) }
        expectRefusal(.malformed) { try verify(token(claims { $0["aud"] = nil })) }
        expectRefusal(.malformed) { try verify(token(claims { $0["exp"] = nil })) }
        expectRefusal(.malformed) { try verify(token(claims { $0["exp"] = "soon" })) }
    }

    @Test("Times are judged with a minute of tolerance") func timesJudgedWith() throws {
        for (issued, expires) in [(Int64(0), Int64(3600)), (60, 3600), (0, 3660), (-3600, 1), (-3600, -59)] {
            let token = try token(
                claims {
                    $0["iat"] = seconds(issued)
                    $0["exp"] = seconds(expires)
                })
            #expect(throws: Never.self, "\(issued) to \(expires)") { try verify(token) }
        }
        for (issued, expires) in [(Int64(61), Int64(600)), (0, 3661), (-3600, -60), (-7200, 0), (-3600, 61)] {
            let token = try token(
                claims {
                    $0["iat"] = seconds(issued)
                    $0["exp"] = seconds(expires)
                })
            expectRefusal(.expired, "\(issued) to \(expires)") { try verify(token) }
        }
        let hour = try token(claims { $0["exp"] = seconds(3600) })
        expectRefusal(.expired) { try verify(hour, lifetime: .connectAPI) }
        let endless = try token(
            claims {
                $0["iat"] = nil
                $0["exp"] = seconds(3661)
            })
        expectRefusal(.expired) { try verify(endless) }
    }

    @Test("Dates beyond all reason are refused and overflow nothing") func datesBeyondAll() throws {
        for date in [1e300, -1e300, 1e19, 9.3e15, -9.3e15, 9_223_372_036_854_775.0] {
            #expect(throws: SigningError.self, "\(date)") { try verify(token(claims { $0["exp"] = date })) }
            #expect(throws: SigningError.self, "\(date)") {
                try verify(
                    token(
                        claims {
                            $0["iat"] = date
                            $0["exp"] = date
                        }))
            }
        }
    }

    @Test("The key is found by its name alone") func keyFoundBy() throws {
        for keyID in ["", "2X9R4HXF35"] {
            let unknown = try token(claims(), header: ["alg": "ES256", "kid": keyID])
            expectRefusal(keyID.isEmpty ? .malformed : .unknownKey) { try verify(unknown) }
        }
        let unnamed = try token(claims(), header: ["alg": "ES256"])
        expectRefusal(.malformed) { try verify(unnamed) }
        let another = try token(claims(), key: .p256())
        expectRefusal(.invalidSignature) { try verify(another) }
    }

    @Test("Every algorithm but ES256 is refused", arguments: ["none", "HS256", "RS256", "ES384", "es256", ""])
    func everyAlgorithmBut(algorithm: String) throws {
        let token = try token(claims(), header: ["alg": algorithm, "kid": "2X9R4HXF34"])
        expectRefusal(.algorithmNotAllowed) { try verify(token) }
    }

    @Test("Only P-256 keys verify", arguments: [GoldenKeys.rsa, GoldenKeys.p384]) func onlyP256(golden: GoldenKey)
        throws
    {
        let other = try KnownKey(
            keyID: "2X9R4HXF34", issuerID: "issuer-1", publicKey: golden.privateKey().publicKey)
        let token = try token(claims())
        expectRefusal(.algorithmNotAllowed) { try verify(token, known: other) }
    }

    @Test("Extensions that must be understood, and oversize tokens, are refused") func extensionsMustBe() throws {
        let critical = try token(claims(), header: ["alg": "ES256", "kid": "2X9R4HXF34", "crit": ["exp"]])
        expectRefusal(.malformed) { try verify(critical) }
        let large = try token(claims { $0["pad"] = String(repeating: "x", count: SigningLimits.bearerTokenBytes) })
        expectRefusal(.tooLarge) { try verify(large) }
    }

    @Test("A damaged token is refused", .mutationTimeLimit) func damagedTokenRefused() throws {
        let genuine = try [token(claims()), token(claims { $0["bid"] = "com.example.other" })]
        for token in genuine { _ = try verify(token) }
        let bundles = ["com.example.app", "com.example.other"]
        for mutant in Mutants("Bearer tokens", of: genuine, rounds: 2000) {
            guard let verified = reading(mutant, { try verify(mutant.text) }) else { continue }
            #expect(bundles.contains(verified.claims.bundleID ?? ""), "\(mutant)")
            #expect(verified.claims.issuerID == "issuer-1", "\(mutant)")
        }
    }

    @Test("Damaged claims, signed again, are refused or within their lifetime", .mutationTimeLimit)
    func damagedClaimsSigned() throws {
        let payload = try String(
            decoding: JSONSerialization.data(withJSONObject: claims(), options: .sortedKeys), as: UTF8.self)
        let header = Array(#"{"alg":"ES256","kid":"2X9R4HXF34"}"#.utf8)
        _ = try verify(JWSForge.sign(header: header, payload: Array(payload.utf8), with: named.key))
        for mutant in Mutants("Bearer claims", of: [payload], rounds: 1500) {
            let token = try JWSForge.sign(header: header, payload: mutant.bytes, with: named.key)
            guard let verified = reading(mutant, { try verify(token) }) else { continue }
            #expect(verified.claims.audience == BearerToken.audience, "\(mutant)")
            #expect(verified.claims.expiresAt <= now.adding(milliseconds: 3_780_000), "\(mutant)")
            #expect(verified.claims.expiresAt > now.adding(milliseconds: -60_000), "\(mutant)")
        }
    }
}

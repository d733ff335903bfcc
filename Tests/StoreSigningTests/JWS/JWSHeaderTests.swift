import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreSigning

/// The header is what an attacker may choose: nothing in it may choose how it is verified.
@Suite struct JWSHeaderTests {
    private let chain: CertifiedKey
    private let verifier: JWSVerifier

    init() throws {
        chain = try Fixture.chain(.jws)
        verifier = try JWSVerifier(roots: [chain.chain.root])
    }

    private func verify(_ change: (inout JWSForge) -> Void) throws -> VerifiedJWS {
        var forge = JWSForge(chain)
        change(&forge)
        return try verifier.verify(forge.sign())
    }

    private func base64(_ certificates: [Certificate]) -> [String] {
        certificates.map { Base64.encode($0.derRepresentation) }
    }

    @Test("The header that is signed is alg and x5c in standard Base64, in this order") func headerSignedAlg() throws {
        let jws = try JWSSigner(chain).sign(Array(JWSForge.payload.utf8), at: Fixture.now)
        let header = try #require(Base64.decode(jws.prefix { $0 != "." }, .url))
        let x5c = chain.chain.certificates.map { "\"\(Data($0.derRepresentation).base64EncodedString())\"" }
        #expect(String(decoding: header, as: UTF8.self) == #"{"alg":"ES256","x5c":[\#(x5c.joined(separator: ","))]}"#)
    }

    // MARK: Algorithm

    @Test(
        "Every algorithm but ES256 is refused, even over a good signature",
        arguments: [
            "none", "None", "NONE", "", "HS256", "HS384", "HS512", "RS256", "RS384", "PS256", "ES384", "ES512",
            "ES256K",
            "EdDSA", "es256", "ES256 ", "ES256\u{0}",
        ])
    func everyAlgorithmBut(algorithm: String) {
        expectRefusal(.algorithmNotAllowed) { try verify { $0.header["alg"] = algorithm } }
    }

    @Test("An algorithm that is missing or no text is refused") func algorithmMissingNo() {
        expectRefusal(.malformed) { try verify { $0.header["alg"] = nil } }
        expectRefusal(.malformed) { try verify { $0.header["alg"] = NSNull() } }
        expectRefusal(.malformed) { try verify { $0.header["alg"] = ["ES256"] } }
        expectRefusal(.malformed) { try verify { $0.header["alg"] = 256 } }
    }

    @Test("No algorithm and no signature is refused") func noAlgorithmNo() throws {
        let header = Base64.encode(Array(#"{"alg":"none"}"#.utf8), .url)
        expectRefusal(.algorithmNotAllowed) {
            try verifier.verify("\(header).\(Base64.encode(Array(JWSForge.payload.utf8), .url)).")
        }
    }

    @Test("A signature by HMAC with the public key is refused") func signatureByHMAC() throws {
        // The classic confusion of algorithms: the verifier's own public key as a shared secret.
        let header = Base64.encode(Array(#"{"alg":"HS256"}"#.utf8), .url)
        let input = "\(header).\(Base64.encode(Array(JWSForge.payload.utf8), .url))"
        let mac = try DigestAlgorithm.sha256.digest(chain.chain.leaf.publicKey.derRepresentation + Array(input.utf8))
        expectRefusal(.algorithmNotAllowed) { try verifier.verify("\(input).\(Base64.encode(mac, .url))") }
    }

    // MARK: Other members

    @Test("Extensions that must be understood are refused", arguments: [["exp"], ["b64"], []])
    func extensionsMustBe(critical: [String]) {
        expectRefusal(.malformed) { try verify { $0.header["crit"] = critical } }
    }

    @Test("Members that mean nothing here are skipped") func membersMeanNothing() throws {
        let verified = try verify {
            $0.header["typ"] = "JWT"
            $0.header["kid"] = "Apple_Xcode_Key"
            $0.header["jwk"] = ["kty": "EC"]
            $0.header["jku"] = "https://example.com/keys"
            $0.header["x5u"] = "https://example.com/chain"
        }
        #expect(verified.signedAt == Fixture.now)
    }

    @Test("A header that is much longer than three certificates is refused unread") func headerMuchLonger() throws {
        let room = SigningLimits.jwsHeaderBytes / 4 * 3
        let frame = #"{"alg":"ES256","x5c":[],"kid":""}"#.utf8.count
        func header(_ padding: Int) -> [UInt8] {
            Array(#"{"alg":"ES256","x5c":[],"kid":"\#(String(repeating: "k", count: padding))"}"#.utf8)
        }
        expectRefusal(.invalidChainLength) {
            try verifier.verify(JWSForge.sign(header: header(room - frame), payload: [], with: chain.key))
        }
        expectRefusal(.tooLarge) {
            try verifier.verify(JWSForge.sign(header: header(room - frame + 1), payload: [], with: chain.key))
        }
    }

    // MARK: x5c

    @Test("Only three certificates are a chain (P3)", arguments: [0, 1, 2, 4, 20])
    func onlyThreeCertificates(count: Int) {
        let certificates = base64(chain.chain.certificates)
        expectRefusal(.invalidChainLength) {
            try verify { $0.header["x5c"] = (0..<count).map { certificates[min($0, 2)] } }
        }
    }

    @Test("Without x5c, or with something else under its name, there is no chain") func withoutX5cWith() {
        expectRefusal(.invalidChainLength) { try verify { $0.header["x5c"] = nil } }
        expectRefusal(.malformed) { try verify { $0.header["x5c"] = "MIIB" } }
        expectRefusal(.malformed) { try verify { $0.header["x5c"] = [1, 2, 3] } }
    }

    @Test("Certificates must be Base64 of the standard alphabet and nothing else") func certificatesMustBe() throws {
        let texts = base64(chain.chain.certificates)
        let leaf = chain.chain.leaf.derRepresentation
        let damaged = [
            Base64.encode(leaf, .url) + "-", texts[0] + "\n", " " + texts[0], String(texts[0].dropLast()), "", "====",
            Base64.encode(leaf + [0]), Base64.encode(leaf.dropLast()),
            try chain.chain.leaf.pemRepresentation,
        ]
        for (index, text) in damaged.enumerated() {
            expectRefusal(.malformed, "\(index)") { try verify { $0.header["x5c"] = [text, texts[1], texts[2]] } }
            expectRefusal(.malformed, "\(index)") { try verify { $0.header["x5c"] = [texts[0], text, texts[2]] } }
        }
        let huge = Base64.encode([UInt8](repeating: 0x30, count: SigningLimits.certificateBytes + 1))
        expectRefusal(.tooLarge) { try verify { $0.header["x5c"] = [huge, "", ""] } }
    }

    @Test("The order is leaf, intermediate, root") func orderLeafIntermediate() {
        let texts = base64(chain.chain.certificates)
        expectRefusal(.untrustedChain) { try verify { $0.header["x5c"] = [texts[0], texts[2], texts[1]] } }
        expectRefusal(.invalidChainLength) { try verify { $0.header["x5c"] = [texts[1], texts[0], texts[2]] } }
        expectRefusal(.invalidChainLength) { try verify { $0.header["x5c"] = [texts[2], texts[1], texts[0]] } }
    }

    @Test("The root that a signer sends along is not trusted") func rootSignerSends() throws {
        let stranger = try Fixture.makeAuthority(.jws).certifiedKey
        let foreign = try JWSForge(stranger).sign()
        expectRefusal(.untrustedChain) { try verifier.verify(foreign) }
        // Nor does it matter: what it says is the signer's claim.
        let texts = base64(chain.chain.certificates)
        let claimed = base64([stranger.chain.root])[0]
        for third in [claimed, texts[0], "not a certificate"] {
            #expect(throws: Never.self) { try verify { $0.header["x5c"] = [texts[0], texts[1], third] } }
        }
    }

    @Test("A leaf does not vouch for the key of another") func leafDoesNot() throws {
        let stranger = try Fixture.makeAuthority(.jws).certifiedKey
        expectRefusal(.invalidSignature) { try verify { $0.key = stranger.key } }
        expectRefusal(.invalidSignature) { try verify { $0.key = (try? Fixture.authority(.jws).root.key) ?? $0.key } }
    }
}

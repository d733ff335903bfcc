import StoreModel
import Testing

@testable import StoreSigning

/// A verifier remembers chains it found good. What it remembers must never answer for anything else.
@Suite struct JWSChainCacheTests {
    private let chain: CertifiedKey

    init() throws {
        chain = try Fixture.chain(.jws)
    }

    private func verifier(revoking revoked: [Certificate] = []) throws -> JWSVerifier {
        try JWSVerifier(
            roots: [chain.chain.root], revocations: Revocations(fingerprints: revoked.map { try $0.fingerprint }))
    }

    @Test("A second JWS under the same header verifies by itself") func secondJWSUnder() throws {
        let verifier = try verifier()
        for product in ["coins", "gems", "coins"] {
            let payload = #"{"signedDate":1767323045000,"productId":"\#(product)"}"#
            #expect(try verifier.verify(JWSForge(chain).sign(payload)).payload == Array(payload.utf8))
        }
    }

    @Test("A tampered JWS under a remembered header is refused, and the genuine one still accepted")
    func tamperedJWSUnder() throws {
        let verifier = try verifier()
        let jws = try JWSForge(chain).sign()
        _ = try verifier.verify(jws)
        let parts = jws.split(separator: ".")
        let payload = Base64.encode(Array(#"{"signedDate":1767323045000,"productId":"gems"}"#.utf8), .url)
        expectRefusal(.invalidSignature) { try verifier.verify("\(parts[0]).\(payload).\(parts[2])") }
        var forged = JWSForge(chain)
        forged.key = try .p256()
        let signedByAnother = try forged.sign()
        expectRefusal(.invalidSignature) { try verifier.verify(signedByAnother) }
        #expect(throws: Never.self) { try verifier.verify(jws) }
    }

    @Test("A header that differs in one byte is judged anew") func headerDiffersOne() throws {
        let verifier = try verifier()
        _ = try verifier.verify(JWSForge(chain).sign())
        var forge = JWSForge(chain)
        forge.header["alg"] = "none"
        let unsigned = try forge.sign()
        expectRefusal(.algorithmNotAllowed) { try verifier.verify(unsigned) }
    }

    @Test("A chain that was refused is refused again") func chainWasRefused() throws {
        let verifier = try verifier()
        let foreign = try JWSForge(Fixture.makeAuthority(.jws).certifiedKey).sign()
        for _ in 0..<3 { expectRefusal(.untrustedChain) { try verifier.verify(foreign) } }
        var forge = JWSForge(chain)
        forge.header["crit"] = ["exp"]
        let critical = try forge.sign()
        for _ in 0..<3 { expectRefusal(.malformed) { try verifier.verify(critical) } }
    }

    @Test("A header is remembered even if its first JWS is not signed by it, and gains nothing from that")
    func headerRememberedEven() throws {
        let verifier = try verifier()
        var forge = JWSForge(chain)
        forge.key = try .p256()
        let forged = try forge.sign()
        for _ in 0..<2 { expectRefusal(.invalidSignature) { try verifier.verify(forged) } }
        #expect(throws: Never.self) { try verifier.verify(JWSForge(chain).sign()) }
    }

    @Test("A verifier that knows of a revocation refuses what another remembers", arguments: 0..<3)
    func verifierKnowsRevocation(index: Int) throws {
        let jws = try JWSForge(chain).sign()
        let trusting = try verifier()
        _ = try trusting.verify(jws)
        let informed = try verifier(revoking: [chain.chain.certificates[index]])
        for _ in 0..<2 { expectRefusal(.revokedCertificate) { try informed.verify(jws) } }
        #expect(throws: Never.self) { try trusting.verify(jws) }
    }

    @Test("More chains than a verifier remembers are all verified, again and again") func moreChainsThan() throws {
        let authority = try Fixture.authority(.jws)
        let verifier = try verifier()
        let issuer = ChainAuthority(environment: .sandbox, purpose: .jws, organization: "Corner Shop")
        let signed = try (0..<(SigningLimits.cachedChains + 8)).map { number in
            let leaf = try issuer.issueLeaf(under: authority.intermediate, at: Fixture.now)
            let chain = CertificateChain(
                leaf: leaf.certificate, intermediate: authority.intermediate.certificate,
                root: authority.root.certificate)
            return try JWSForge(CertifiedKey(key: leaf.key, chain: chain))
                .sign(#"{"signedDate":1767323045000,"n":\#(number)}"#)
        }
        for _ in 0..<3 {
            for (number, jws) in signed.enumerated() {
                let payload = try verifier.verify(jws).payload
                #expect(payload == Array(#"{"signedDate":1767323045000,"n":\#(number)}"#.utf8))
            }
        }
    }
}

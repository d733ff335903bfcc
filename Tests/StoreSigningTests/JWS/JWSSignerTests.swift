import Foundation
import StoreModel
import Testing

@testable import StoreSigning

@Suite struct JWSSignerTests {
    private struct Payload: Codable, Hashable {
        var signedDate: Instant
        var address: String
    }

    @Test("Encodes and signs a value that reads back equal") func encodesSignsValue() throws {
        let chain = try Fixture.chain(.jws)
        let payload = Payload(signedDate: Fixture.now, address: "https://example.com/a/b?ü=1")
        let jws = try JWSSigner(chain).sign(encoding: payload, at: Fixture.now)
        let verified = try JWSVerifier(roots: [chain.chain.root]).verify(jws)
        #expect(try verified.decode(Payload.self) == payload)
        #expect(String(decoding: verified.payload, as: UTF8.self).contains("https://example.com/a/b"))
    }

    @Test("Two signatures of one payload differ in nothing but the signature") func twoSignaturesOne() throws {
        let signer = try JWSSigner(Fixture.chain(.jws))
        let payload = Array(JWSForge.payload.utf8)
        let parts = try (0..<2).map { _ in try signer.sign(payload, at: Fixture.now).split(separator: ".") }
        #expect(parts[0][0] == parts[1][0])
        #expect(parts[0][1] == parts[1][1])
        #expect(parts.allSatisfy { $0.count == 3 && $0[2].utf8.count == 86 })
    }

    @Test("Refuses to sign at a moment at which verifiers would refuse it") func refusesSignAt() throws {
        let chain = try Fixture.chain(.jws, .production)
        let signer = try JWSSigner(chain)
        let payload = Array(JWSForge.payload.utf8)
        let (first, last) = (chain.chain.leaf.notBefore, chain.chain.leaf.notAfter.adding(milliseconds: 999))
        for inside in [first, last] { #expect(throws: Never.self) { try signer.sign(payload, at: inside) } }
        for outside in [first.adding(milliseconds: -1), last.adding(milliseconds: 1), .earliest, .latest] {
            expectRefusal(.outsideValidity) { try signer.sign(payload, at: outside) }
        }
    }

    @Test("Only P-256 keys sign") func onlyP256() throws {
        let chain = try Fixture.chain(.jws).chain
        for golden in [GoldenKeys.rsa, GoldenKeys.p384] {
            let key = try golden.privateKey()
            expectRefusal(.algorithmNotAllowed) { try JWSSigner(CertifiedKey(key: key, chain: chain)) }
        }
    }

    @Test("An empty payload is signed as it is, but never verified") func emptyPayloadSigned() throws {
        let chain = try Fixture.chain(.jws)
        let jws = try JWSSigner(chain).sign([UInt8](), at: Fixture.now)
        #expect(jws.split(separator: ".", omittingEmptySubsequences: false)[1].isEmpty)
        let verifier = try JWSVerifier(roots: [chain.chain.root])
        expectRefusal(.malformed) { try verifier.verify(jws) }
    }

    @Test("Many tasks sign and verify with one signer and one verifier") func manyTasksSign() async throws {
        let chain = try Fixture.chain(.jws)
        let signer = try JWSSigner(chain)
        let verifier = try JWSVerifier(roots: [chain.chain.root])
        let foreign = try JWSForge(Fixture.makeAuthority(.jws).certifiedKey).sign()
        let verified = try await withThrowingTaskGroup(of: [Bool].self) { group in
            for task in 0..<24 {
                group.addTask {
                    try (0..<20).map { round in
                        let payload = Array(#"{"signedDate":1767323045000,"n":"\#(task)-\#(round)"}"#.utf8)
                        let jws = try signer.sign(payload, at: Fixture.now)
                        // Refusals in between must not disturb what the others share.
                        if round % 5 == 0 { #expect(throws: SigningError.self) { try verifier.verify(foreign) } }
                        if round % 7 == 0 { #expect(throws: SigningError.self) { try verifier.verify(jws + "A") } }
                        return try verifier.verify(jws).payload == payload
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(verified.count == 480)
        #expect(!verified.contains(false))
    }
}

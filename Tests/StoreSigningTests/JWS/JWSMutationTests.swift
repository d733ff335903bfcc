import StoreModel
import TestSupport
import Testing

@testable import StoreSigning

@Suite struct JWSMutationTests {
    @Test("A damaged JWS is refused or says what the genuine one says", .mutationTimeLimit) func damagedJWSRefused()
        throws
    {
        let chain = try Fixture.chain(.jws)
        let payloads = [JWSForge.payload, #"{"receiptCreationDate":1767323045000,"bundleId":"com.example.app"}"#]
        let genuine = try payloads.map { try JWSSigner(chain).sign(Array($0.utf8), at: Fixture.now) }
        let verifier = try JWSVerifier(roots: [chain.chain.root])
        for (jws, payload) in zip(genuine, payloads) {
            #expect(try verifier.verify(jws).payload == Array(payload.utf8))
        }
        for mutant in Mutants("JWS", of: genuine, rounds: 4000) {
            guard let verified = reading(mutant, { try verifier.verify(mutant.text) }) else { continue }
            // Splicing may turn one genuine JWS into the other.
            #expect(payloads.contains { Array($0.utf8) == verified.payload }, "\(mutant)")
        }
    }

    @Test("A damaged header, signed again, never brings in another key or chain", .mutationTimeLimit)
    func damagedHeaderSigned() throws {
        // The attacker holds a leaf key of the store and may sign any header he likes.
        let chain = try Fixture.chain(.jws)
        let x5c = chain.chain.certificates.map { "\"\(Base64.encode($0.derRepresentation))\"" }.joined(separator: ",")
        let header = #"{"alg":"ES256","x5c":[\#(x5c)]}"#
        let payload = Array(JWSForge.payload.utf8)
        let verifier = try JWSVerifier(roots: [chain.chain.root])
        let genuine = try JWSForge.sign(header: Array(header.utf8), payload: payload, with: chain.key)
        #expect(try verifier.verify(genuine).payload == payload)
        for mutant in Mutants("JWS headers", of: [header], rounds: 1500) {
            let jws = try JWSForge.sign(header: mutant.bytes, payload: payload, with: chain.key)
            guard let verified = reading(mutant, { try verifier.verify(jws) }) else { continue }
            #expect(
                try verified.chain.chain.leaf.publicKey.derRepresentation
                    == chain.chain.leaf.publicKey.derRepresentation, "\(mutant)")
            #expect(try verified.chain.chain.root.fingerprint == chain.chain.root.fingerprint, "\(mutant)")
        }
    }

    @Test("A damaged payload, signed again, is refused or judged at its own date", .mutationTimeLimit)
    func damagedPayloadSigned() throws {
        let chain = try Fixture.chain(.jws, .production)
        let verifier = try JWSVerifier(roots: [chain.chain.root])
        let payload = #"{"signedDate":1767323045000,"a":[1,2,{"b":"\u00fc"}],"c":-1.5e3}"#
        #expect(try verifier.verify(JWSForge(chain).sign(payload)).signedAt == Fixture.now)
        for mutant in Mutants("JWS payloads", of: [payload], rounds: 1500) {
            let jws = try JWSForge(chain).sign(mutant.bytes)
            guard let verified = reading(mutant, { try verifier.verify(jws) }) else { continue }
            #expect(verified.payload == mutant.bytes, "\(mutant)")
            #expect(verified.signedAt >= chain.chain.leaf.notBefore, "\(mutant)")
            #expect(verified.signedAt <= chain.chain.leaf.notAfter.adding(milliseconds: 999), "\(mutant)")
        }
    }
}

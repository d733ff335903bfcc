import StoreModel
import Testing

@testable import StoreSigning

/// A chain is judged at the moment of signing, never now: P37.
@Suite struct VerifiedChainTests {
    private func instant(_ text: String) throws -> Instant { try Instant(rfc3339: text) }

    private func chain(
        root: Range<Instant>, intermediate: Range<Instant>, leaf: Range<Instant>
    ) throws -> VerifiedChain {
        func make(_ forge: CertificateForge, _ validity: Range<Instant>, _ issuer: IssuedCertificate?) throws
            -> IssuedCertificate
        {
            var forge = forge
            forge.validity = validity
            return try forge.issue(under: issuer)
        }
        let rootCertificate = try make(.root(), root, nil)
        let intermediateCertificate = try make(.authority(), intermediate, rootCertificate)
        let leafCertificate = try make(CertificateForge(), leaf, intermediateCertificate)
        // The verifier must not look at the date: this chain may be over or not have begun.
        return try ChainVerifier(roots: [rootCertificate.certificate], requirements: .jws)
            .verify(leaf: leafCertificate.certificate, others: [intermediateCertificate.certificate])
    }

    @Test("Validity begins to the millisecond and ends with its last second") func validityBeginsMillisecond() throws {
        let validity = try instant("2025-03-01T00:00:00Z")..<instant("2025-06-30T23:59:59Z")
        let chain = try chain(root: validity, intermediate: validity, leaf: validity)
        for inside in [
            "2025-03-01T00:00:00.000Z", "2025-05-01T12:00:00Z", "2025-06-30T23:59:59.000Z",
            "2025-06-30T23:59:59.999Z",
        ] {
            #expect(throws: Never.self) { try chain.requireValidity(at: instant(inside)) }
        }
        for outside in [
            "2025-02-28T23:59:59.999Z", "2025-07-01T00:00:00.000Z", "2024-05-01T00:00:00Z", "2026-01-01T00:00:00Z",
        ] {
            expectRefusal(.outsideValidity, outside) { try chain.requireValidity(at: instant(outside)) }
        }
        for milliseconds in [Int64.min, 0, .max] {
            expectRefusal(.outsideValidity) {
                try chain.requireValidity(at: Instant(millisecondsSinceEpoch: milliseconds))
            }
        }
    }

    @Test("Every certificate of the chain narrows its validity") func everyCertificateChain() throws {
        let (first, second, third, last) = try (
            instant("2001-01-01T00:00:00Z"), instant("2002-01-01T00:00:00Z"), instant("2003-01-01T00:00:00Z"),
            instant("2004-01-01T00:00:00Z")
        )
        let whole = first..<last
        let narrowed = try [
            chain(root: second..<third, intermediate: whole, leaf: whole),
            chain(root: whole, intermediate: second..<third, leaf: whole),
            chain(root: whole, intermediate: whole, leaf: second..<third),
            chain(root: whole, intermediate: second..<last, leaf: first..<third),
        ]
        for chain in narrowed {
            #expect(chain.notBefore == second)
            #expect(chain.notAfter == third)
            #expect(throws: Never.self) { try chain.requireValidity(at: second) }
            expectRefusal(.outsideValidity) { try chain.requireValidity(at: second.adding(milliseconds: -1)) }
            expectRefusal(.outsideValidity) { try chain.requireValidity(at: third.adding(milliseconds: 1000)) }
        }
    }

    @Test("The refusal names the moment of signing") func refusalNamesMoment() throws {
        let validity = try instant("2025-03-01T00:00:00Z")..<instant("2025-06-30T23:59:59Z")
        let chain = try chain(root: validity, intermediate: validity, leaf: validity)
        let error = #expect(throws: SigningError.self) {
            try chain.requireValidity(at: instant("2031-01-01T00:00:00Z"))
        }
        #expect(error?.message.contains("2031-01-01T00:00:00Z") == true)
    }
}

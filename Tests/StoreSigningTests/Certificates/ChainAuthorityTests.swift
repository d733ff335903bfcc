import StoreModel
import Testing

@testable import StoreSigning

@Suite struct ChainAuthorityTests {
    @Test("Production certificates live 30, 15 and 3 years and began a day ago") func productionCertificatesLive()
        throws
    {
        let authority = try Fixture.authority(.jws, .production)
        let certificates = [authority.root, authority.intermediate, authority.leaf].map(\.certificate)
        #expect(certificates.map(\.notBefore.rfc3339) == Array(repeating: "2026-01-01T03:04:05Z", count: 3))
        #expect(
            certificates.map(\.notAfter.rfc3339)
                == ["2056-01-02T03:04:05Z", "2041-01-02T03:04:05Z", "2029-01-02T03:04:05Z"])
    }

    @Test("Sandbox certificates hold for every date that a sandbox clock can show") func sandboxCertificatesHold()
        throws
    {
        let authority = try Fixture.authority(.jws, .sandbox)
        for certificate in [authority.root, authority.intermediate, authority.leaf].map(\.certificate) {
            #expect(certificate.notBefore.rfc3339 == "2000-01-01T00:00:00Z")
            #expect(certificate.notAfter.rfc3339 == "2101-01-01T00:00:00Z")
        }
    }

    @Test("No certificate outlives its issuer") func noCertificateOutlives() throws {
        let authority = ChainAuthority(environment: .production, purpose: .jws, organization: "Corner Shop")
        let root = try authority.issueRoot(at: Instant(rfc3339: "2026-01-01T00:00:00Z"))
        let late = try Instant(rfc3339: "2055-01-01T00:00:00Z")
        let intermediate = try authority.issueIntermediate(under: root, at: late)
        #expect(intermediate.certificate.notAfter == root.certificate.notAfter)
        let leaf = try authority.issueLeaf(under: intermediate, at: late)
        #expect(leaf.certificate.notAfter == root.certificate.notAfter)
    }

    @Test("Each certificate says whose it is and what it is for") func eachCertificateSays() throws {
        let sandbox = try Fixture.authority(.jws)
        #expect(sandbox.root.certificate.subject == "CN=Corner Shop Sandbox Signed Data Root CA, O=Corner Shop")
        #expect(
            sandbox.intermediate.certificate.subject
                == "CN=Corner Shop Sandbox Signed Data Intermediate CA, O=Corner Shop")
        #expect(sandbox.leaf.certificate.subject == "CN=Corner Shop Sandbox Signed Data Signing, O=Corner Shop")
        #expect(sandbox.root.certificate.issuer == sandbox.root.certificate.subject)
        #expect(sandbox.intermediate.certificate.issuer == sandbox.root.certificate.subject)
        #expect(sandbox.leaf.certificate.issuer == sandbox.intermediate.certificate.subject)
        let production = try Fixture.authority(.jws, .production)
        #expect(production.root.certificate.subject == "CN=Corner Shop Signed Data Root CA, O=Corner Shop")
    }

    @Test("Markers and rights are where verifiers look for them", arguments: ChainPurpose.allCases)
    func markersRightsWhere(purpose: ChainPurpose) throws {
        let authority = try Fixture.authority(purpose)
        let (root, intermediate, leaf) = (
            authority.root.certificate, authority.intermediate.certificate, authority.leaf.certificate
        )
        #expect([root, intermediate, leaf].map(\.isAuthority) == [true, true, false])
        #expect([root, intermediate, leaf].map { $0.carries(.intermediate) } == [false, true, false])
        #expect([root, intermediate, leaf].map { $0.carries(.signingLeaf) } == [false, false, true])
        let algorithm: KeyAlgorithm = purpose == .jws ? .p256 : .rsa
        #expect([root, intermediate, leaf].allSatisfy { $0.publicKey.algorithm == algorithm })
    }

    @Test("A certificate holds the public half of its key") func certificateHoldsPublic() throws {
        for purpose in ChainPurpose.allCases {
            let authority = try Fixture.authority(purpose)
            for issued in [authority.root, authority.intermediate, authority.leaf] {
                #expect(
                    try issued.certificate.publicKey.derRepresentation == issued.key.publicKey.derRepresentation)
            }
        }
    }

    @Test("Serial numbers are positive, 127 bits long and never the same") func serialNumbersPositive() throws {
        let authority = ChainAuthority(environment: .sandbox, purpose: .jws, organization: "")
        let numbers = try (0..<20).map { _ in try authority.issueRoot(at: Fixture.now).certificate.serialNumber }
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers.allSatisfy { $0.utf8.count == 32 && "4567".contains($0.first ?? "-") })
    }

    @Test("A chain made at once signs and leads to its root") func chainMadeAt() throws {
        let made = try ChainAuthority(environment: .sandbox, purpose: .jws, organization: "Corner Shop")
            .issueChain(at: Fixture.now)
        let verifier = try ChainVerifier(roots: [made.chain.root], requirements: .jws)
        #expect(throws: Never.self) { try verifier.verify(leaf: made.chain.leaf, others: [made.chain.intermediate]) }
        #expect(try made.key.publicKey.derRepresentation == made.chain.leaf.publicKey.derRepresentation)
    }

    @Test(
        "Any name that X.509 can hold may run a store",
        arguments: [
            "", "Ä", "Gesellschaft für Beispielverkäufe und Töchter mbH & Co. KG", String(repeating: "🛒", count: 64),
        ])
    func anyNameX(organization: String) throws {
        for environment in StoreEnvironment.allCases {
            let made = try ChainAuthority(environment: environment, purpose: .jws, organization: organization)
                .issueChain(at: Fixture.now)
            let verifier = try ChainVerifier(roots: [made.chain.root], requirements: .jws)
            #expect(throws: Never.self) {
                try verifier.verify(leaf: made.chain.leaf, others: [made.chain.intermediate])
            }
            #expect(Set(made.chain.certificates.map(\.subject)).count == 3)
        }
    }

    @Test("A name that X.509 cannot hold is refused in words") func nameX509() {
        let authority = ChainAuthority(
            environment: .sandbox, purpose: .jws, organization: String(repeating: "x", count: 65))
        let error = #expect(throws: SigningError.self) { try authority.issueRoot(at: Fixture.now) }
        #expect(error == SigningError(.tooLarge, "O of a certificate exceeds 64 characters"))
    }
}

import StoreModel
import TestSupport
import Testing

@testable import StoreSigning

/// Every way in which certificates do not make a chain, each with its own code.
@Suite struct ChainVerifierTests {
    private let root: IssuedCertificate
    private let intermediate: IssuedCertificate
    private let leaf: IssuedCertificate

    init() throws {
        root = try CertificateForge.root().issue()
        intermediate = try CertificateForge.authority().issue(under: root)
        leaf = try CertificateForge().issue(under: intermediate)
    }

    private func verify(
        _ leaf: IssuedCertificate, _ others: [IssuedCertificate], roots: [IssuedCertificate]? = nil,
        requirements: ChainRequirements = .jws, revoking revoked: [Certificate] = []
    ) throws -> VerifiedChain {
        let verifier = try ChainVerifier(
            roots: (roots ?? [root]).map(\.certificate), requirements: requirements,
            revocations: Revocations(fingerprints: revoked.map { try $0.fingerprint }))
        return try verifier.verify(leaf: leaf.certificate, others: others.map(\.certificate))
    }

    private func fingerprints(_ certificates: [Certificate]) throws -> [[UInt8]] {
        try certificates.map { try $0.fingerprint }
    }

    // MARK: Accepted

    @Test("Accepts the chains that a store issues", arguments: ChainPurpose.allCases, StoreEnvironment.allCases)
    func acceptsChainsStore(purpose: ChainPurpose, environment: StoreEnvironment) throws {
        let authority = try Fixture.authority(purpose, environment)
        let chain = try verify(
            authority.leaf, [authority.intermediate], roots: [authority.root], requirements: purpose.requirements
        ).chain
        #expect(try fingerprints(chain.certificates) == fingerprints(authority.certifiedKey.chain.certificates))
    }

    @Test("Accepts a chain whatever else comes with it, in any order") func acceptsChainWhatever() throws {
        let stranger = try CertificateForge.root("Stranger").issue()
        for others in [
            [intermediate], [intermediate, root], [root, intermediate], [leaf, stranger, intermediate, intermediate],
        ] {
            let chain = try verify(leaf, others).chain
            #expect(
                try fingerprints(chain.certificates) == fingerprints([leaf, intermediate, root].map(\.certificate)))
        }
    }

    @Test("Accepts a chain under any of several roots, old and new") func acceptsChainUnder() throws {
        let newRoot = try CertificateForge.root().issue()
        let newIntermediate = try CertificateForge.authority().issue(under: newRoot)
        let newLeaf = try CertificateForge().issue(under: newIntermediate)
        #expect(throws: Never.self) { try verify(leaf, [intermediate], roots: [root, newRoot]) }
        #expect(throws: Never.self) { try verify(newLeaf, [newIntermediate], roots: [root, newRoot]) }
    }

    // MARK: Trust

    @Test("Refuses a chain under a root that is not trusted") func refusesChainUnder() throws {
        let others = [intermediate, root]
        expectRefusal(.untrustedChain) { try verify(leaf, others, roots: []) }
        let stranger = try CertificateForge.root("Stranger").issue()
        expectRefusal(.untrustedChain) { try verify(leaf, others, roots: [stranger]) }
    }

    @Test("Refuses a chain under another root of the same name") func refusesChainUnderAnother() throws {
        let namesake = try CertificateForge.root().issue()
        #expect(namesake.certificate.subject == root.certificate.subject)
        expectRefusal(.untrustedChain) { try verify(leaf, [intermediate, root], roots: [namesake]) }
    }

    @Test("Refuses a chain whose intermediate is missing or another") func refusesChainWhose() throws {
        expectRefusal(.untrustedChain) { try verify(leaf, []) }
        expectRefusal(.untrustedChain) { try verify(leaf, [root]) }
        let sibling = try CertificateForge.authority().issue(under: root)
        #expect(sibling.certificate.subject == intermediate.certificate.subject)
        expectRefusal(.untrustedChain) { try verify(leaf, [sibling]) }
    }

    @Test("Refuses a trusted intermediate in place of a root") func refusesTrustedIntermediate() {
        expectRefusal(.untrustedChain) { try verify(leaf, [intermediate], roots: [intermediate]) }
    }

    @Test("Refuses one certificate that vouches for itself, as Xcode signs (P3)") func refusesOneCertificate() throws {
        var forge = CertificateForge(
            commonName: "StoreKit Testing in Xcode", extensions: CertificateForge.rootExtensions)
        forge.markers = [.leaf, .intermediate]
        let alone = try forge.issue()
        expectRefusal(.untrustedChain) { try verify(alone, [alone]) }
        expectRefusal(.invalidChainLength) { try verify(alone, [], roots: [alone]) }
    }

    @Test("Refuses a certificate signed with another key than its issuer's") func refusesCertificateSigned() throws {
        let impostor = IssuedCertificate(certificate: intermediate.certificate, key: try .p256())
        let forged = try CertificateForge().issue(under: impostor)
        expectRefusal(.untrustedChain) { try verify(forged, [intermediate]) }
    }

    // MARK: Length

    @Test("Refuses chains of one, two and four") func refusesChainsOne() throws {
        expectRefusal(.invalidChainLength) { try verify(root, []) }
        let direct = try CertificateForge().issue(under: root)
        expectRefusal(.invalidChainLength) { try verify(direct, [intermediate]) }
        let deeper = try CertificateForge.authority("Deeper CA").issue(under: intermediate)
        let deepLeaf = try CertificateForge().issue(under: deeper)
        expectRefusal(.invalidChainLength) { try verify(deepLeaf, [deeper, intermediate]) }
    }

    @Test("A store's own intermediate cannot make authorities") func storeSOwn() throws {
        let authority = try Fixture.authority(.jws)
        let deeper = try CertificateForge.authority("Deeper CA").issue(under: authority.intermediate)
        let deepLeaf = try CertificateForge().issue(under: deeper)
        expectRefusal(.untrustedChain) {
            try verify(deepLeaf, [deeper, authority.intermediate], roots: [authority.root])
        }
    }

    // MARK: Purpose

    @Test("Refuses a leaf without its marker") func refusesLeafWithout() throws {
        for markers in [
            [], [CertificateForge.Marker.intermediate], [.init(objectIdentifier: "1.2.840.113635.100.6.11")],
        ] {
            let unmarked = try CertificateForge(markers: markers).issue(under: intermediate)
            expectRefusal(.invalidCertificatePurpose) { try verify(unmarked, [intermediate]) }
        }
    }

    @Test("Refuses an intermediate without its marker") func refusesIntermediateWithout() throws {
        for markers in [[], [CertificateForge.Marker.leaf]] {
            var forge = CertificateForge.authority()
            forge.markers = markers
            let unmarked = try forge.issue(under: root)
            let leaf = try CertificateForge().issue(under: unmarked)
            expectRefusal(.invalidCertificatePurpose) { try verify(leaf, [unmarked]) }
        }
    }

    @Test("Refuses critical markers, as every critical extension that is not understood") func refusesCriticalMarkers()
        throws
    {
        let leafMarker = CertificateForge.Marker(
            objectIdentifier: MarkerExtension.signingLeaf.objectIdentifier, isCritical: true)
        let critical = try CertificateForge(markers: [leafMarker]).issue(under: intermediate)
        expectRefusal(.untrustedChain) { try verify(critical, [intermediate]) }
        let unknown = CertificateForge.Marker(objectIdentifier: "1.2.3.4.5", isCritical: true)
        let strange = try CertificateForge(markers: [.leaf, unknown]).issue(under: intermediate)
        expectRefusal(.untrustedChain) { try verify(strange, [intermediate]) }
    }

    @Test(
        "Refuses a leaf acting as intermediate",
        arguments: [
            CertificateForge.leafExtensions,
            // A key that may sign certificates, in a certificate that is no authority; and one that does not say.
            [("basicConstraints", "critical,CA:FALSE"), ("keyUsage", "critical,keyCertSign")]
                + CertificateForge.leafExtensions[2...],
            [("keyUsage", "critical,keyCertSign")] + CertificateForge.leafExtensions[2...],
            // An authority that may sign anything but certificates.
            [("basicConstraints", "critical,CA:TRUE"), ("keyUsage", "critical,digitalSignature")]
                + CertificateForge.leafExtensions[2...],
        ])
    func refusesLeafActing(extensions: [(String, String)]) throws {
        let actor = try CertificateForge(
            extensions: extensions.map { (name: $0.0, value: $0.1) }, markers: [.intermediate, .leaf]
        ).issue(under: root)
        let forged = try CertificateForge().issue(under: actor)
        expectRefusal(.untrustedChain) { try verify(forged, [actor]) }
    }

    // MARK: Keys

    @Test("Refuses a leaf with another kind of key than its purpose demands") func refusesLeafWith() throws {
        for key in try [GoldenKeys.rsa.privateKey(), GoldenKeys.p384.privateKey()] {
            let other = try CertificateForge().issue(under: intermediate, key: key)
            expectRefusal(.algorithmNotAllowed) { try verify(other, [intermediate]) }
        }
        expectRefusal(.algorithmNotAllowed) { try verify(leaf, [intermediate], requirements: .receipt) }
        let rsa = try CertificateForge().issue(under: intermediate, key: GoldenKeys.rsa.privateKey())
        #expect(throws: Never.self) { try verify(rsa, [intermediate], requirements: .receipt) }
    }

    @Test("Roots and intermediates may have keys of other kinds, as Apple's have") func rootsIntermediatesMay() throws {
        let root = try CertificateForge.root().issue(key: GoldenKeys.p384.privateKey())
        let intermediate = try CertificateForge.authority().issue(under: root, key: GoldenKeys.rsa.privateKey())
        let leaf = try CertificateForge().issue(under: intermediate)
        #expect(throws: Never.self) { try verify(leaf, [intermediate], roots: [root]) }
    }

    // MARK: Revocation

    @Test("Refuses a chain once any of its certificates is revoked", arguments: 0..<3)
    func refusesChainOnce(index: Int) throws {
        let revoked = [leaf, intermediate, root][index].certificate
        expectRefusal(.revokedCertificate) { try verify(leaf, [intermediate], revoking: [revoked]) }
        let stranger = try CertificateForge().issue(under: intermediate).certificate
        #expect(throws: Never.self) { try verify(leaf, [intermediate], revoking: [stranger]) }
    }

    @Test("Revocation reaches a certificate that only came along as little as it should")
    func revocationReachesCertificate() throws {
        let stranger = try CertificateForge.authority("Stranger").issue(under: root)
        #expect(throws: Never.self) {
            try verify(leaf, [intermediate, stranger], revoking: [stranger.certificate])
        }
    }

    // MARK: Damage

    @Test("A damaged certificate never makes a chain that says something else", .mutationTimeLimit)
    func damagedCertificateNever() throws {
        #expect(throws: Never.self) { try verify(leaf, [intermediate]) }
        let verifier = try ChainVerifier(roots: [root.certificate], requirements: .jws)
        let genuine = [leaf.certificate, intermediate.certificate]
        for mutant in Mutants("Chains", of: genuine.map(\.derRepresentation), rounds: 2000) {
            let read = reading(mutant) { () throws -> [Certificate] in
                let damaged = try Certificate(derRepresentation: mutant.bytes)
                let pair = mutant.origin == 0 ? [damaged, genuine[1]] : [genuine[0], damaged]
                return try verifier.verify(leaf: pair[0], others: [pair[1]]).chain.certificates
            }
            guard let read else { continue }
            for (certificate, expected) in zip(read, genuine) {
                #expect(certificate.subject == expected.subject, "\(mutant)")
                #expect(certificate.serialNumber == expected.serialNumber, "\(mutant)")
                #expect(certificate.notBefore == expected.notBefore && certificate.notAfter == expected.notAfter)
                let keys = reading(mutant) { try [certificate, expected].map { try $0.publicKey.derRepresentation } }
                #expect(keys?[0] == keys?[1], "\(mutant)")
            }
        }
    }
}

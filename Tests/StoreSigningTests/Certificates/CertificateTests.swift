import StoreModel
import TestSupport
import Testing

@testable import StoreSigning

@Suite struct CertificateTests {
    private let golden = GoldenCertificates.oneSecond

    @Test("Reads what the openssl command wrote") func readsWhatOpenssl() throws {
        let certificate = try Certificate(pemRepresentation: golden)
        #expect(certificate.serialNumber == "c0ffee00c0ffee")
        #expect(try certificate.fingerprint == bytes(hex: GoldenCertificates.oneSecondFingerprint))
        #expect(certificate.publicKey.algorithm == .p256)
        #expect(try certificate.publicKey.pemRepresentation == GoldenKeys.p256Public.pem + "\n")
        #expect(certificate.isAuthority)
        #expect(certificate.carries(.intermediate))
        #expect(!certificate.carries(.signingLeaf))
        #expect(try certificate.pemRepresentation == golden + "\n")
    }

    @Test("Validity is read exactly, in both forms of time") func validityReadExactly() throws {
        let certificate = try Certificate(pemRepresentation: golden)
        #expect(certificate.notBefore.rfc3339Milliseconds == "2049-12-31T23:59:59.000Z")
        #expect(certificate.notAfter.rfc3339Milliseconds == "2050-01-01T00:00:00.000Z")
    }

    @Test("Names are shown in UTF-8, with what could be mistaken for syntax quoted") func namesShownUTF() throws {
        let certificate = try Certificate(pemRepresentation: golden)
        #expect(certificate.subject == #"CN=Kaufladen Grün 🛒, O="Ä, B + C""#)
        #expect(certificate.issuer == certificate.subject)
        let hostile = try CertificateForge(commonName: "line\nbreak\u{1B}[31m").issue().certificate
        #expect(hostile.subject == #"CN=line\0Abreak\1B[31m"#)
    }

    @Test("Reads DER byte for byte, and nothing may follow it") func readsDERByte() throws {
        let der = try Certificate(pemRepresentation: golden).derRepresentation
        #expect(try Certificate(derRepresentation: der).derRepresentation == der)
        expectRefusal(.malformed) { try Certificate(derRepresentation: der + [0]) }
        expectRefusal(.malformed) { try Certificate(derRepresentation: der + der) }
        expectRefusal(.malformed) { try Certificate(derRepresentation: []) }
        for count in 0..<der.count {
            expectRefusal(.malformed, "\(count)") { try Certificate(derRepresentation: Array(der.prefix(count))) }
        }
    }

    @Test("Sizes are limited") func test4() throws {
        let der = try Certificate(pemRepresentation: golden).derRepresentation
        let room = SigningLimits.certificateBytes - der.count
        expectRefusal(.malformed) { try Certificate(derRepresentation: der + [UInt8](repeating: 0, count: room)) }
        expectRefusal(.tooLarge) { try Certificate(derRepresentation: der + [UInt8](repeating: 0, count: room + 1)) }
        let spaces = String(repeating: "\n", count: SigningLimits.keyFileBytes - golden.utf8.count)
        #expect(try Certificate(pemRepresentation: golden + spaces).isAuthority)
        expectRefusal(.tooLarge) { try Certificate(pemRepresentation: golden + spaces + "\n") }
    }

    @Test("Refuses PEM that holds no certificate", arguments: ["", "no certificate", GoldenKeys.p256Public.pem])
    func refusesPEMHolds(pem: String) {
        expectRefusal(.malformed) { try Certificate(pemRepresentation: pem) }
    }

    @Test("A key of a kind unknown here is read, but has no algorithm") func keyKindUnknown() throws {
        #expect(try Certificate(pemRepresentation: GoldenCertificates.ed25519).publicKey.algorithm == nil)
    }

    @Test("A marker counts whatever it holds, but not if it is critical") func markerCountsWhatever() throws {
        var forge = CertificateForge(markers: [])
        #expect(try !forge.issue().certificate.carries(.signingLeaf))
        forge.markers = [.leaf]
        #expect(try forge.issue().certificate.carries(.signingLeaf))
        forge.markers[0].content = [0x0C, 0x01, 0x41]
        #expect(try forge.issue().certificate.carries(.signingLeaf))
        forge.markers[0].isCritical = true
        #expect(try !forge.issue().certificate.carries(.signingLeaf))
        forge.markers = [.intermediate]
        #expect(try !forge.issue().certificate.carries(.signingLeaf))
    }

    @Test("A damaged certificate is refused or can be looked at", .mutationTimeLimit) func damagedCertificateRefused()
        throws
    {
        let genuine =
            try Fixture.chain(.jws).chain.certificates.map(\.derRepresentation)
            + [Certificate(pemRepresentation: golden).derRepresentation]
        for der in genuine { #expect(try Certificate(derRepresentation: der).derRepresentation == der) }
        for mutant in Mutants("Certificates", of: genuine, rounds: 3000) {
            guard let read = reading(mutant, { try Certificate(derRepresentation: mutant.bytes) }) else { continue }
            _ = (read.subject, read.issuer, read.serialNumber, read.isAuthority, read.carries(.signingLeaf))
            _ = reading(mutant) { try (read.issuerBytes, read.serialNumberBytes, read.fingerprint) }
            _ = reading(mutant) { try (read.pemRepresentation, read.publicKey.derRepresentation) }
        }
    }
}

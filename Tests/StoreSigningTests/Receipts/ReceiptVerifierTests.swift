import StoreModel
import TestSupport
import Testing

@testable import StoreSigning

@Suite struct ReceiptVerifierTests {
    private let chain: ReceiptChain
    private let verifier: ReceiptVerifier
    private let receipt = SampleReceipts.plain()
    private let payload: [UInt8]

    init() throws {
        chain = try ReceiptChain()
        verifier = try chain.verifier()
        payload = try receipt.encoded
    }

    private func verify(_ change: (inout ReceiptForge) throws -> Void = { _ in }) throws -> VerifiedReceipt {
        var forge = chain.forge(payload)
        try change(&forge)
        return try verifier.verify(forge.encoded())
    }

    // MARK: Accepted

    @Test("What a store signs is verified and read", arguments: StoreEnvironment.allCases)
    func whatStoreSigns(environment: StoreEnvironment) throws {
        let key = try Fixture.chain(.receipt, environment)
        let receipt = try SampleReceipts.full()
        let verified = try ReceiptVerifier(roots: [key.chain.root]).verify(ReceiptSigner(key).sign(receipt))
        #expect(verified.receipt == receipt)
        #expect(try verified.chain.chain.leaf.fingerprint == key.chain.leaf.fingerprint)
    }

    @Test("Certificates may come in any order, without the root and with others") func certificatesMayCome() throws {
        let (leaf, intermediate, root) = (
            chain.leaf.certificate.derRepresentation, chain.intermediate.certificate.derRepresentation,
            chain.root.certificate.derRepresentation
        )
        let stranger = try CertificateForge().issue().certificate.derRepresentation
        for order in [
            [leaf, intermediate, root], [root, intermediate, leaf], [leaf, intermediate],
            [stranger, intermediate, leaf, stranger],
        ] {
            #expect(try verify { $0.certificates = order }.receipt == receipt)
        }
    }

    @Test("Lists and attributes that are not signed are skipped") func listsAttributesNot() throws {
        let list = DER.value(.context1, DER.sequence(DER.integer(1)))
        #expect(try verify { $0.lists = list }.receipt == receipt)
        #expect(try verify { $0.signers[0].rest = list }.receipt == receipt)
        expectRefusal(.malformed) { try verify { $0.lists = list + list } }
        expectRefusal(.malformed) { try verify { $0.signers[0].rest = DER.null } }
    }

    @Test("BER with open lengths and a payload in pieces is read", arguments: [1, 2, 7]) func berWithOpen(pieces: Int)
        throws
    {
        let bytes = try chain.forge(payload).encodedOpen(pieces: pieces)
        #expect(try verifier.verify(bytes).receipt == receipt)
        for count in 0..<bytes.count {
            expectRefusal(.malformed, "\(count)") { try verifier.verify(Array(bytes.prefix(count))) }
        }
    }

    // MARK: Tampering

    @Test("A receipt cut off anywhere is refused (P39)") func receiptCutOff() throws {
        let key = try Fixture.chain(.receipt)
        let bytes = try ReceiptSigner(key).sign(SampleReceipts.full())
        let verifier = try ReceiptVerifier(roots: [key.chain.root])
        _ = try verifier.verify(bytes)
        for count in 0..<bytes.count {
            expectRefusal(.malformed, "\(count)") { try verifier.verify(Array(bytes.prefix(count))) }
        }
        expectRefusal(.malformed) { try verifier.verify(bytes + [0]) }
        expectRefusal(.malformed) { try verifier.verify(bytes + bytes) }
    }

    @Test("No byte of payload or signature can be another (R4.3)") func noBytePayload() throws {
        let bytes = try chain.forge(payload).encoded()
        let payloadStart = try #require(bytes.firstRange(of: payload)).lowerBound
        let signatureStart = bytes.count - 128
        for position in Array(payloadStart..<(payloadStart + payload.count)) + Array(signatureStart..<bytes.count) {
            var tampered = bytes
            tampered[position] ^= 0x01
            expectRefusal(.invalidSignature, "\(position)") { try verifier.verify(tampered) }
        }
    }

    @Test("A receipt without signer, or without the signer's certificate, is refused") func receiptWithoutSigner()
        throws
    {
        expectRefusal(.invalidSignature) { try verify { $0.signers = [] } }
        expectRefusal(.untrustedChain) { try verify { $0.certificates.removeFirst() } }
        expectRefusal(.untrustedChain) { try verify { $0.certificates = [] } }
    }

    @Test("A signer cannot borrow another's certificate") func signerCannotBorrow() throws {
        let key = try Fixture.authority(.receipt).leaf.key
        expectRefusal(.invalidSignature) { try verify { $0.signers[0].key = key } }
    }

    @Test("What is not signed data with plain content is refused") func whatNotSigned() throws {
        // 1.2.840.113549.1.7.3, enveloped data, and 1.7.5, digested data.
        for last: UInt8 in [0x03, 0x05] {
            let other = SignedDataIdentifier.signedData.dropLast() + [last]
            expectRefusal(.malformed) { try verify { $0.kind = Array(other) } }
            expectRefusal(.malformed) { try verify { $0.contentKind = Array(other) } }
        }
        for bytes in [[], [0x30], [0x30, 0x80], [0x30, 0x00], Array("MIIT".utf8), DER.sequence(DER.null)] {
            expectRefusal(.malformed) { try verifier.verify(bytes) }
        }
    }

    @Test("An authentic container around something else is refused") func authenticContainerAround() throws {
        expectRefusal(.malformed) { try verify { $0.payload = Array("text".utf8) } }
        expectRefusal(.malformed) { try verify { $0.payload = [] } }
        expectRefusal(.malformed) { try verify { $0.payload = DER.set([]) } }
    }

    // MARK: Chain

    @Test("The chain must lead to a trusted root, as that of signed JSON") func chainMustLead() throws {
        let bytes = try chain.forge(payload).encoded()
        let stranger = try ReceiptChain()
        let trusting = try stranger.verifier()
        expectRefusal(.untrustedChain) { try trusting.verify(bytes) }
        expectRefusal(.untrustedChain) { try verify { $0.certificates.remove(at: 1) } }
        for certificate in [chain.leaf, chain.intermediate, chain.root].map(\.certificate) {
            let informed = try chain.verifier(revoking: [certificate])
            for _ in 0..<2 { expectRefusal(.revokedCertificate) { try informed.verify(bytes) } }
        }
    }

    @Test("Leaf and intermediate need their markers, and the leaf an RSA key") func leafIntermediateNeed() throws {
        let rsa = try GoldenKeys.rsa.privateKey()
        let unmarked = try CertificateForge(markers: []).issue(under: chain.intermediate, key: rsa)
        let p256 = try CertificateForge().issue(under: chain.intermediate)
        var forge = CertificateForge.authority("Unmarked")
        forge.markers = []
        let unmarkedAuthority = try forge.issue(under: chain.root)
        let leaf = try CertificateForge().issue(under: unmarkedAuthority, key: rsa)
        for (leaf, issuer, code) in [
            (unmarked, chain.intermediate, SigningError.Code.invalidCertificatePurpose),
            (leaf, unmarkedAuthority, .invalidCertificatePurpose), (p256, chain.intermediate, .algorithmNotAllowed),
        ] {
            let bytes = try ReceiptForge(payload: payload, leaf: leaf, others: [issuer]).encoded()
            expectRefusal(code) { try verifier.verify(bytes) }
        }
    }

    @Test("Certificates are judged at the date of the receipt (P37)") func certificatesJudgedAt() throws {
        var forge = CertificateForge()
        forge.validity = try Instant(rfc3339: "2025-01-01T00:00:00Z")..<Instant(rfc3339: "2025-12-31T23:59:59Z")
        let leaf = try forge.issue(under: chain.intermediate, key: GoldenKeys.rsa.privateKey())
        func verify(_ date: String) throws -> VerifiedReceipt {
            var receipt = receipt
            receipt.creationDate = try Instant(rfc3339: date)
            return try verifier.verify(
                ReceiptForge(payload: receipt.encoded, leaf: leaf, others: [chain.intermediate]).encoded())
        }
        for date in ["2025-01-01T00:00:00Z", "2025-12-31T23:59:59Z"] {
            #expect(throws: Never.self) { try verify(date) }
        }
        for date in ["2024-12-31T23:59:59Z", "2026-01-01T00:00:00Z", "1999-01-01T00:00:00Z"] {
            expectRefusal(.outsideValidity, date) { try verify(date) }
        }
    }

    @Test("A remembered chain answers for its signer alone") func rememberedChainAnswers() throws {
        let bytes = try chain.forge(payload).encoded()
        for _ in 0..<3 { #expect(try verifier.verify(bytes).receipt == receipt) }
        let other = try SampleReceipts.plain("com.example.other").encoded
        #expect(try verify { $0.payload = other }.receipt.bundleID == "com.example.other")
        expectRefusal(.invalidSignature) { try verify { $0.signers[0].damage = { $0[100] ^= 0x10 } } }
        let elsewhere = try CertificateForge(commonName: "Elsewhere").issue(under: chain.intermediate)
        expectRefusal(.untrustedChain) { try verify { $0.signers[0].certificate = elsewhere.certificate } }
    }
}

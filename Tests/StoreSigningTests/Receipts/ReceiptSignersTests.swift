import StoreModel
import TestSupport
import Testing

@testable import StoreSigning

/// Signers, digests and signed attributes: the parts of PKCS#7 that stores do not use but foreign tools do.
@Suite struct ReceiptSignersTests {
    private let chain: ReceiptChain
    private let verifier: ReceiptVerifier
    private let receipt = SampleReceipts.plain()
    private let payload: [UInt8]

    init() throws {
        chain = try ReceiptChain()
        verifier = try chain.verifier()
        payload = try receipt.encoded
    }

    private func verify(_ change: (inout ReceiptForge) throws -> Void) throws -> VerifiedReceipt {
        var forge = chain.forge(payload)
        try change(&forge)
        return try verifier.verify(forge.encoded())
    }

    // MARK: Limits

    @Test("Up to four signers may sign, and each must be right") func upFourSigners() throws {
        let limit = SigningLimits.signersPerReceipt
        let one = ReceiptForge.Signer(chain.leaf)
        var wrong = one
        wrong.damage = { $0[64] ^= 1 }
        #expect(try verify { $0.signers = Array(repeating: one, count: limit) }.receipt == receipt)
        expectRefusal(.tooLarge) { try verify { $0.signers = Array(repeating: one, count: limit + 1) } }
        for place in 0..<limit {
            expectRefusal(.invalidSignature, "\(place)") {
                try verify {
                    $0.signers = Array(repeating: one, count: limit)
                    $0.signers[place] = wrong
                }
            }
        }
    }

    @Test("Every signer's chain is judged") func everySignerS() throws {
        let stranger = try ReceiptChain()
        expectRefusal(.untrustedChain) {
            try verify {
                $0.signers.append(ReceiptForge.Signer(stranger.leaf))
                $0.certificates += [stranger.leaf, stranger.intermediate].map(\.certificate.derRepresentation)
            }
        }
    }

    @Test("Up to ten certificates may come along") func upTenCertificates() throws {
        let limit = SigningLimits.certificatesPerReceipt
        let more = try CertificateForge().issue().certificate.derRepresentation
        #expect(
            try verify { $0.certificates += Array(repeating: more, count: limit - 3) }.receipt == receipt)
        expectRefusal(.tooLarge) { try verify { $0.certificates += Array(repeating: more, count: limit - 2) } }
        expectRefusal(.malformed) { try verify { $0.certificates.append(DER.null) } }
        expectRefusal(.malformed) { try verify { $0.certificates.append(DER.sequence(DER.null)) } }
        let huge = DER.value(.sequence, [UInt8](repeating: 0, count: SigningLimits.certificateBytes))
        expectRefusal(.tooLarge) { try verify { $0.certificates.append(huge) } }
    }

    @Test("The size of a receipt is limited, for the signer as for the verifier") func sizeReceiptLimited() throws {
        expectRefusal(.tooLarge) {
            try verifier.verify([UInt8](repeating: 0x30, count: SigningLimits.receiptBytes + 1))
        }
        expectRefusal(.malformed) { try verifier.verify([UInt8](repeating: 0x30, count: SigningLimits.receiptBytes)) }
        var large = receipt
        large.otherAttributes = [
            ReceiptAttribute(type: 99, value: [UInt8](repeating: 1, count: SigningLimits.receiptBytes))
        ]
        let signer = try ReceiptSigner(Fixture.chain(.receipt))
        expectRefusal(.tooLarge) { try signer.sign(large) }
    }

    // MARK: Algorithms

    @Test("SHA-1, as in older receipts, is verified") func sha1Older() throws {
        for identifier in [SignedDataIdentifier.rsaEncryption, SignedDataIdentifier.sha1WithRSA] {
            let verified = try verify {
                $0.signers[0].digest = .sha1
                $0.signers[0].digestIdentifier = SignedDataIdentifier.sha1
                $0.signers[0].signatureIdentifier = identifier
            }
            #expect(verified.receipt == receipt)
        }
        #expect(
            try verify { $0.signers[0].signatureIdentifier = SignedDataIdentifier.sha256WithRSA }.receipt == receipt)
    }

    @Test("A digest that is not the one that was signed is refused") func digestNotOne() {
        expectRefusal(.invalidSignature) { try verify { $0.signers[0].digest = .sha1 } }
        expectRefusal(.invalidSignature) { try verify { $0.signers[0].digest = .sha384 } }
        expectRefusal(.invalidSignature) {
            try verify { $0.signers[0].digestIdentifier = SignedDataIdentifier.sha1 }
        }
    }

    @Test("Digests and signatures of every other kind are refused, and so are mixed ones") func digestsSignaturesEvery()
    {
        // SHA-384 and MD5; then RSA-PSS, ECDSA with SHA-256, MD5 with RSA.
        for digest in ["608648016503040202", "2a864886f70d0205", ""] {
            expectRefusal(.algorithmNotAllowed) {
                try verify { $0.signers[0].digestIdentifier = bytes(hex: digest) }
            }
        }
        for signature in ["2a864886f70d01010a", "2a8648ce3d040302", "2a864886f70d010104", ""] {
            expectRefusal(.algorithmNotAllowed) {
                try verify { $0.signers[0].signatureIdentifier = bytes(hex: signature) }
            }
        }
        expectRefusal(.algorithmNotAllowed) {
            try verify { $0.signers[0].signatureIdentifier = SignedDataIdentifier.sha1WithRSA }
        }
    }

    // MARK: Signed attributes

    private let digestType = SignedDataIdentifier.messageDigestAttribute
    private let contentType = SignedDataIdentifier.contentTypeAttribute

    private func verify(attributes: [[UInt8]]) throws -> VerifiedReceipt {
        try verify { $0.signers[0].attributes = attributes }
    }

    @Test("Signed attributes that name the content are verified", arguments: [DigestAlgorithm.sha256, .sha1])
    func signedAttributesName(digest: DigestAlgorithm) throws {
        let verified = try verify {
            $0.signers[0].digest = digest
            $0.signers[0].digestIdentifier = digest == .sha1 ? SignedDataIdentifier.sha1 : SignedDataIdentifier.sha256
            try $0.signers[0].signAttributes(of: payload)
        }
        #expect(verified.receipt == receipt)
    }

    @Test("Signed attributes of another content are refused") func signedAttributesAnother() throws {
        expectRefusal(.invalidSignature) {
            try verify { try $0.signers[0].signAttributes(of: payload + [0]) }
        }
        // A genuine signature with its attributes, moved to another receipt.
        let other = try SampleReceipts.plain("com.example.other").encoded
        expectRefusal(.invalidSignature) {
            try verify {
                try $0.signers[0].signAttributes(of: payload)
                $0.payload = other
            }
        }
    }

    @Test("Signed attributes need digest and type of the content, each once and with one value")
    func signedAttributesNeed() throws {
        let type = ReceiptForge.attribute(contentType, [DER.value(.objectIdentifier, SignedDataIdentifier.data)])
        let digest = try DER.octetString(DigestAlgorithm.sha256.digest(payload))
        let named = ReceiptForge.attribute(digestType, [digest])
        let time = ReceiptForge.attribute(
            bytes(hex: "2a864886f70d010905"), [DER.value(ASN1Tag(rawValue: 0x17), Array("260102030405Z".utf8))])
        #expect(try verify(attributes: [type, named]).receipt == receipt)
        #expect(try verify(attributes: [named, time, type]).receipt == receipt)
        let wrongDigest = try DER.octetString(DigestAlgorithm.sha256.digest([]))
        let signedDataType = DER.value(.objectIdentifier, SignedDataIdentifier.signedData)
        for attributes in [
            [], [type], [named], [time], [type, named, named], [type, type, named],
            [type, ReceiptForge.attribute(digestType, [wrongDigest])],
            [type, ReceiptForge.attribute(digestType, [digest, wrongDigest])],
            [type, ReceiptForge.attribute(digestType, [digest, digest])],
            [type, named, ReceiptForge.attribute(digestType, [wrongDigest])],
            [ReceiptForge.attribute(contentType, [signedDataType]), named],
        ] {
            expectRefusal(.invalidSignature) { try verify(attributes: attributes) }
        }
        for attributes in [
            [type, ReceiptForge.attribute(digestType, [])], [type, ReceiptForge.attribute(digestType, [DER.null])],
            [type, DER.sequence(DER.null)], [type, DER.null],
        ] {
            expectRefusal(.malformed) { try verify(attributes: attributes) }
        }
    }

    @Test("Signed attributes cannot be dropped, added or changed after signing") func signedAttributesCannot() throws {
        var forge = chain.forge(payload)
        try forge.signers[0].signAttributes(of: payload)
        let attributes = try #require(forge.signers[0].attributes).joined()
        let bytes = try forge.encoded()
        _ = try verifier.verify(bytes)
        // The signed attributes themselves, presented as a payload that was signed directly.
        var plain = chain.forge(DER.value(.set, Array(attributes)))
        expectRefusal(.malformed) { try verifier.verify(plain.encoded()) }
        // And a payload that was signed directly, presented as signed attributes.
        plain = chain.forge(payload)
        plain.signers[0].attributes = [Array(payload.dropFirst(4))]
        expectRefusal(.malformed) { try verifier.verify(plain.encoded()) }
        let start = try #require(bytes.firstRange(of: Array(attributes))).lowerBound
        for position in start..<(start + attributes.count) {
            var tampered = bytes
            tampered[position] ^= 0x01
            #expect(throws: SigningError.self, "\(position)") { try verifier.verify(tampered) }
        }
    }
}

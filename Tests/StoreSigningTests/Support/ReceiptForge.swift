import StoreModel

@testable import StoreSigning

/// Builds PKCS#7 containers piece by piece, right or wrong, that `ReceiptSigner` would never make.
struct ReceiptForge {
    /// One signer's part, each piece as it will stand.
    struct Signer {
        var certificate: Certificate
        var key: PrivateKey
        var digest = DigestAlgorithm.sha256
        var digestIdentifier = SignedDataIdentifier.sha256
        var signatureIdentifier = SignedDataIdentifier.rsaEncryption
        /// The signed attributes in their order; nil where the content itself is signed.
        var attributes: [[UInt8]]?
        /// Pieces after the signature.
        var rest: [UInt8] = []
        var damage: (inout [UInt8]) -> Void = { _ in }

        init(_ issued: IssuedCertificate) {
            certificate = issued.certificate
            key = issued.key
        }

        /// The attributes that name a content: its type and its digest.
        mutating func signAttributes(of content: [UInt8]) throws {
            attributes = try [
                ReceiptForge.attribute(
                    SignedDataIdentifier.contentTypeAttribute,
                    [DER.value(.objectIdentifier, SignedDataIdentifier.data)]),
                ReceiptForge.attribute(
                    SignedDataIdentifier.messageDigestAttribute, [DER.octetString(digest.digest(content))]),
            ]
        }

        func encoded(over content: [UInt8]) throws -> [UInt8] {
            var signed = content
            var attributesPart: [UInt8] = []
            if let attributes {
                signed = DER.value(.set, Array(attributes.joined()))
                attributesPart = DER.value(.context0, Array(attributes.joined()))
            }
            var signature = try key.signature(for: signed, digest: digest)
            damage(&signature)
            return try DER.value(
                .sequence,
                DER.integer(1) + DER.sequence(certificate.issuerBytes, certificate.serialNumberBytes)
                    + ReceiptForge.algorithm(digestIdentifier) + attributesPart
                    + ReceiptForge.algorithm(signatureIdentifier) + DER.octetString(signature) + rest)
        }
    }

    var payload: [UInt8]
    var certificates: [[UInt8]]
    var signers: [Signer]
    var kind = SignedDataIdentifier.signedData
    var contentKind = SignedDataIdentifier.data
    /// Pieces between certificates and signers, such as revocation lists.
    var lists: [UInt8] = []

    /// A receipt over a payload, signed by one leaf.
    init(payload: [UInt8], leaf: IssuedCertificate, others: [IssuedCertificate]) {
        self.payload = payload
        certificates = ([leaf] + others).map(\.certificate.derRepresentation)
        signers = [Signer(leaf)]
    }

    static func attribute(_ identifier: [UInt8], _ values: [[UInt8]]) -> [UInt8] {
        DER.sequence(DER.value(.objectIdentifier, identifier), DER.value(.set, Array(values.joined())))
    }

    static func algorithm(_ identifier: [UInt8]) -> [UInt8] {
        DER.sequence(DER.value(.objectIdentifier, identifier), DER.null)
    }

    /// DER, as stores sign.
    func encoded() throws -> [UInt8] {
        try DER.sequence(
            DER.value(.objectIdentifier, kind),
            DER.value(
                .context0,
                DER.sequence(
                    DER.integer(1), DER.set([Self.algorithm(SignedDataIdentifier.sha256)]),
                    DER.sequence(
                        DER.value(.objectIdentifier, contentKind), DER.value(.context0, DER.octetString(payload))),
                    certificatesPart, lists, DER.value(.set, signersPart))))
    }

    /// BER as Xcode writes it: lengths left open, the payload cut into pieces.
    func encodedOpen(pieces: Int = 1) throws -> [UInt8] {
        func open(_ tag: ASN1Tag, _ parts: [UInt8]...) -> [UInt8] {
            [tag.rawValue, 0x80] + Array(parts.joined()) + [0, 0]
        }
        let size = max(1, (payload.count + pieces - 1) / pieces)
        let cut = stride(from: 0, to: payload.count, by: size).flatMap {
            DER.octetString(Array(payload[$0..<min($0 + size, payload.count)]))
        }
        return try open(
            .sequence, DER.value(.objectIdentifier, kind),
            open(
                .context0,
                open(
                    .sequence, DER.integer(1), DER.set([Self.algorithm(SignedDataIdentifier.sha256)]),
                    open(
                        .sequence, DER.value(.objectIdentifier, contentKind),
                        open(.context0, open(.constructedOctetString, cut))),
                    certificatesPart, lists, DER.value(.set, signersPart))))
    }

    private var certificatesPart: [UInt8] {
        certificates.isEmpty ? [] : DER.value(.context0, Array(certificates.joined()))
    }

    private var signersPart: [UInt8] {
        get throws { try signers.flatMap { try $0.encoded(over: payload) } }
    }
}

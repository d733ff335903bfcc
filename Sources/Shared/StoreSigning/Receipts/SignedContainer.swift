/// The PKCS#7 around an app receipt, parsed but not yet verified.
struct SignedContainer {
    /// One signer's part.
    struct Signer {
        /// Issuer and serial number, in DER.
        let identifier: ArraySlice<UInt8>
        let digest: DigestAlgorithm
        /// The signed attributes, if there are any, re-tagged as the SET that was signed.
        let signedAttributes: [UInt8]?
        let signature: [UInt8]
    }

    /// Reads what was signed: the payload.
    let payload: BERReader
    /// The embedded certificates in DER, one after another.
    let certificates: ArraySlice<UInt8>
    let certificateRanges: [Range<Int>]
    let signers: [Signer]

    /// What was signed, byte for byte.
    var content: ArraySlice<UInt8> { payload.rest }

    init(_ bytes: [UInt8]) throws {
        guard bytes.count <= SigningLimits.receiptBytes else {
            throw SigningError(.tooLarge, "the receipt exceeds \(SigningLimits.receiptBytes) bytes")
        }
        var top = BERReader(bytes)
        var contentInfo = try top.enter(.sequence, "the container of the receipt")
        try top.requireEnd(of: "the container of the receipt")
        let kind = try contentInfo.next(.objectIdentifier, "the kind of container")
        guard contentInfo.hasContent(kind, SignedDataIdentifier.signedData) else {
            throw SigningError(.malformed, "the receipt is not PKCS#7 signed data")
        }
        var wrapper = try contentInfo.enter(.context0, "the signed data")
        var signedData = try wrapper.enter(.sequence, "the signed data")
        _ = try signedData.next(.integer, "the version of the signed data")
        _ = try signedData.next(.set, "the digest algorithms")
        payload = try Self.payload(&signedData)
        (certificates, certificateRanges) = try Self.certificates(&signedData)
        if signedData.nextTag == .context1 { _ = try signedData.next() }
        signers = try Self.signers(&signedData)
        try signedData.requireEnd(of: "the signers")
    }

    private static func payload(_ signedData: inout BERReader) throws -> BERReader {
        var info = try signedData.enter(.sequence, "the content")
        let kind = try info.next(.objectIdentifier, "the kind of content")
        guard info.hasContent(kind, SignedDataIdentifier.data) else {
            throw SigningError(.malformed, "the content of the receipt is not plain data")
        }
        var wrapper = try info.enter(.context0, "the payload")
        return try wrapper.contents(ofOctets: wrapper.next(), "the payload")
    }

    private static func certificates(_ signedData: inout BERReader) throws -> (ArraySlice<UInt8>, [Range<Int>]) {
        guard signedData.nextTag == .context0 else { return ([], []) }
        let element = try signedData.next()
        var list = try signedData.contents(of: element)
        var ranges: [Range<Int>] = []
        while !list.isAtEnd {
            guard ranges.count < SigningLimits.certificatesPerReceipt else {
                throw SigningError(
                    .tooLarge, "the receipt has more than \(SigningLimits.certificatesPerReceipt) certificates")
            }
            try ranges.append(list.next(.sequence, "a certificate").whole)
        }
        return (signedData.content(of: element), ranges)
    }

    private static func signers(_ signedData: inout BERReader) throws -> [Signer] {
        var list = try signedData.enter(.set, "the signers")
        var signers: [Signer] = []
        while !list.isAtEnd {
            guard signers.count < SigningLimits.signersPerReceipt else {
                throw SigningError(.tooLarge, "the receipt has more than \(SigningLimits.signersPerReceipt) signers")
            }
            try signers.append(signer(&list))
        }
        if signers.isEmpty { throw SigningError(.invalidSignature, "the receipt has no signer") }
        return signers
    }

    private static func signer(_ list: inout BERReader) throws -> Signer {
        var info = try list.enter(.sequence, "a signer")
        _ = try info.next(.integer, "the version of a signer")
        let identifier = try info.next(.sequence, "issuer and serial number of a signer")
        let digest = try digestAlgorithm(&info)
        var attributes: [UInt8]?
        if info.nextTag == .context0 {
            var bytes = try Array(info.bytes[info.next().whole])
            bytes[0] = ASN1Tag.set.rawValue
            attributes = bytes
        }
        try requireSignatureAlgorithm(&info, for: digest)
        let signature = try Array(info.octets(info.next(), "the signature"))
        if info.nextTag == .context1 { _ = try info.next() }
        try info.requireEnd(of: "a signer")
        return Signer(
            identifier: info.content(of: identifier), digest: digest, signedAttributes: attributes,
            signature: signature)
    }

    private static func digestAlgorithm(_ info: inout BERReader) throws -> DigestAlgorithm {
        var algorithm = try info.enter(.sequence, "the digest algorithm")
        let identifier = try algorithm.next(.objectIdentifier, "the digest algorithm")
        if algorithm.hasContent(identifier, SignedDataIdentifier.sha256) { return .sha256 }
        if algorithm.hasContent(identifier, SignedDataIdentifier.sha1) { return .sha1 }
        throw SigningError(.algorithmNotAllowed, "the receipt is signed over another digest than SHA-256 or SHA-1")
    }

    private static func requireSignatureAlgorithm(_ info: inout BERReader, for digest: DigestAlgorithm) throws {
        var algorithm = try info.enter(.sequence, "the signature algorithm")
        let identifier = try algorithm.next(.objectIdentifier, "the signature algorithm")
        let combined = digest == .sha256 ? SignedDataIdentifier.sha256WithRSA : SignedDataIdentifier.sha1WithRSA
        guard
            algorithm.hasContent(identifier, SignedDataIdentifier.rsaEncryption)
                || algorithm.hasContent(identifier, combined)
        else { throw SigningError(.algorithmNotAllowed, "the receipt is not signed with RSA PKCS#1 v1.5") }
    }
}

/// The attributes that some signers sign in place of the content. They must name the content by its digest.
enum SignedAttributes {
    /// Throws unless the attributes have the digest of this content.
    static func require(_ attributes: [UInt8], nameContentWithDigest digest: [UInt8]) throws {
        var top = BERReader(attributes)
        var set = try top.enter(.set, "the signed attributes")
        var foundDigest = false
        var foundType = false
        while !set.isAtEnd {
            var attribute = try set.enter(.sequence, "a signed attribute")
            let identifier = try attribute.next(.objectIdentifier, "the type of a signed attribute")
            if attribute.hasContent(identifier, SignedDataIdentifier.messageDigestAttribute) {
                var values = try attribute.enter(.set, "the signed digest")
                let value = try values.next(.octetString, "the signed digest")
                guard !foundDigest, values.isAtEnd, values.hasContent(value, digest) else {
                    throw SigningError(.invalidSignature, "the signed digest is not the digest of the content")
                }
                foundDigest = true
            } else if attribute.hasContent(identifier, SignedDataIdentifier.contentTypeAttribute) {
                var values = try attribute.enter(.set, "the signed content type")
                let value = try values.next(.objectIdentifier, "the signed content type")
                guard !foundType, values.isAtEnd, values.hasContent(value, SignedDataIdentifier.data) else {
                    throw SigningError(.invalidSignature, "the signed content type is not plain data")
                }
                foundType = true
            }
        }
        guard foundDigest, foundType else {
            throw SigningError(.invalidSignature, "the signed attributes lack the digest or type of the content")
        }
    }
}

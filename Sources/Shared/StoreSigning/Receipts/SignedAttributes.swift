/// The attributes that some signers sign in place of the content. They must name the content by its digest.
enum SignedAttributes {
    /// Throws unless the attributes are about this very content.
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

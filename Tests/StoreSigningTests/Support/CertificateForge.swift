import COpenSSL
import StoreModel

@testable import StoreSigning

/// Makes certificates that `CertificateIssuer` would never make, to see them refused.
struct CertificateForge {
    /// An extension of any content and criticality.
    struct Marker {
        var objectIdentifier: String
        var isCritical = false
        var content: [UInt8] = MarkerExtension.content

        static let intermediate = Marker(objectIdentifier: MarkerExtension.intermediate.objectIdentifier)
        static let leaf = Marker(objectIdentifier: MarkerExtension.signingLeaf.objectIdentifier)
    }

    static let authorityExtensions = [
        ("basicConstraints", "critical,CA:TRUE"), ("keyUsage", "critical,keyCertSign,cRLSign"),
        ("subjectKeyIdentifier", "hash"), ("authorityKeyIdentifier", "keyid:always"),
    ]
    static let leafExtensions = [
        ("basicConstraints", "critical,CA:FALSE"), ("keyUsage", "critical,digitalSignature"),
        ("subjectKeyIdentifier", "hash"), ("authorityKeyIdentifier", "keyid:always"),
    ]
    /// What a self-signed certificate has.
    static let rootExtensions = Array(authorityExtensions.prefix(3))

    var commonName = "Forged"
    var validity = Fixture.sandboxValidity
    var extensions: [(name: String, value: String)] = leafExtensions
    var markers: [Marker] = [.leaf]

    /// An authority that may issue authorities, with the intermediate's marker.
    static func authority(_ commonName: String = "Forged CA") -> CertificateForge {
        CertificateForge(commonName: commonName, extensions: authorityExtensions, markers: [.intermediate])
    }

    static func root(_ commonName: String = "Forged Root") -> CertificateForge {
        CertificateForge(commonName: commonName, extensions: rootExtensions, markers: [])
    }

    /// Issues under an authority, or self-signed without one.
    func issue(under issuer: IssuedCertificate? = nil, key: PrivateKey? = nil) throws -> IssuedCertificate {
        let key = try key ?? .p256()
        let certificate = try OpenSSLFailure.unwrap(X509_new(), "forging")
        do {
            try fill(certificate, issuer: issuer?.certificate, key: key)
            let signer = issuer?.key ?? key
            if X509_sign(certificate, signer.handle.pointer, EVP_sha256()) == 0 {
                throw OpenSSLFailure.error("forging a signature")
            }
        } catch {
            X509_free(certificate)
            throw error
        }
        return try IssuedCertificate(certificate: Certificate(owning: certificate), key: key)
    }

    private func fill(_ x509: OpaquePointer, issuer: Certificate?, key: PrivateKey) throws {
        try OpenSSLFailure.check(X509_set_version(x509, 2), "forging a version")
        let serialNumber = Int(try RandomBytes()(4).reduce(0) { $0 << 8 | Int64($1) }) + 1
        try OpenSSLFailure.check(ASN1_INTEGER_set(X509_get_serialNumber(x509), serialNumber), "forging a number")
        let name = Array(commonName.utf8)
        try OpenSSLFailure.check(
            X509_NAME_add_entry_by_txt(
                X509_get_subject_name(x509), "CN", MBSTRING_UTF8, name, Int32(name.count), -1, 0), "forging a name")
        let issuerName = X509_get_subject_name(issuer?.pointer ?? x509)
        try OpenSSLFailure.check(X509_set_issuer_name(x509, issuerName), "forging an issuer")
        ASN1_TIME_set(X509_getm_notBefore(x509), Int(validity.lowerBound.millisecondsSinceEpoch / 1000))
        ASN1_TIME_set(X509_getm_notAfter(x509), Int(validity.upperBound.millisecondsSinceEpoch / 1000))
        try OpenSSLFailure.check(X509_set_pubkey(x509, key.handle.pointer), "forging a key")
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer?.pointer ?? x509, x509, nil, nil, 0)
        for (name, value) in extensions {
            let made = try OpenSSLFailure.unwrap(X509V3_EXT_conf(nil, &context, name, value), "forging \(name)")
            defer { X509_EXTENSION_free(made) }
            try OpenSSLFailure.check(X509_add_ext(x509, made, -1), "forging \(name)")
        }
        for marker in markers { try add(marker, to: x509) }
    }

    private func add(_ marker: Marker, to x509: OpaquePointer) throws {
        let object = try OpenSSLFailure.unwrap(OBJ_txt2obj(marker.objectIdentifier, 1), "forging a marker")
        defer { ASN1_OBJECT_free(object) }
        let content = try OpenSSLFailure.unwrap(ASN1_OCTET_STRING_new(), "forging a marker")
        defer { ASN1_OCTET_STRING_free(content) }
        try OpenSSLFailure.check(
            ASN1_OCTET_STRING_set(content, marker.content, Int32(marker.content.count)), "forging a marker")
        let made = try OpenSSLFailure.unwrap(
            X509_EXTENSION_create_by_OBJ(nil, object, marker.isCritical ? 1 : 0, content), "forging a marker")
        defer { X509_EXTENSION_free(made) }
        try OpenSSLFailure.check(X509_add_ext(x509, made, -1), "forging a marker")
    }
}

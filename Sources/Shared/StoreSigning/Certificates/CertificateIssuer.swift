import COpenSSL
package import StoreModel

/// Signs certificates with the key of another one, or with their own.
package struct CertificateIssuer: Sendable {
    /// The issuing certificate; nil while a root signs itself.
    private let certificate: Certificate?
    private let key: PrivateKey

    /// An authority with a certificate.
    package init(certificate: Certificate, key: PrivateKey) {
        self.certificate = certificate
        self.key = key
    }

    /// Makes a self-signed certificate.
    package static func selfSigned(_ request: CertificateRequest, key: PrivateKey) throws -> Certificate {
        try CertificateIssuer(certificate: nil, key: key).issue(request, for: key)
    }

    private init(certificate: Certificate?, key: PrivateKey) {
        self.certificate = certificate
        self.key = key
    }

    /// Certifies the public half of a key.
    package func issue(_ request: CertificateRequest, for subject: PrivateKey) throws -> Certificate {
        let x509 = try OpenSSLFailure.unwrap(X509_new(), "making a certificate")
        do {
            try fill(x509, from: request, key: subject)
            if X509_sign(x509, key.handle.pointer, EVP_sha256()) == 0 {
                throw OpenSSLFailure.error("signing a certificate")
            }
        } catch {
            X509_free(x509)
            throw error
        }
        return try Certificate(owning: x509)
    }

    private func fill(_ x509: OpaquePointer, from request: CertificateRequest, key subject: PrivateKey) throws {
        try OpenSSLFailure.check(X509_set_version(x509, 2), "choosing version 3")
        try setSerialNumber(of: x509)
        try setName(of: x509, from: request)
        for (setter, instant) in [(X509_getm_notBefore, request.notBefore), (X509_getm_notAfter, request.notAfter)] {
            let seconds = instant.millisecondsSinceEpoch / 1000
            _ = try OpenSSLFailure.unwrap(ASN1_TIME_set(setter(x509), Int(seconds)), "setting a date")
        }
        try OpenSSLFailure.check(X509_set_pubkey(x509, subject.handle.pointer), "setting the key")
        try addExtensions(to: x509, from: request)
    }

    /// 127 random bits: unpredictable, positive, and independent of a counter that a restored backup would set back.
    private func setSerialNumber(of x509: OpaquePointer) throws {
        var bytes = try RandomBytes()(16)
        bytes[0] = bytes[0] & 0x7F | 0x40
        let number = try OpenSSLFailure.unwrap(BN_bin2bn(bytes, Int32(bytes.count), nil), "making a serial number")
        defer { BN_free(number) }
        _ = try OpenSSLFailure.unwrap(
            BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x509)), "setting the serial number")
    }

    private func setName(of x509: OpaquePointer, from request: CertificateRequest) throws {
        let name = X509_get_subject_name(x509)
        for (field, value) in [("CN", request.commonName), ("O", request.organization)] where !value.isEmpty {
            guard value.unicodeScalars.count <= CertificateRequest.longestName else {
                throw SigningError(
                    .tooLarge, "\(field) of a certificate exceeds \(CertificateRequest.longestName) characters")
            }
            let bytes = Array(value.utf8)
            try OpenSSLFailure.check(
                X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8, bytes, Int32(bytes.count), -1, 0),
                "setting \(field) of a certificate")
        }
        let issuer = certificate.map { X509_get_subject_name($0.pointer) } ?? name
        try OpenSSLFailure.check(X509_set_issuer_name(x509, issuer), "setting the issuer")
    }

    private func addExtensions(to x509: OpaquePointer, from request: CertificateRequest) throws {
        // In the notation of OpenSSL a comma would begin another value.
        if let address = request.onlineChecks, !address.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x2C }) {
            throw SigningError(.malformed, "\(address) cannot stand in a certificate")
        }
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, certificate?.pointer ?? x509, x509, nil, nil, 0)
        for (name, value) in request.extensions {
            let made = try OpenSSLFailure.unwrap(
                X509V3_EXT_conf(nil, &context, name, value), "making the extension \(name)")
            defer { X509_EXTENSION_free(made) }
            try OpenSSLFailure.check(X509_add_ext(x509, made, -1), "adding the extension \(name)")
        }
        for marker in request.markers { try add(marker, to: x509) }
    }

    private func add(_ marker: MarkerExtension, to x509: OpaquePointer) throws {
        let object = try OpenSSLFailure.unwrap(OBJ_txt2obj(marker.objectIdentifier, 1), "reading an object identifier")
        defer { ASN1_OBJECT_free(object) }
        let content = try OpenSSLFailure.unwrap(ASN1_OCTET_STRING_new(), "making an extension")
        defer { ASN1_OCTET_STRING_free(content) }
        try OpenSSLFailure.check(
            ASN1_OCTET_STRING_set(content, MarkerExtension.content, Int32(MarkerExtension.content.count)),
            "filling an extension")
        let made = try OpenSSLFailure.unwrap(
            X509_EXTENSION_create_by_OBJ(nil, object, 0, content), "making a marker extension")
        defer { X509_EXTENSION_free(made) }
        try OpenSSLFailure.check(X509_add_ext(x509, made, -1), "adding a marker extension")
    }
}

/// A certificate to be issued: everything but its key and its issuer.
package struct CertificateRequest: Sendable {
    package var role: CertificateRole
    package var commonName: String
    package var organization: String
    package var notBefore: Instant
    package var notAfter: Instant
    package var markers: [MarkerExtension]
    /// Where verifiers ask whether the certificate still counts; nil where nobody answers.
    package var onlineChecks: String?

    /// The most characters that X.520 allows for a common name or an organization.
    static let longestName = 64

    package init(
        role: CertificateRole, commonName: String, organization: String, validity: Range<Instant>,
        markers: [MarkerExtension] = [], onlineChecks: String? = nil
    ) {
        self.role = role
        self.commonName = commonName
        self.organization = organization
        notBefore = validity.lowerBound
        notAfter = validity.upperBound
        self.markers = markers
        self.onlineChecks = onlineChecks
    }

    /// The extensions of RFC 5280 that the strictest verifiers insist on, in the notation of OpenSSL's configuration.
    var extensions: [(name: String, value: String)] {
        roleExtensions + (onlineChecks.map { [("authorityInfoAccess", "OCSP;URI:\($0)")] } ?? [])
    }

    private var roleExtensions: [(name: String, value: String)] {
        switch role {
        case .root:
            [
                ("basicConstraints", "critical,CA:TRUE"), ("keyUsage", "critical,keyCertSign,cRLSign"),
                ("subjectKeyIdentifier", "hash"),
            ]
        case .intermediate:
            [
                ("basicConstraints", "critical,CA:TRUE,pathlen:0"), ("keyUsage", "critical,keyCertSign,cRLSign"),
                ("subjectKeyIdentifier", "hash"), ("authorityKeyIdentifier", "keyid:always"),
            ]
        case .leaf:
            [
                ("basicConstraints", "critical,CA:FALSE"), ("keyUsage", "critical,digitalSignature"),
                ("subjectKeyIdentifier", "hash"), ("authorityKeyIdentifier", "keyid:always"),
            ]
        case .responder:
            // Nobody asks about the certificate of an answer, which would need another answer.
            [
                ("basicConstraints", "critical,CA:FALSE"), ("keyUsage", "critical,digitalSignature"),
                ("extendedKeyUsage", "OCSPSigning"), ("noCheck", "ignored"),
                ("subjectKeyIdentifier", "hash"), ("authorityKeyIdentifier", "keyid:always"),
            ]
        }
    }
}

/// What a certificate is for.
package enum CertificateRole: String, CaseIterable, Codable, Hashable, Sendable {
    // Closed: all verifiers require exactly these three.
    case root, intermediate, leaf
    /// Answers whether what its issuer has issued still counts (OCSP).
    case responder

    /// The places in a chain, from the top.
    package static let chain: [CertificateRole] = [.root, .intermediate, .leaf]
}

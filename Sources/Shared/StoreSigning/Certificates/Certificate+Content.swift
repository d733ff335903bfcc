import COpenSSL

extension Certificate {
    /// The subject in one line, as `CN=…, O=…`.
    package var subject: String { text(of: X509_get_subject_name(pointer)) }

    /// The issuer in one line.
    package var issuer: String { text(of: X509_get_issuer_name(pointer)) }

    /// The serial number in hexadecimal.
    package var serialNumber: String {
        guard let number = ASN1_INTEGER_to_BN(X509_get0_serialNumber(pointer), nil) else { return "" }
        defer { BN_free(number) }
        guard let digits = BN_bn2hex(number) else { return "" }
        defer { CRYPTO_free(digits, #fileID, #line) }
        return String(cString: digits).lowercased()
    }

    /// The issuer's name in DER.
    var issuerBytes: [UInt8] {
        get throws { try DERExport.bytes("writing a name") { i2d_X509_NAME(X509_get_issuer_name(pointer), $0) } }
    }

    /// The serial number as a DER INTEGER.
    var serialNumberBytes: [UInt8] {
        get throws {
            try DERExport.bytes("writing a serial number") { i2d_ASN1_INTEGER(X509_get0_serialNumber(pointer), $0) }
        }
    }

    /// SHA-256 over the DER, by which a certificate is named in lists of roots and revocations.
    package var fingerprint: [UInt8] {
        get throws { try DigestAlgorithm.sha256.digest(derRepresentation) }
    }

    package var isAuthority: Bool { X509_check_ca(pointer) == 1 }

    /// Whether the certificate carries a marker extension that is not critical.
    package func carries(_ marker: MarkerExtension) -> Bool {
        guard let object = OBJ_txt2obj(marker.objectIdentifier, 1) else { return false }
        defer { ASN1_OBJECT_free(object) }
        let index = X509_get_ext_by_OBJ(pointer, object, -1)
        guard index >= 0, let found = X509_get_ext(pointer, index) else { return false }
        return X509_EXTENSION_get_critical(found) == 0
    }

    package var pemRepresentation: String {
        get throws {
            let bio = try MemoryBIO()
            try OpenSSLFailure.check(PEM_write_bio_X509(bio.pointer, pointer), "writing a certificate")
            return bio.text
        }
    }

    /// Reads the first certificate of a PEM text.
    package convenience init(pemRepresentation: String) throws {
        guard pemRepresentation.utf8.count <= SigningLimits.keyFileBytes else {
            throw SigningError(.tooLarge, "the certificate file exceeds \(SigningLimits.keyFileBytes) bytes")
        }
        let bio = try MemoryBIO(Array(pemRepresentation.utf8))
        guard let pointer = PEM_read_bio_X509(bio.pointer, nil, nil, nil) else {
            throw OpenSSLFailure.error("reading a certificate", code: .malformed)
        }
        try self.init(owning: pointer)
    }

    private func text(of name: OpaquePointer?) -> String {
        guard let name, let bio = try? MemoryBIO() else { return "" }
        till_print_name(bio.pointer, name)
        return bio.text
    }
}

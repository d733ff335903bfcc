import COpenSSL
package import StoreModel

/// An X.509 certificate.
// Safe: an X509 is not changed after it was made; OpenSSL guards what it computes lazily inside with its own locks.
package final class Certificate: @unchecked Sendable {
    let pointer: OpaquePointer
    /// The certificate in DER, byte for byte as it was signed.
    package let derRepresentation: [UInt8]
    package let publicKey: PublicKey
    package let notBefore: Instant
    package let notAfter: Instant

    /// Takes over the caller's reference.
    init(owning pointer: OpaquePointer) throws {
        self.pointer = pointer
        do {
            derRepresentation = try DERExport.bytes("writing a certificate") { i2d_X509(pointer, $0) }
            let key = try OpenSSLFailure.unwrap(X509_get_pubkey(pointer), "reading the key of a certificate")
            publicKey = PublicKey(KeyHandle(owning: key))
            notBefore = try Self.instant(X509_get0_notBefore(pointer))
            notAfter = try Self.instant(X509_get0_notAfter(pointer))
        } catch {
            X509_free(pointer)
            throw SigningError(.malformed, "\(error)")
        }
    }

    /// Reads DER; anything after the certificate is refused.
    package convenience init(derRepresentation der: [UInt8]) throws {
        guard der.count <= SigningLimits.certificateBytes else {
            throw SigningError(.tooLarge, "a certificate exceeds \(SigningLimits.certificateBytes) bytes")
        }
        var end = 0
        let pointer: OpaquePointer? = der.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return nil }
            var cursor: UnsafePointer<UInt8>? = start
            let certificate = d2i_X509(nil, &cursor, buffer.count)
            end = cursor.map { $0 - start } ?? 0
            return certificate
        }
        guard let pointer else { throw OpenSSLFailure.error("reading a certificate", code: .malformed) }
        guard end == der.count else {
            X509_free(pointer)
            throw SigningError(.malformed, "reading a certificate: \(der.count - end) bytes follow it")
        }
        try self.init(owning: pointer)
    }

    deinit {
        X509_free(pointer)
    }

    private static func instant(_ time: UnsafePointer<ASN1_TIME>?) throws -> Instant {
        let epoch = try OpenSSLFailure.unwrap(ASN1_TIME_set(nil, 0), "reading a date")
        defer { ASN1_STRING_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        try OpenSSLFailure.check(ASN1_TIME_diff(&days, &seconds, epoch, time), "reading the validity of a certificate")
        return Instant(millisecondsSinceEpoch: (Int64(days) * 86400 + Int64(seconds)) * 1000)
    }

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

    /// Where verifiers ask whether it still counts; nil if it names no such place.
    package var onlineChecks: String? {
        guard let address = till_ocsp_address(pointer) else { return nil }
        defer { CRYPTO_free(address, #fileID, #line) }
        return String(cString: address)
    }

    /// Whether it names another one as its issuer, by name and key. That does not verify its signature.
    func names(_ issuer: Certificate) -> Bool { X509_check_issued(issuer.pointer, pointer) == X509_V_OK }

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

/// An extension that marks a certificate as made for signing purchases, unlike others under the same root.
package struct MarkerExtension: Hashable, Sendable {
    package let objectIdentifier: String

    package init(objectIdentifier: String) {
        self.objectIdentifier = objectIdentifier
    }

    /// Demanded of the intermediate certificate.
    package static let intermediate = MarkerExtension(objectIdentifier: "1.2.840.113635.100.6.2.1")
    /// Demanded of the leaf that signs purchases and receipts.
    package static let signingLeaf = MarkerExtension(objectIdentifier: "1.2.840.113635.100.6.11.1")

    /// What the extension holds: a DER NULL.
    static let content: [UInt8] = [0x05, 0x00]
}

/// A certificate and its private key.
package struct IssuedCertificate: Sendable {
    package let certificate: Certificate
    package let key: PrivateKey

    package init(certificate: Certificate, key: PrivateKey) {
        self.certificate = certificate
        self.key = key
    }
}

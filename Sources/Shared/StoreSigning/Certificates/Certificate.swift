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
}

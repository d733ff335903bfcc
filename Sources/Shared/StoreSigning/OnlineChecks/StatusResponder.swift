import COpenSSL
package import StoreModel

/// Answers whether certificates of a store still count, in the Online Certificate Status Protocol (OCSP, RFC 6960).
///
/// Every answer is signed by a certificate that the issuer of those asked about has made for that. A certificate that was
/// revoked counts as revoked from its first moment, because whoever has its key can claim any date.
package struct StatusResponder: Sendable {
    private let offices: [StatusOffice]

    /// How long an answer may be relied on. A revocation reaches whoever keeps answers within this time.
    package static let validity = Duration.seconds(15 * 60)

    init(_ authorities: [StatusAuthority], revocations: Revocations) throws {
        offices = try authorities.map { try StatusOffice($0, revocations: revocations) }
    }

    /// The answer to a request, both in DER. What is wrong with a request is an answer too.
    package func answer(_ request: [UInt8], at wall: Instant) -> [UInt8] {
        do {
            let request = try StatusRequest(request)
            guard let office = offices.first(where: { office in request.names.allSatisfy(office.isFor) }) else {
                throw StatusRefusal.unauthorized
            }
            return try office.answer(request, at: wall)
        } catch {
            return (error as? StatusRefusal ?? .internalError).response
        }
    }
}

/// Why nothing is said of any certificate, by the number that RFC 6960 gives it.
package enum StatusRefusal: UInt8, Error {
    // Closed: the standard has no others that apply.
    /// The request has another form, or exceeds a limit.
    case malformedRequest = 1
    /// The answer could not be made.
    case internalError = 2
    /// The certificates are not ours, or are not of one issuer.
    case unauthorized = 6

    /// The answer in DER: a sequence of one enumerated value.
    package var response: [UInt8] { [0x30, 0x03, 0x0A, 0x01, rawValue] }
}

/// An issuer, and what answers for the certificates that it has issued.
struct StatusAuthority: Sendable {
    let issuer: Certificate
    let responder: IssuedCertificate
    let issued: [Certificate]
}

/// An authority, prepared to answer.
// Safe: the names are made in init and only read afterwards.
private final class StatusOffice: @unchecked Sendable {
    private let responder: IssuedCertificate
    /// The certificates by their serial numbers in DER, and which of them are void.
    private let issued: [[UInt8]: (begins: Instant, isRevoked: Bool)]
    /// How requests name the issuer: by a digest of each kind.
    private let names: [OpaquePointer]

    init(_ authority: StatusAuthority, revocations: Revocations) throws {
        responder = authority.responder
        // What a revoked certificate has issued is as void as what it has signed.
        let isVoid = try revocations.contains(authority.issuer)
        issued = try Dictionary(
            authority.issued.map { certificate in
                let isRevoked = try isVoid || revocations.contains(certificate)
                return (try certificate.serialNumberBytes, (certificate.notBefore, isRevoked))
            }, uniquingKeysWith: { first, _ in first })
        names = [DigestAlgorithm.sha1, .sha256].compactMap {
            OCSP_cert_to_id($0.implementation, nil, authority.issuer.pointer)
        }
    }

    deinit {
        for name in names { OCSP_CERTID_free(name) }
    }

    /// Whether a certificate is named as one that this authority has issued.
    func isFor(_ name: OpaquePointer) -> Bool { names.contains { OCSP_id_issuer_cmp($0, name) == 0 } }

    func answer(_ request: StatusRequest, at wall: Instant) throws -> [UInt8] {
        let answer = try OpenSSLFailure.unwrap(OCSP_BASICRESP_new(), "making an answer")
        defer { OCSP_BASICRESP_free(answer) }
        for name in request.names { try add(name, to: answer, at: wall) }
        guard OCSP_copy_nonce(answer, request.pointer) > 0 else { throw OpenSSLFailure.error("repeating a nonce") }
        try OpenSSLFailure.check(
            till_ocsp_set_time(answer, Int(wall.millisecondsSinceEpoch / 1000)), "dating an answer")
        try OpenSSLFailure.check(
            OCSP_basic_sign(
                answer, responder.certificate.pointer, responder.key.handle.pointer,
                DigestAlgorithm.sha256.implementation, nil, UInt(OCSP_RESPID_KEY | OCSP_NOTIME)),
            "signing an answer")
        let response = try OpenSSLFailure.unwrap(
            OCSP_response_create(OCSP_RESPONSE_STATUS_SUCCESSFUL, answer), "making an answer")
        defer { OCSP_RESPONSE_free(response) }
        return try DERExport.bytes("writing an answer") { i2d_OCSP_RESPONSE(response, $0) }
    }

    private func add(_ name: OpaquePointer, to answer: OpaquePointer, at wall: Instant) throws {
        var number: UnsafeMutablePointer<ASN1_INTEGER>?
        OCSP_id_get0_info(nil, nil, nil, &number, name)
        let certificate = try issued[
            DERExport.bytes("reading a serial number") { i2d_ASN1_INTEGER(number, $0) }]
        let status =
            switch certificate?.isRevoked {
            case nil: V_OCSP_CERTSTATUS_UNKNOWN
            case false: V_OCSP_CERTSTATUS_GOOD
            case true: V_OCSP_CERTSTATUS_REVOKED
            }
        let (begins, now, next) = try (
            StatusTime(certificate?.begins ?? wall), StatusTime(wall), StatusTime(wall + StatusResponder.validity)
        )
        guard
            OCSP_basic_add1_status(
                answer, name, status, OCSP_REVOKED_STATUS_NOSTATUS,
                status == V_OCSP_CERTSTATUS_REVOKED ? begins.pointer : nil, now.pointer, next.pointer) != nil
        else { throw OpenSSLFailure.error("adding a status") }
    }
}

/// A request as OpenSSL has read it.
private final class StatusRequest {
    let pointer: OpaquePointer
    /// The certificates that it asks about. They are part of the request.
    private(set) var names: [OpaquePointer] = []

    init(_ der: [UInt8]) throws(StatusRefusal) {
        guard der.count <= SigningLimits.statusRequestBytes else { throw .malformedRequest }
        var end = 0
        let read: OpaquePointer? = der.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return nil }
            var cursor: UnsafePointer<UInt8>? = start
            let request = d2i_OCSP_REQUEST(nil, &cursor, buffer.count)
            end = cursor.map { $0 - start } ?? 0
            return request
        }
        ERR_clear_error()
        guard let read else { throw .malformedRequest }
        // All other properties are set: an error runs deinit.
        pointer = read
        let count = OCSP_request_onereq_count(read)
        guard end == der.count, (1...Int32(SigningLimits.certificatesPerStatusRequest)).contains(count),
            hasShortNonce
        else { throw .malformedRequest }
        for index in 0..<count {
            // What cannot be written again cannot be repeated in an answer.
            guard let name = OCSP_onereq_get0_id(OCSP_request_onereq_get0(read, index)),
                let copy = OCSP_CERTID_dup(name)
            else {
                ERR_clear_error()
                throw .malformedRequest
            }
            OCSP_CERTID_free(copy)
            names.append(name)
        }
    }

    deinit {
        OCSP_REQUEST_free(pointer)
    }

    private var hasShortNonce: Bool {
        let index = OCSP_REQUEST_get_ext_by_NID(pointer, NID_id_pkix_OCSP_Nonce, -1)
        guard index >= 0 else { return true }
        let content = X509_EXTENSION_get_data(OCSP_REQUEST_get_ext(pointer, index))
        return (1...Int32(SigningLimits.statusNonceBytes)).contains(ASN1_STRING_length(content))
    }
}

/// A time in the form that answers have.
private final class StatusTime {
    let pointer: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>

    init(_ instant: Instant) throws {
        pointer = try OpenSSLFailure.unwrap(
            ASN1_GENERALIZEDTIME_set(nil, Int(instant.millisecondsSinceEpoch / 1000)), "writing a time")
    }

    deinit {
        ASN1_GENERALIZEDTIME_free(pointer)
    }
}

extension KeyringFolder {
    /// The issuers of signed JSON that something can answer for: a root by the certificate that it issued for that while its
    /// key was here, an intermediate by one that it issues now.
    func statusAuthorities(_ keyring: Keyring, passphrase: [UInt8]?) throws -> [StatusAuthority] {
        func all(_ role: CertificateRole) throws -> [(entry: Keyring.Entry, certificate: Certificate)] {
            try keyring.entries.filter { $0.purpose == .jws && $0.role == role }.map { ($0, try readCertificate($0)) }
        }
        let (intermediates, leaves, responders) = try (all(.intermediate), all(.leaf), all(.responder))
        func issued(_ certificates: [(entry: Keyring.Entry, certificate: Certificate)], by issuer: Certificate)
            -> [Certificate]
        {
            certificates.map(\.certificate).filter { $0.names(issuer) }
        }
        let roots = try all(.root).compactMap { root -> StatusAuthority? in
            guard let own = responders.last(where: { $0.certificate.names(root.certificate) }) else { return nil }
            return StatusAuthority(
                issuer: root.certificate, responder: try readIssued(own.entry, passphrase: passphrase),
                issued: issued(intermediates, by: root.certificate))
        }
        let authority = ChainAuthority(
            environment: keyring.environment, purpose: .jws, organization: keyring.organization)
        let others = try intermediates.filter { hasKeyFile($0.entry) }.map { entry, certificate in
            StatusAuthority(
                issuer: certificate,
                responder: try authority.issueResponder(under: readIssued(entry, passphrase: passphrase)),
                issued: issued(leaves, by: certificate))
        }
        return roots + others
    }
}

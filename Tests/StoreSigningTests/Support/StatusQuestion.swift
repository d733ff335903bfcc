import COpenSSL
import StoreModel

@testable import StoreSigning

/// A question about certificates, and its answer, as OpenSSL writes and reads them.
struct StatusQuestion {
    var subjects: [(certificate: Certificate, issuer: Certificate)]
    var digest = DigestAlgorithm.sha256
    var nonce: [UInt8]?

    var bytes: [UInt8] {
        get throws {
            let request = try OpenSSLFailure.unwrap(OCSP_REQUEST_new(), "asking")
            defer { OCSP_REQUEST_free(request) }
            for subject in subjects { _ = OCSP_request_add0_id(request, try name(subject)) }
            if var nonce { OCSP_request_add1_nonce(request, &nonce, Int32(nonce.count)) }
            return try DERExport.bytes("asking") { i2d_OCSP_REQUEST(request, $0) }
        }
    }

    private func name(_ subject: (certificate: Certificate, issuer: Certificate)) throws -> OpaquePointer {
        try OpenSSLFailure.unwrap(
            OCSP_cert_to_id(digest.implementation, subject.certificate.pointer, subject.issuer.pointer), "asking")
    }

    /// What an answer says.
    struct Answer: Equatable {
        /// 0 for an answer that says something of certificates.
        var response: Int32
        /// Of each certificate asked about: 0 for good, 1 for revoked, 2 for unknown; nil if it is left out.
        var statuses: [Int32?] = []
        /// Whether OpenSSL believes it.
        var isBelieved = false
        var repeatsNonce = false
    }

    /// Reads an answer; nil if it is none.
    func read(_ der: [UInt8], trusting root: Certificate, intermediate: Certificate) throws -> Answer? {
        var cursor: UnsafePointer<UInt8>?
        let response: OpaquePointer? = der.withUnsafeBufferPointer { buffer in
            cursor = buffer.baseAddress
            return d2i_OCSP_RESPONSE(nil, &cursor, buffer.count)
        }
        guard let response else { return nil }
        defer { OCSP_RESPONSE_free(response) }
        guard let basic = OCSP_response_get1_basic(response) else {
            ERR_clear_error()
            return Answer(response: OCSP_response_status(response))
        }
        defer { OCSP_BASICRESP_free(basic) }
        let store = try OpenSSLFailure.unwrap(X509_STORE_new(), "believing")
        defer { X509_STORE_free(store) }
        X509_STORE_add_cert(store, root.pointer)
        let others = try OpenSSLFailure.unwrap(till_certificates_new(), "believing")
        defer { till_certificates_free(others) }
        _ = till_certificates_push(others, intermediate.pointer)
        var answer = Answer(response: OCSP_response_status(response))
        answer.statuses = try subjects.map { try status(of: $0, in: basic) }
        answer.isBelieved = OCSP_basic_verify(basic, others, store, 0) == 1
        ERR_clear_error()
        let request = try OpenSSLFailure.unwrap(try parsed(), "asking")
        defer { OCSP_REQUEST_free(request) }
        answer.repeatsNonce = OCSP_check_nonce(request, basic) == 1
        return answer
    }

    private func parsed() throws -> OpaquePointer? {
        try bytes.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_OCSP_REQUEST(nil, &cursor, buffer.count)
        }
    }

    private func status(of subject: (certificate: Certificate, issuer: Certificate), in basic: OpaquePointer) throws
        -> Int32?
    {
        let name = try name(subject)
        defer { OCSP_CERTID_free(name) }
        var status: Int32 = -1
        let isFound = OCSP_resp_find_status(basic, name, &status, nil, nil, nil, nil) == 1
        return isFound ? status : nil
    }
}

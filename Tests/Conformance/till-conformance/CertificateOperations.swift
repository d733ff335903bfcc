import Foundation
import StoreModel
import StoreSigning

/// Reads certificates.
enum CertificateOperations {
    static var table: [String: Operation] {
        ["certificate.read": Operation(read)]
    }

    private struct Read: Decodable {
        let der: Data
    }

    private struct Answer: Encodable {
        let subject: String
        let issuer: String
        let serialNumber: String
        let notBefore: Instant
        let notAfter: Instant
        let fingerprint: Data
        let isAuthority: Bool
        let carriesLeafMarker: Bool
        let carriesIntermediateMarker: Bool
        let keyAlgorithm: String?
        let pem: String
    }

    private static func read(_ request: Read, in session: Session) throws -> Answer {
        let certificate = try Certificate(derRepresentation: Array(request.der))
        return try Answer(
            subject: certificate.subject, issuer: certificate.issuer, serialNumber: certificate.serialNumber,
            notBefore: certificate.notBefore, notAfter: certificate.notAfter,
            fingerprint: Data(certificate.fingerprint), isAuthority: certificate.isAuthority,
            carriesLeafMarker: certificate.carries(.signingLeaf),
            carriesIntermediateMarker: certificate.carries(.intermediate),
            keyAlgorithm: certificate.publicKey.algorithm?.rawValue, pem: certificate.pemRepresentation)
    }
}

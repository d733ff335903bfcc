import Foundation
import StoreHTTP
import StoreHTTPClient
import StoreSigning

/// Signs a request.
struct SignOperation: Decodable {
    let method: String
    let url: String
    let fields: [[String]]
    /// Unsigned if there is none.
    let body: Data?
    let accessKey: String
    let secretKey: String
    let sessionToken: String?
    let region: String
    let date: Int

    struct Answer: Encodable {
        let url: String
        let fields: [[String]]
    }

    func run() throws -> Answer {
        let credentials = SigningCredentials(
            accessKey: accessKey, secretKey: secretKey, sessionToken: sessionToken, region: region)
        let signer = RequestSigner(credentials) { bytes in (try? DigestAlgorithm.sha256.digest(bytes)) ?? [] }
        var request = ClientRequest(HTTPMethod(rawValue: method), url)
        for field in fields where field.count == 2 { request.fields.add(field[0], field[1]) }
        let date = HTTPDate(secondsSince1970: date)
        let payload = try body.map { RequestSigner.Payload.digest(try DigestAlgorithm.sha256.digest($0)) } ?? .unsigned
        let signed = try signer.sign(request, payload: payload, at: date)
        return Answer(url: signed.url, fields: signed.fields.all.map { [$0.name, $0.value] })
    }
}

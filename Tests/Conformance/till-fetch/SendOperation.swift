import Foundation
import StoreHTTP
import StoreHTTPClient

/// Sends a request and shows the response.
struct SendOperation: Decodable {
    let method: String
    let url: String
    let fields: [[String]]?
    let body: Data?
    let follows: Bool?
    let socket: String?
    let settings: ClientSettings?

    struct Answer: Encodable {
        let status: Int
        let fields: [[String]]
        let body: Data
    }

    func run() async throws -> Answer {
        let client = HTTPClient((settings ?? ClientSettings()).configuration)
        var request = ClientRequest(HTTPMethod(rawValue: method), url, socketPath: socket)
        for field in fields ?? [] where field.count == 2 { request.fields.add(field[0], field[1]) }
        if let body { request.body = .bytes(Array(body)) }
        request.followsRedirections = follows ?? false
        let response = try await client.send(request)
        await client.shutDown()
        return Answer(
            status: response.status.rawValue, fields: response.fields.all.map { [$0.name, $0.value] },
            body: Data(response.body))
    }
}

import StoreHTTP
import StoreHTTPListener
import TestSupport

/// Carries the requests of the shared cases over a socket, each over a connection of its own.
struct SocketTransport: HTTPTransport {
    struct NoResponse: Error {}

    let endpoint: ListenerEndpoint

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let (head, pieces) = try await message(request)
        let response = try await onThread {
            let client = try RawClient(endpoint)
            // A server may answer before it has everything; then it takes no more.
            if client.send(head) { _ = pieces.allSatisfy { client.send($0) } }
            return ResponseReader(client).next(toHead: request.method == "HEAD")
        }
        guard let response else { throw NoResponse() }
        return TransportResponse(
            HTTPStatus(rawValue: response.status), fields: response.fields, body: TransportBody(.bytes(response.body)))
    }

    private func message(_ request: TransportRequest) async throws -> (String, [[UInt8]]) {
        var lines = ["\(request.method) \(request.target) HTTP/1.1", "Host: till.test"]
        lines += request.fields.all.map { "\($0.name): \($0.value)" }
        var pieces: [[UInt8]] = []
        switch request.body {
        case .empty: break
        case .collected(let bytes):
            lines.append("Content-Length: \(bytes.count)")
            pieces = [bytes]
        case .streaming(let stream):
            lines.append("Transfer-Encoding: chunked")
            for try await piece in stream {
                pieces.append(Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10])
            }
            pieces.append(Array("0\r\n\r\n".utf8))
        }
        return (lines.joined(separator: "\r\n") + "\r\n\r\n", pieces)
    }
}

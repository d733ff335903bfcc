package import StoreHTTP

/// One service as seen through a client: requests name a target there, as they do in memory.
package struct ClientTransport: HTTPTransport {
    private let client: HTTPClient
    private let origin: String
    private let socketPath: String?

    /// `origin` is scheme, host and port, like `https://store.example:8443`. With a socket of the file system it only gives
    /// the requests their `Host`.
    package init(_ client: HTTPClient, origin: String, socketPath: String? = nil) {
        self.client = client
        self.origin = origin
        self.socketPath = socketPath
    }

    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        var sent = ClientRequest(
            HTTPMethod(rawValue: request.method), origin + request.target, fields: request.fields,
            socketPath: socketPath)
        sent.fields["Content-Length"] = nil
        switch request.body {
        case .empty: break
        case .collected(let bytes): sent.body = .bytes(bytes)
        case .streaming(let stream):
            sent.body = .stream(length: request.fields["Content-Length"].flatMap { Int($0) }, stream)
        }
        return try await client.stream(sent)
    }
}

/// Carries requests to a service: in memory, or over a socket.
package protocol HTTPTransport: Sendable {
    /// Returns when the head of the response is there; its body may still be arriving.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}

extension InMemoryTransport: HTTPTransport {}

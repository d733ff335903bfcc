/// A request as a client sends it.
package struct TransportRequest: Sendable {
    package var method: String
    package var target: String
    package var fields: HTTPFields
    package var body: RequestBody
    package var peer: PeerAddress
    package var isSecure: Bool

    package init(
        _ method: String, _ target: String, fields: HTTPFields = HTTPFields(), body: RequestBody = .empty,
        peer: PeerAddress = .local, isSecure: Bool = false
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.peer = peer
        self.isSecure = isSecure
    }

    package static func get(_ target: String, fields: HTTPFields = HTTPFields()) -> TransportRequest {
        TransportRequest("GET", target, fields: fields)
    }

    package static func post(_ target: String, _ text: String, as mediaType: String) -> TransportRequest {
        TransportRequest("POST", target, fields: ["Content-Type": mediaType], body: .collected(Array(text.utf8)))
    }

    /// The length that the header declares; nil for a body that is sent as it is made.
    var declaredLength: Int? {
        switch body {
        case .empty: 0
        case .collected(let bytes): bytes.count
        case .streaming: fields["Content-Length"].flatMap { Int($0) }
        }
    }
}

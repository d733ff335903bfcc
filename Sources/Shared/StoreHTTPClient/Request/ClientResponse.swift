package import StoreHTTP

/// A response with its whole body.
package struct ClientResponse: Sendable {
    package let status: HTTPStatus
    /// Without `Content-Encoding` and `Content-Length` if the body was decompressed.
    package let fields: HTTPFields
    package let body: [UInt8]

    package init(_ status: HTTPStatus, fields: HTTPFields, body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// The body of a request: already here, or still arriving.
package enum RequestBody: Sendable {
    case empty
    case collected([UInt8])
    case streaming(BodyStream)

    /// The bytes of a body that its route takes in one piece; empty while it is still arriving.
    package var bytes: [UInt8] {
        if case .collected(let bytes) = self { bytes } else { [] }
    }
}

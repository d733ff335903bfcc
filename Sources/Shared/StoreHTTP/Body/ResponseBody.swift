/// The body of a response.
package enum ResponseBody: Sendable {
    case empty
    case bytes([UInt8])
    /// Part of a file, sent without passing through this process where the transport can.
    case file(FileBody)
    /// Pieces as they are made; the length is named if it is known.
    case stream(length: Int?, BodyStream)

    package var length: Int? {
        switch self {
        case .empty: 0
        case .bytes(let bytes): bytes.count
        case .file(let file): file.range.count
        case .stream(let length, _): length
        }
    }
}

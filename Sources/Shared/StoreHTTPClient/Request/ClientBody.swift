package import StoreHTTP

/// The body of a request to be sent.
package enum ClientBody: Sendable {
    case empty
    case bytes([UInt8])
    case file(FileBody)
    /// Pieces as they are made; the length is named if it is known.
    case stream(length: Int?, BodyStream)

    /// Whether it can be sent a second time.
    package var isRepeatable: Bool {
        if case .stream = self { false } else { true }
    }

    /// Says that nobody will read it, or its rest.
    func giveUp() {
        if case .stream(_, let stream) = self { stream.giveUp() }
    }

    /// The length, where it is known.
    package var length: Int? {
        switch self {
        case .empty: 0
        case .bytes(let bytes): bytes.count
        case .file(let file): file.range.count
        case .stream(let length, _): length
        }
    }
}

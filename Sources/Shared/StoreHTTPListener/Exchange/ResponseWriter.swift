import CMicroHTTPD
import Glibc
import StoreHTTP

/// Converts a response for the library.
struct ResponseWriter {
    private static let streamBlock = 32 * 1024
    /// What the library writes itself.
    private static let ownFields: [StaticString] = ["content-length", "transfer-encoding", "keep-alive", "connection"]

    private let response: HTTPResponse
    private let closes: Bool

    init(_ response: HTTPResponse, closes: Bool) {
        self.response = response
        self.closes = closes
    }

    /// The response, to be destroyed by the caller; nil if it cannot be made.
    func make(for exchange: Exchange) -> (pointer: OpaquePointer, feed: StreamFeed?)? {
        var feed: StreamFeed?
        let made: OpaquePointer?
        switch response.body {
        case .empty: made = buffer([])
        case .bytes(let bytes): made = buffer(bytes)
        case .file(let part): made = file(part)
        case .stream(let length, let stream):
            let source = StreamFeed(stream, exchange: exchange)
            made = callback(source, length: length)
            feed = source
        }
        guard let made else { return nil }
        for field in response.fields.all where !Self.isOwn(field.name) {
            guard MHD_add_response_header(made, field.name, field.value) == .YES else {
                MHD_destroy_response(made)
                return nil
            }
        }
        if closes || response.fields["Connection"].map({ FieldText.equals($0, "close") }) == true {
            MHD_add_response_header(made, "Connection", "close")
        }
        return (made, feed)
    }

    private static func isOwn(_ name: String) -> Bool {
        ownFields.contains { $0.utf8CodeUnitCount == name.utf8.count && FieldText.equals(name, $0) }
    }

    private func buffer(_ bytes: [UInt8]) -> OpaquePointer? {
        bytes.withUnsafeBytes { bytes in
            // The library copies the bytes and does not change them, though its parameter is mutable.
            let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            return MHD_create_response_from_buffer(bytes.count, start, .RESPMEM_MUST_COPY)
        }
    }

    /// The library owns its own descriptor and closes it; the position that both share is not used.
    private func file(_ part: FileBody) -> OpaquePointer? {
        guard !part.range.isEmpty else { return buffer([]) }
        let descriptor = fcntl(part.file.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        let made = MHD_create_response_from_fd_at_offset64(
            UInt64(part.range.count), descriptor, UInt64(part.range.lowerBound))
        if made == nil { close(descriptor) }
        return made
    }

    private func callback(_ feed: StreamFeed, length: Int?) -> OpaquePointer? {
        let size = length.map { UInt64($0) } ?? UInt64.max
        let context = Unmanaged.passRetained(feed)
        let made = MHD_create_response_from_callback(
            size, Self.streamBlock, StreamFeed.read, context.toOpaque(), StreamFeed.release)
        if made == nil { context.release() }
        return made
    }
}

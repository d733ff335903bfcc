import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// What a form with a file has sent, read while it arrives: its fields first, and then the file in pieces.
struct UploadInput {
    /// What the fields and the frame of a form take beside the file.
    static let overhead = 64 * 1024

    private(set) var fields: [String: String] = [:]
    /// As its sender calls it, which is never a path here.
    let fileName: String
    private var events: MultipartEvents.Iterator

    /// Reads as far as the file. Refuses the page of another host, and a form without a file.
    ///
    /// - Parameter limit: the bytes that the file may have.
    init(_ request: HTTPRequest, limit: Int) async throws {
        try FormInput.requireOwn(request)
        var events = try request.multipartEvents(limits: MultipartLimits(parts: 16, partBytes: limit))
            .makeAsyncIterator()
        var name: String?
        var value: [UInt8] = []
        while let event = try await events.next() {
            switch event {
            case .part(let head):
                if let fileName = head.fileName {
                    // Without a choice browsers send a file that has no name.
                    guard !fileName.isEmpty else { throw Self.missing }
                    (self.fileName, self.events) = (fileName, events)
                    return
                }
                (name, value) = (head.name, [])
            case .data(let bytes):
                value += bytes
                guard value.count <= FormInput.limit else {
                    throw APIError(
                        .contentTooLarge, code: "form_too_large", "The form is too large.", parameter: "body")
                }
            case .partEnded:
                if let name { fields[name] = String(decoding: value, as: UTF8.self) }
            }
        }
        throw Self.missing
    }

    private static let missing = ServiceError(.valueMissing, "choose a file first", parameter: "file")

    /// The next piece of the file; nil at its end.
    mutating func next() async throws -> [UInt8]? {
        while let event = try await events.next() {
            switch event {
            case .data(let bytes): return bytes
            case .partEnded, .part: return nil
            }
        }
        return nil
    }

    /// The whole file, for one that is small.
    mutating func collect() async throws -> [UInt8] {
        var file: [UInt8] = []
        while let piece = try await next() { file += piece }
        return file
    }
}

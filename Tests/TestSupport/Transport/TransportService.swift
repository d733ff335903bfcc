package import StoreHTTP

/// A service that shows what a transport did with a request.
package enum TransportService {
    static let bodyLimit = 1000
    static let streamLimit = 4 * 1024 * 1024
    static let streamedLength = 1_000_000

    /// The service that the cases of ``TransportCase`` are written for.
    package static func make(with more: [Route] = []) -> HTTPService {
        HTTPService(
            immediate + suspending + streaming + more,
            errors: JSONErrorForm(documentation: "https://docs.example/errors")
        ) { _, _ in }
    }

    /// So many bytes that differ from their neighbours.
    package static func pattern(_ count: Int) -> [UInt8] {
        // It repeats itself after 7 * 256 bytes.
        var bytes = (0..<min(count, 1792)).map { UInt8(truncatingIfNeeded: $0 / 7 &+ $0) }
        while bytes.count < count { bytes += bytes }
        return Array(bytes.prefix(count))
    }

    private static let item = PathParameter<Int>("item", rule: "a whole number")

    private struct Fault: Error {}

    private static let immediate: [Route] = [
        .get("/") { _ in .text("root") },
        .get("/items/{item}") { request in .text("item \(try request[item])") },
        .get("/segments/{text}") { request in .text(request.parameters.text("text") ?? "") },
        .get("/query") { request in .text(request.target.query.values("a").joined(separator: "|")) },
        .get("/field") { request in .text(request.fields.values("X-Probe").joined(separator: "|")) },
        .get("/empty") { _ in HTTPResponse(.noContent) },
        .get("/unchanged") { _ in HTTPResponse(.notModified, fields: ["ETag": "\"a\""]) },
        .get("/large") { _ in HTTPResponse(.ok, pattern(streamedLength), as: "application/octet-stream") },
        .get("/faulty") { _ in throw Fault() },
        .get("/refused") { _ in throw APIError(.conflict, code: "sold_out", "None is left.", parameter: "item") },
        .post("/length", body: .collected(limit: bodyLimit)) { request in .text("\(request.body.bytes.count)") },
        .post("/echo", body: .collected(limit: bodyLimit)) { request in
            HTTPResponse(.ok, request.body.bytes, as: "application/octet-stream")
        },
        .delete("/items/{item}") { _ in HTTPResponse(.noContent) },
    ]

    private static let suspending: [Route] = [
        .get("/later") { _ in
            await Task.yield()
            return .text("later")
        },
        .get("/later/faulty") { _ in
            await Task.yield()
            throw Fault()
        },
        .post("/later/echo", body: .collected(limit: bodyLimit)) { request in
            await Task.yield()
            return HTTPResponse(.ok, request.body.bytes, as: "application/octet-stream")
        },
    ]

    private static let streaming: [Route] = [
        .get("/stream") { _ in HTTPResponse(body: .stream(length: nil, stream(streamedLength))) },
        .get("/stream/measured") { _ in HTTPResponse(body: .stream(length: streamedLength, stream(streamedLength))) },
        .post("/stream/length", body: .streamed(limit: streamLimit)) { request in
            guard case .streaming(let body) = request.body else { return .text("not streamed") }
            var count = 0
            for try await piece in body { count += piece.count }
            return .text("\(count)")
        },
        .post(
            "/stream/echo", body: .streamed(limit: streamLimit),
            suspending: { request in
                guard case .streaming(let body) = request.body else { return .text("not streamed") }
                return HTTPResponse(body: .stream(length: nil, body))
            }),
        .post("/stream/ignored", body: .streamed(limit: streamLimit)) { _ in
            await Task.yield()
            return .text("ignored")
        },
    ]

    /// A body that is made while it is read.
    private static func stream(_ length: Int) -> BodyStream {
        let stream = BodyStream(limit: 64 * 1024)
        Task {
            let bytes = pattern(length)
            var position = 0
            while position < length {
                let end = min(position + 10_007, length)
                try await stream.write(Array(bytes[position..<end]))
                position = end
            }
            stream.finish()
        }
        return stream
    }
}

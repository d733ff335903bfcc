import StoreHTTP

extension TransportCase {
    static let bodies: [TransportCase] = [
        .init("a body arrives whole", post("/length", 999), text("999")),
        .init("a body of exactly the limit is taken", post("/length", TransportService.bodyLimit), text("1000")),
        .init("a body beyond the limit is refused", post("/length", 1001), error(.contentTooLarge, "body_too_large")),
        .init("an empty body is a body", post("/length", 0), text("0")),
        .init("a handler that suspends gets the body", post("/later/echo", 700), echo(700)),
        .init("every byte comes back", post("/echo", 1000), echo(1000)),
        .init(
            "a body of unknown length is collected",
            TransportRequest("POST", "/echo", body: .streaming(stream([300, 300, 1]))), echo(601)),
        .init(
            "a body of unknown length is held to the limit",
            TransportRequest("POST", "/echo", body: .streaming(stream([600, 401]))),
            error(.contentTooLarge, "body_too_large")),
        .init(
            "an unknown path is unknown, body or not", post("/nowhere", 10), error(.notFound, "path_unknown")),
        .init(
            "a body where none is taken is refused",
            TransportRequest("DELETE", "/items/1", body: .collected([1, 2])), error(.badRequest, "body_unexpected")),
    ]

    static let streams: [TransportCase] = [
        .init(
            "a stream of unknown length arrives whole", .get("/stream"),
            Expectation(status: .ok, fields: ["Content-Length": nil as String?], body: long)),
        .init(
            "a stream of known length tells it", .get("/stream/measured"),
            Expectation(status: .ok, fields: ["Content-Length": "\(long.count)"], body: long)),
        .init(
            "HEAD of a stream ends", TransportRequest("HEAD", "/stream/measured"),
            Expectation(status: .ok, fields: ["Content-Length": "\(long.count)"], body: [])),
        .init("a handler reads a body as it arrives", post("/stream/length", 1_000_000), text("1000000")),
        .init(
            "a body of unknown length is streamed",
            TransportRequest("POST", "/stream/length", body: .streaming(stream([70_000, 1, 70_000]))), text("140001")),
        .init(
            "a body comes back while it arrives", post("/stream/echo", 1_000_000),
            Expectation(status: .ok, body: TransportService.pattern(1_000_000))),
        .init("a handler need not read its body", post("/stream/ignored", 100_000), text("ignored")),
        .init(
            "a declared length beyond the limit is refused", post("/stream/length", TransportService.streamLimit + 1),
            error(.contentTooLarge, "body_too_large")),
        .init(
            "a stream is held to the limit while it arrives",
            TransportRequest(
                "POST", "/stream/length", body: .streaming(stream(Array(repeating: 1 << 20, count: 4) + [1]))),
            error(.contentTooLarge, "body_too_large")),
    ]

    static let failures: [TransportCase] = [
        .init("a refusal is told", .get("/refused"), error(.conflict, "sold_out")),
        .init("a fault is told without its reason", .get("/faulty"), error(.internalError, "internal")),
        .init("a fault after suspension is told", .get("/later/faulty"), error(.internalError, "internal")),
    ]

    private static let long = TransportService.pattern(TransportService.streamedLength)

    private static func echo(_ count: Int) -> Expectation {
        Expectation(
            status: .ok, fields: ["Content-Length": "\(count)"], body: TransportService.pattern(count))
    }

    private static func post(_ target: String, _ count: Int) -> TransportRequest {
        TransportRequest("POST", target, body: .collected(TransportService.pattern(count)))
    }

    /// A body of unknown length, in pieces.
    private static func stream(_ counts: [Int]) -> BodyStream {
        let stream = BodyStream()
        Task {
            let bytes = TransportService.pattern(counts.reduce(0, +))
            var position = 0
            for count in counts {
                try await stream.write(Array(bytes[position..<position + count]))
                position += count
            }
            stream.finish()
        }
        return stream
    }
}

import StoreHTTP

extension TransportCase {
    /// Everything that holds in memory and over a socket alike.
    package static let all = answers + methods + targets + fields + bodies + streams + failures

    static func text(_ text: String, _ status: HTTPStatus = .ok, length: Int? = nil) -> Expectation {
        let bytes = Array(text.utf8)
        let fields = ["Content-Type": "text/plain; charset=utf-8", "Content-Length": String(length ?? bytes.count)]
        return Expectation(status: status, fields: fields, body: bytes)
    }

    static func error(_ status: HTTPStatus, _ code: String) -> Expectation {
        Expectation(
            status: status, fields: ["Content-Type": "application/json"], mentions: "\"code\":\"\(code)\"")
    }

    private static let answers: [TransportCase] = [
        .init("the root answers", .get("/"), text("root")),
        .init("a handler that suspends answers", .get("/later"), text("later")),
        .init("a part of the path reaches the handler by type", .get("/items/12"), text("item 12")),
        .init("a body in one piece arrives whole", .get("/large"), large),
        .init(
            "no content has neither body nor length", .get("/empty"),
            Expectation(status: .noContent, fields: ["Content-Length": nil as String?], body: [])),
        .init(
            "not modified has no body", .get("/unchanged"),
            Expectation(status: .notModified, fields: ["ETag": "\"a\""], body: [])),
    ]

    private static let large = Expectation(
        status: .ok, fields: ["Content-Length": "\(TransportService.streamedLength)"],
        body: TransportService.pattern(TransportService.streamedLength))

    private static let methods: [TransportCase] = [
        .init(
            "HEAD is GET without the body", TransportRequest("HEAD", "/"),
            Expectation(status: .ok, fields: ["Content-Length": "4"], body: [])),
        .init(
            "HEAD tells the length of a large body", TransportRequest("HEAD", "/large"),
            Expectation(status: .ok, fields: ["Content-Length": "\(TransportService.streamedLength)"], body: [])),
        .init(
            "another method is told the right ones", TransportRequest("DELETE", "/"),
            Expectation(
                status: .methodNotAllowed, fields: ["Allow": "GET, HEAD, OPTIONS"], mentions: "method_not_allowed")),
        .init(
            "OPTIONS tells the methods", TransportRequest("OPTIONS", "/items/1"),
            Expectation(status: .noContent, fields: ["Allow": "DELETE, GET, HEAD, OPTIONS"], body: [])),
        .init(
            "DELETE needs no body", TransportRequest("DELETE", "/items/1"),
            Expectation(status: .noContent, body: [])),
    ]

    private static let targets: [TransportCase] = [
        .init("an unknown path is not found", .get("/nowhere"), error(.notFound, "path_unknown")),
        .init("a slash at the end is another path", .get("/items/12/"), error(.notFound, "path_unknown")),
        .init("a bad part of the path is named", .get("/items/x"), error(.notFound, "parameter_invalid")),
        .init("an encoded slash stays in its segment", .get("/segments/a%2Fb"), text("a/b")),
        .init("letters of all languages are decoded", .get("/segments/%E6%9C%88"), text("月")),
        .init("a query may name a thing twice", .get("/query?a=1&b=2&a=3%264+5"), text("1|3&4 5")),
        .init("a broken escape is refused", .get("/segments/%zz"), error(.badRequest, "target_malformed")),
        .init("encoded dot segments are refused", .get("/items/%2e%2E/x"), error(.badRequest, "target_malformed")),
        .init(
            "a long target is refused", .get("/segments/" + String(repeating: "a", count: HTTPLimits.targetBytes)),
            error(.targetTooLong, "target_too_long")),
        // Each value takes memory of its own in the library beneath.
        .init(
            "a query of too many values is refused", .get("/segments/a?" + String(repeating: "a&", count: 4000)),
            error(.targetTooLong, "target_too_long")),
    ]

    private static let fields: [TransportCase] = [
        .init("a field arrives, whatever its case", .get("/field", fields: ["x-pROBE": "one"]), text("one")),
        .init(
            "too many fields are refused",
            .get("/field", fields: many), Expectation(status: .fieldsTooLarge, mentions: "header_too_large")),
    ]

    private static var many: HTTPFields {
        (0...HTTPLimits.fields).reduce(into: HTTPFields()) { fields, number in fields.add("X-\(number)", "1") }
    }
}

import Foundation

/// The response of a handler.
package struct HTTPResponse: Sendable {
    package var status: HTTPStatus
    package var fields: HTTPFields
    package var body: ResponseBody
    /// Whether the transport closes the connection in the place of sending it.
    package var isWithheld = false
    /// The observers that the transport notifies when the response was sent, or never will be.
    package private(set) var observers = ResponseObservers()

    package init(_ status: HTTPStatus = .ok, fields: HTTPFields = HTTPFields(), body: ResponseBody = .empty) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// A body in one piece, of a media type.
    package init(_ status: HTTPStatus = .ok, _ bytes: [UInt8], as mediaType: String) {
        var fields = HTTPFields()
        fields.add("Content-Type", mediaType)
        self.init(status, fields: fields, body: .bytes(bytes))
    }

    package static func text(_ text: String, status: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse(status, Array(text.utf8), as: "text/plain; charset=utf-8")
    }

    /// Adds an observer, which is called once, when the body was sent or broken off.
    package mutating func whenEnded(_ observer: @escaping @Sendable (ResponseEnd) -> Void) { observers.add(observer) }

    /// Discards the response: it will not be sent.
    package func abandon() {
        if case .stream(_, let stream) = body { stream.giveUp() }
        observers.notify(ResponseEnd(bytes: 0, isComplete: false))
    }
}

/// The status of a response.
package struct HTTPStatus: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    package static let ok = HTTPStatus(rawValue: 200)
    package static let created = HTTPStatus(rawValue: 201)
    package static let accepted = HTTPStatus(rawValue: 202)
    package static let noContent = HTTPStatus(rawValue: 204)
    package static let partialContent = HTTPStatus(rawValue: 206)
    package static let movedPermanently = HTTPStatus(rawValue: 301)
    package static let seeOther = HTTPStatus(rawValue: 303)
    package static let notModified = HTTPStatus(rawValue: 304)
    package static let badRequest = HTTPStatus(rawValue: 400)
    package static let unauthorized = HTTPStatus(rawValue: 401)
    package static let paymentRequired = HTTPStatus(rawValue: 402)
    package static let forbidden = HTTPStatus(rawValue: 403)
    package static let notFound = HTTPStatus(rawValue: 404)
    package static let methodNotAllowed = HTTPStatus(rawValue: 405)
    package static let conflict = HTTPStatus(rawValue: 409)
    package static let gone = HTTPStatus(rawValue: 410)
    package static let preconditionFailed = HTTPStatus(rawValue: 412)
    package static let contentTooLarge = HTTPStatus(rawValue: 413)
    package static let targetTooLong = HTTPStatus(rawValue: 414)
    package static let unsupportedMediaType = HTTPStatus(rawValue: 415)
    package static let rangeNotSatisfiable = HTTPStatus(rawValue: 416)
    /// The connection was closed without an answer: a status for logs, which nobody is sent.
    package static let noAnswer = HTTPStatus(rawValue: 444)
    package static let misdirected = HTTPStatus(rawValue: 421)
    package static let tooManyRequests = HTTPStatus(rawValue: 429)
    package static let fieldsTooLarge = HTTPStatus(rawValue: 431)
    package static let internalError = HTTPStatus(rawValue: 500)
    package static let unavailable = HTTPStatus(rawValue: 503)

    /// Whether a response with this status never has a body (RFC 9110 §6.4.1).
    package var forbidsBody: Bool { rawValue < 200 || self == .noContent || self == .notModified }
}

/// How a response ended on its way to the client.
package struct ResponseEnd: Hashable, Sendable {
    /// Bytes of the body that were sent; nil if unknown.
    package let bytes: Int?
    /// Whether all of it was sent, as far as the sender knows.
    package let isComplete: Bool

    package init(bytes: Int?, isComplete: Bool) {
        self.bytes = bytes
        self.isComplete = isComplete
    }
}

/// The observers of a response's end.
package struct ResponseObservers: Sendable {
    private var all: [@Sendable (ResponseEnd) -> Void] = []

    package init() {}

    mutating func add(_ observer: @escaping @Sendable (ResponseEnd) -> Void) { all.append(observer) }

    /// Notifies them. A transport does so exactly once for each response, sent or not.
    package func notify(_ end: ResponseEnd) {
        for observer in all { observer(end) }
    }
}

extension HTTPResponse {
    /// A value in JSON, with sorted members. The type is `application/json` and nothing more: some clients do not read
    /// the body otherwise.
    package static func json(_ value: some Encodable, status: HTTPStatus = .ok) throws -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return HTTPResponse(status, Array(try encoder.encode(value)), as: "application/json")
    }

    package static func json(_ value: JSONValue, status: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse(status, value.bytes, as: "application/json")
    }

    /// A page in HTML.
    package static func html(_ text: String, status: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse(status, Array(text.utf8), as: "text/html; charset=utf-8")
    }

    /// A redirection. After `seeOther` the client uses GET, whatever the method was.
    package static func redirect(to location: String, status: HTTPStatus = .seeOther) -> HTTPResponse {
        let visible = location.utf8.map { byte in
            (0x21...0x7E).contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return HTTPResponse(status, fields: ["Location": visible.joined()])
    }

    /// A file, with validators for ranges and caching. The extension of `name` decides the type.
    package static func file(_ file: OpenFile, named name: String) -> HTTPResponse {
        let modified = HTTPDate(nanosecondsSince1970: file.modified)
        return HTTPResponse(
            .ok,
            fields: [
                "Content-Type": MediaTypes.ofFile(named: name), "ETag": EntityTag(file).text,
                "Last-Modified": modified.text, "Accept-Ranges": "bytes",
            ],
            body: .file(FileBody(file)))
    }
}

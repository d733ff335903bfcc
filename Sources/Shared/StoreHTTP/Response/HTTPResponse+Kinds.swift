import Foundation

extension HTTPResponse {
    /// A value in JSON, its members in the order of the alphabet. The type is `application/json` and nothing more: there
    /// are clients that do not read the body otherwise.
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

    /// Sends the client elsewhere. `seeOther` asks with GET, whatever was asked before.
    package static func redirect(to location: String, status: HTTPStatus = .seeOther) -> HTTPResponse {
        let visible = location.utf8.map { byte in
            (0x21...0x7E).contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return HTTPResponse(status, fields: ["Location": visible.joined()])
    }

    /// A file, with what a client needs to ask for parts of it and not to ask again. `name` tells the type by its
    /// extension.
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

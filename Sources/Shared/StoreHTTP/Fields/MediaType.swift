/// The type of a body: `text/html; charset=utf-8`.
package struct MediaType: Hashable, Sendable {
    /// In lower case, like the subtype.
    package let type: String
    package let subtype: String
    package let parameters: [FieldParameter]

    /// Reads a type; nil if it is malformed.
    package init?(parsing text: some StringProtocol) {
        var scanner = FieldScanner(text)
        scanner.skipSpace()
        guard let media = MediaType(&scanner), scanner.isAtEnd else { return nil }
        self = media
    }

    init?(_ scanner: inout FieldScanner) {
        guard let type = scanner.token(), scanner.take("/"), let subtype = scanner.token(),
            let parameters = scanner.parameters()
        else { return nil }
        self.type = type.lowercased()
        self.subtype = subtype.lowercased()
        self.parameters = parameters
    }

    /// The type without its parameters.
    package var essence: String { "\(type)/\(subtype)" }

    package func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    package var isJSON: Bool { essence == "application/json" || subtype.hasSuffix("+json") }

    /// Whether a body of this type becomes noticeably smaller by compression.
    var isCompressible: Bool {
        type == "text" || isJSON || subtype.hasSuffix("+xml")
            || ["application/javascript", "application/xml", "application/wasm"].contains(essence)
    }
}

extension HTTPFields {
    /// The `Content-Type`; nil if it is missing or malformed.
    package var mediaType: MediaType? { self["Content-Type"].flatMap { MediaType(parsing: $0) } }
}

/// The types of files by their extensions.
enum MediaTypes {
    private static let table = [
        "avif": "image/avif", "css": "text/css; charset=utf-8", "csv": "text/csv; charset=utf-8",
        "gif": "image/gif", "gz": "application/gzip", "html": "text/html; charset=utf-8",
        "ico": "image/vnd.microsoft.icon", "jpeg": "image/jpeg", "jpg": "image/jpeg",
        "js": "text/javascript; charset=utf-8", "json": "application/json", "m4a": "audio/mp4",
        "mov": "video/quicktime",
        "mjs": "text/javascript; charset=utf-8", "mp3": "audio/mpeg", "mp4": "video/mp4", "otf": "font/otf",
        "pdf": "application/pdf", "pem": "application/x-pem-file", "pkg": "application/octet-stream",
        "png": "image/png", "svg": "image/svg+xml", "tar": "application/x-tar", "ttf": "font/ttf",
        "txt": "text/plain; charset=utf-8", "wasm": "application/wasm", "wav": "audio/wav", "webm": "video/webm",
        "webmanifest": "application/manifest+json", "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2",
        "xml": "application/xml", "zip": "application/zip",
    ]

    /// The type of a file; `application/octet-stream` for unknown extensions.
    static func ofFile(named name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
        return table[name[name.index(after: dot)...].lowercased()] ?? "application/octet-stream"
    }
}

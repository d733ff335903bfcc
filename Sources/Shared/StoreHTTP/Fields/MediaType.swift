/// The type of a body: `text/html; charset=utf-8`.
package struct MediaType: Hashable, Sendable {
    /// In small letters, like the subtype.
    package let type: String
    package let subtype: String
    package let parameters: [FieldParameter]

    /// Reads a type; nil if it is none.
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
    /// What `Content-Type` says; nil if it is missing or says nothing that can be read.
    package var mediaType: MediaType? { self["Content-Type"].flatMap { MediaType(parsing: $0) } }
}

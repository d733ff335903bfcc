/// What a part of a form says about itself.
package struct MultipartHead: Hashable, Sendable {
    /// The name of the field of the form.
    package let name: String
    /// The name that a file has on the client's side. It is a claim, never a path.
    package let fileName: String?
    package let mediaType: MediaType?

    init(_ bytes: [UInt8]) throws(APIError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .multipart("The header of a part is not UTF-8.")
        }
        var fields = HTTPFields()
        // By scalars: a line's end is one character of Swift's, and a stray half of it must not hide in another.
        for line in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: true) {
            var line = Substring(line)
            if line.unicodeScalars.last == "\r" { line.unicodeScalars.removeLast() }
            if line.isEmpty { continue }
            guard fields.all.count < HTTPLimits.fieldParameters, let colon = line.firstIndex(of: ":"),
                HTTPToken.isToken(line[..<colon]), !line.utf8.contains(0), !line.utf8.contains(0x0D)
            else { throw .multipart("A line in the header of a part is no field.") }
            fields.add(String(line[..<colon]), String(line[line.index(after: colon)...].trimmingHTTPSpace))
        }
        var scanner = FieldScanner(fields["Content-Disposition"] ?? "")
        guard scanner.token()?.lowercased() == "form-data", let parameters = scanner.parameters(), scanner.isAtEnd,
            let name = parameters.first(where: { $0.name == "name" })?.value
        else { throw .multipart("A part does not say which field of the form it is.") }
        self.name = Self.decoded(name)
        fileName = parameters.first { $0.name == "filename" }.map { Self.decoded($0.value) }
        mediaType = fields.mediaType
    }

    /// Undoes the three escapes that browsers write into names.
    private static func decoded(_ text: String) -> String {
        guard text.contains("%") else { return text }
        return text.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }
}

import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// The files of a library, for whoever is signed in.
extension StorefrontFormRoutes {
    private static let storeID = PathParameter<Int64>("storeId", rule: "the store id of an item") { text in
        Int64(text).flatMap { $0 > 0 ? $0 : nil }
    }
    private static let role = PathParameter<ItemFile.Role>("role", rule: "what the file is for, which is package") {
        $0 == ItemFile.Role.package.rawValue ? .package : nil
    }
    private static let position = PathParameter<Int>("position", rule: "the place of the file, from 1") { text in
        Int(text).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Sends a file, or a range of it. Whether it may be had is looked at with each request.
    func file(_ request: HTTPRequest) async throws -> HTTPResponse {
        let place = Library.Place(
            try request[Self.storeID], position: try request[Self.position], version: request.target.query["version"])
        _ = try request[Self.role]
        guard let session = try await Self.session(of: request, in: store) else {
            return try Self.signInFirst(request, thenTo: "/library")
        }
        let library = Library(store)
        let file = try await library.file(at: place, session.scope)
        guard let content = try blobs.content(of: file.blob, bytes: file.bytes) else {
            throw APIError(.unavailable, code: "blobs_missing", "This process has no files of items open.")
        }
        // Only a label of the library comes of it: what was bought is had on a full disk too.
        try? await library.note(file, fetchedBy: session.scope)
        var response = try HTTPResponse.blob(content, type: file.mediaType, to: request)
        // It is kept, and never shown as a page of the store.
        response.fields["Content-Disposition"] = Self.attachment(file.fileName)
        response.fields["Content-Security-Policy"] = "sandbox; default-src 'none'"
        return response
    }

    /// The field that names a file, in ASCII and as it is called.
    static func attachment(_ name: String) -> String {
        let plain = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_ ".contains($0)) ? $0 : "_" })
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(PercentEncoding.encode(name))"
    }
}

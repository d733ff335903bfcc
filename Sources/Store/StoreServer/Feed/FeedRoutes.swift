package import StoreCatalogue
package import StoreHTTP
import StoreModel
package import StoreService

/// `/feed/epf/v5/…`: the partner feed of an environment, for approved partners, who show their token and key by Basic
/// authentication. Below the root it is laid out as Apple's Enterprise Partner Feed, version 5.
package struct FeedRoutes: Sendable {
    private let store: EnvironmentStore
    private let feeds: PartnerFeeds
    private let blobs: BlobSource

    /// Where the feed begins: ours, and the path at which Apple has its own.
    package static let roots = ["/feed/epf/v5", "/feeds/epf/v5"]
    private static let realm = "Basic realm=\"Partner feed\", charset=\"UTF-8\""

    package init(_ store: EnvironmentStore, blobs: BlobSource) {
        self.store = store
        self.blobs = blobs
        feeds = PartnerFeeds(store, blobs: blobs.callAsFunction)
    }

    package var routes: [Route] {
        Self.roots.flatMap { root in
            [
                Route.get(RoutePattern(root), suspending: { try await answer($0, root) }),
                Route.get(RoutePattern(root + "/{path…}"), suspending: { try await answer($0, root) }),
            ].map { route in
                var route = route
                route.errors = FeedErrors()
                route.mayEndWithSlash = true
                return route
            }
        }
    }

    private func answer(_ request: HTTPRequest, _ root: String) async throws -> HTTPResponse {
        guard case .basic(let token, let key) = request.authorization,
            try await Partners(store).partner(token, showing: key) != nil
        else { return Self.refusal }
        let rest = request.parameters.text("path") ?? ""
        let path = rest.split(separator: "/").map(String.init)
        guard let place = try await feeds.place(at: path) else {
            throw APIError(.notFound, code: "name_unknown", "There is nothing here, or not yet.", parameter: "path")
        }
        switch place {
        case .folder(let names):
            // Links in a folder are relative to it.
            guard request.target.endsWithSlash else {
                return .redirect(to: ([root] + path).joined(separator: "/") + "/", status: HTTPStatus(rawValue: 301))
            }
            return Self.folder(names, title: ([root] + path).joined(separator: "/") + "/")
        case .checksum(let file):
            return Self.kept(.text(file.checksumText))
        case .archive(let file):
            guard let content = try blobs.content(of: file.blob, bytes: file.bytes) else {
                throw APIError(.unavailable, code: "store_unavailable", "The feed is not open in this process.")
            }
            return try .blob(content, type: "application/x-bzip2", to: request)
        }
    }

    private static func kept(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.fields["Cache-Control"] = "private, no-cache"
        return response
    }

    /// A folder as crawlers read it: each link in a cell of a row of a table, without a body around the rows.
    private static func folder(_ names: [String], title: String) -> HTTPResponse {
        // Names have letters, digits, dots and slashes only.
        let rows = names.map { "<tr><td><a href=\"\($0)\">\($0)</a></td></tr>\n" }.joined()
        return kept(
            .html(
                """
                <!DOCTYPE html>
                <html lang="en"><head><title>\(title)</title></head><body><h1>\(title)</h1>
                <table>
                \(rows)</table>
                </body></html>

                """))
    }

    static var refusal: HTTPResponse {
        var response = HTTPResponse.text(
            "The feed is for approved partners, who show their token and their key.\n", status: .unauthorized)
        response.fields["WWW-Authenticate"] = realm
        return response
    }
}

/// Errors for programs that fetch files: a line of text.
private struct FeedErrors: ErrorForm {
    func response(to error: APIError, for request: HTTPRequest) -> HTTPResponse {
        .text("\(error.message)\n", status: error.status)
    }
}

package import StoreHTTP
import StoreModel

/// The page to which every error of our own interfaces links: what each code means, and what to do.
package enum ErrorReference {
    static let path = "/errors"

    /// The form of our errors, with a link to their page.
    package static let form = JSONErrorForm(documentation: path)

    /// An error that there is.
    struct Entry: Hashable, Sendable {
        let code: String
        let status: Int
        let meaning: String
        /// The code that an app gets for it; nil for what no app is told of.
        var storeKit: Int?

        fileprivate init(_ code: String, _ status: HTTPStatus, _ meaning: String) {
            (self.code, self.status, self.meaning) = (code, status.rawValue, meaning)
        }

        fileprivate init(_ code: RefusalCode) {
            let declaration = code.declaration
            self.code = code.rawValue
            (status, meaning) = (declaration.status.rawValue, declaration.advice)
            storeKit = declaration.storeKit.rawValue
        }
    }

    /// All of them, by their codes.
    static let entries: [Entry] = (ofRequests + RefusalCode.allCases.map(Entry.init)).sorted { $0.code < $1.code }

    /// What is wrong with a request before anything of the store is asked for.
    private static let ofRequests: [Entry] = [
        Entry("abandoned", .unavailable, "The request was given up before it was answered. Ask for the same again."),
        Entry(
            "blobs_missing", .unavailable, "The process has no place for pictures and content. Its operator sets one."),
        Entry("body_too_large", .contentTooLarge, "The body is longer than this operation takes."),
        Entry("body_unexpected", .badRequest, "The operation takes no body. Leave it out."),
        Entry("destination_relative", .badRequest, "The destination of a backup is a full path."),
        Entry("encoding_malformed", .badRequest, "The body is said to be compressed, and is not what gzip makes."),
        Entry("encoding_unsupported", .unsupportedMediaType, "A body may be compressed with gzip only."),
        Entry(
            "fault", .internalError,
            "It went wrong on purpose, by a fault of the sandbox, which the message names. till faults list shows all."),
        Entry("form_malformed", .badRequest, "The form has a broken escape or too many items."),
        Entry("header_malformed", .badRequest, "A field of the header has no proper name."),
        Entry("header_too_large", .fieldsTooLarge, "The header has too many fields or bytes."),
        Entry(
            "host_unknown", .misdirected, "The store is not known by this name. Its operator can give it with --hosts."),
        Entry("image_unknown", .notFound, "There is no such picture."),
        Entry("internal", .internalError, "Something went wrong in the store. Its log has the reason, by request_id."),
        Entry("json_malformed", .badRequest, "The body is not JSON in UTF-8, or a member stands in it twice."),
        Entry("keys_missing", .unavailable, "The process has no keys at hand to sign with. Start the store with them."),
        Entry("media_type_unsupported", .unsupportedMediaType, "Content-Type has to say what the operation takes."),
        Entry(
            "member_unknown", .badRequest, "The body has a member that the operation does not take; parameter names it."
        ),
        Entry("method_malformed", .badRequest, "The method is not a word."),
        Entry("method_not_allowed", .methodNotAllowed, "The path answers other methods, which Allow names."),
        Entry("multipart_malformed", .badRequest, "The parts of the body cannot be told apart."),
        Entry("multipart_too_large", .contentTooLarge, "A part of the body is longer than this operation takes."),
        Entry("parameter_invalid", .notFound, "A part of the path has not the form of what it names."),
        Entry("path_unknown", .notFound, "There is nothing at this path. /openapi.json lists what there is."),
        Entry(
            "rate_limit_exceeded", .tooManyRequests,
            "Too many requests came from here. Retry-After says how long to wait."),
        Entry("request_unknown", .notFound, "The request is not among the newest that the store remembers."),
        Entry("target_malformed", .badRequest, "The path or the query is not well formed."),
        Entry(
            "target_too_long", .targetTooLong,
            "The path and the query have more than \(HTTPLimits.targetBytes) bytes, \(HTTPLimits.pathSegments) segments or \(HTTPLimits.queryItems) values."
        ),
    ]

    static let route: Route = {
        let bytes = Array(page.utf8)
        return Route.get(RoutePattern(path)) { _ in
            var response = HTTPResponse(.ok, bytes, as: "text/html; charset=utf-8")
            response.fields["Content-Security-Policy"] = "default-src 'none'; frame-ancestors 'none'"
            return response
        }
    }()

    private static var page: String {
        let rows = entries.map { entry in
            """
            <tr id="\(entry.code)"><th scope="row"><code>\(entry.code)</code><td>\(entry.status)\
            <td>\(entry.storeKit.map(String.init) ?? "")<td>\(escaped(APIError.sentence(entry.meaning)))
            """
        }
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Errors of a store of Till</title>
            <h1>Errors</h1>
            <p>Every error has a code, and says itself what it met: in <code>message</code>, and in <code>parameter</code>
            where. <code>request_id</code> names the request in <code>till requests</code> and in the log.
            <table>
            <thead><tr><th scope="col">Code<th scope="col">Status<th scope="col">SKError<th scope="col">Meaning
            <tbody>
            \(rows.joined(separator: "\n"))
            </table>

            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}

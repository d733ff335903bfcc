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
    package static let seeOther = HTTPStatus(rawValue: 303)
    package static let notModified = HTTPStatus(rawValue: 304)
    package static let badRequest = HTTPStatus(rawValue: 400)
    package static let unauthorized = HTTPStatus(rawValue: 401)
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
    package static let tooManyRequests = HTTPStatus(rawValue: 429)
    package static let fieldsTooLarge = HTTPStatus(rawValue: 431)
    package static let internalError = HTTPStatus(rawValue: 500)
    package static let unavailable = HTTPStatus(rawValue: 503)

    /// Whether a response with this status never has a body (RFC 9110 §6.4.1).
    package var forbidsBody: Bool { rawValue < 200 || self == .noContent || self == .notModified }
}

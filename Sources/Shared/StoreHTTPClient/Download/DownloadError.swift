package import StoreHTTP

/// Why a download ended without its file. Neither code nor message contains anything secret.
package struct DownloadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure this is; more may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Cancelled, by its task or by word.
        package static let cancelled = Code(rawValue: "cancelled")
        /// Another download writes this file at the moment, or this one ran already.
        package static let busy = Code(rawValue: "busy")
        /// The server refuses it, and would again.
        package static let refused = Code(rawValue: "refused")
        /// What arrived is not what was expected: another length or another digest.
        package static let unexpectedContent = Code(rawValue: "unexpected_content")
        /// The file exceeds the limit.
        package static let tooLarge = Code(rawValue: "too_large")
        /// The disk is full; what is there is kept.
        package static let diskFull = Code(rawValue: "disk_full")
        /// The file cannot be written, synchronised or renamed.
        package static let file = Code(rawValue: "file")
        /// The network failed in a way that trying again does not help, or as often as allowed.
        package static let transfer = Code(rawValue: "transfer")
    }

    package let code: Code
    package let message: String
    /// The server's status, if it is the reason.
    package let status: HTTPStatus?
    /// What went wrong between client and server, if that is the reason.
    package let underlying: HTTPClientError?

    package init(_ code: Code, _ message: String, status: HTTPStatus? = nil, underlying: HTTPClientError? = nil) {
        self.code = code
        self.message = message
        self.status = status
        self.underlying = underlying
    }

    package var description: String { "\(message) (\(code.rawValue))" }

    static func transfer(_ error: HTTPClientError) -> DownloadError {
        DownloadError(.transfer, error.message, status: error.status, underlying: error)
    }

    static let cancelled = DownloadError(.cancelled, "The download was cancelled.")
}

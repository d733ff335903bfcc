import StoreHTTP
import StoreHTTPClient

/// Why the app's half of the developer's own server has no answer. Its text is safe to log.
public struct BackendClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of errors: those of the server by its words, and those that arise on the device. More may come.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The word.
        public let rawValue: String

        /// Makes a code from its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The server cannot be reached, or its answer was lost on the way.
        public static let unreachable = Code(rawValue: "unreachable")
        /// What answers at the address is not such a server.
        public static let malformedAnswer = Code(rawValue: "malformed_answer")
        /// A value that the app gave breaks a rule.
        public static let invalidValue = Code(rawValue: "invalid_value")
        /// This content is being downloaded already.
        public static let busy = Code(rawValue: "busy")
        /// The task was cancelled. What has come of a download is kept, and the next one goes on from there.
        public static let cancelled = Code(rawValue: "cancelled")
        /// There is no room on the disk. What has come of a download is kept.
        public static let diskFull = Code(rawValue: "disk_full")
        /// A file of the app cannot be read or written.
        public static let file = Code(rawValue: "file")
        /// The server sends other content than it announced.
        public static let wrongContent = Code(rawValue: "wrong_content")

        /// Nobody is signed in, or the name, the password or the session is not right.
        public static let notSignedIn = Code(rawValue: "not_signed_in")
        /// Nothing that this user brought pays for the product.
        public static let notPaid = Code(rawValue: "not_paid")
        /// The purchase was refunded or withdrawn.
        public static let revoked = Code(rawValue: "revoked")
        /// The subscription has ended.
        public static let expired = Code(rawValue: "expired")
        /// The transaction belongs to another user.
        public static let belongsToAnother = Code(rawValue: "belongs_to_another")
        /// The name of the user is taken.
        public static let nameTaken = Code(rawValue: "name_taken")
        /// The balance does not reach.
        public static let balanceTooLow = Code(rawValue: "balance_too_low")
        /// The key was used to spend something else.
        public static let keyReused = Code(rawValue: "key_reused")
        /// The server has no such product.
        public static let unknownProduct = Code(rawValue: "unknown_product")
        /// The server has no such content for this version of the app.
        public static let unknownContent = Code(rawValue: "unknown_content")
        /// There were too many requests.
        public static let tooManyRequests = Code(rawValue: "too_many_requests")
        /// The server could not ask the store.
        public static let storeUnavailable = Code(rawValue: "store_unavailable")
        /// The server's database failed.
        public static let database = Code(rawValue: "database")
    }

    /// The kind of error.
    public let code: Code
    /// What happened, why, and what to do.
    public let message: String
    /// The status of the server's answer, if there was one.
    public let status: Int?
    /// After how many seconds another try is worth it, if the server says so.
    public let retryAfter: Int?

    /// Makes an error, as a test of an app does.
    public init(_ code: Code, _ message: String, status: Int? = nil, retryAfter: Int? = nil) {
        self.code = code
        self.message = message
        self.status = status
        self.retryAfter = retryAfter
    }

    /// Whether the same may succeed later.
    public var isRetryable: Bool {
        if let status, status >= 500 || status == 429 { return true }
        return [.unreachable, .busy, .cancelled, .tooManyRequests, .storeUnavailable, .database].contains(code)
    }

    /// The message.
    public var description: String { message }

    static let notAServer = BackendClientError(
        .malformedAnswer, "What answers at the address of the server is no server of this kind; look at the address.")

    static func invalid(_ message: String) -> BackendClientError { BackendClientError(.invalidValue, message) }

    init(_ error: HTTPClientError) {
        switch error.code {
        case .cancelled: self.init(.cancelled, error.message)
        case .requestMalformed, .settings, .addressRefused: self.init(.invalidValue, error.message)
        case .responseMalformed, .responseTooLarge, .redirection:
            self.init(.malformedAnswer, error.message, status: error.status?.rawValue)
        default: self.init(.unreachable, error.message, status: error.status?.rawValue)
        }
    }

    init(_ error: DownloadError) {
        let status = error.status?.rawValue
        switch error.code {
        case .cancelled: self.init(.cancelled, error.message)
        case .busy: self.init(.busy, "This content is being downloaded already.")
        case .diskFull: self.init(.diskFull, error.message)
        case .file: self.init(.file, error.message)
        case .unexpectedContent, .tooLarge: self.init(.wrongContent, error.message, status: status)
        case .refused: self.init(.malformedAnswer, error.message, status: status)
        default: self.init(.unreachable, error.message, status: status)
        }
    }
}

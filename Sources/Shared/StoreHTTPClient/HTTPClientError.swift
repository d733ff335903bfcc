import CCurl
package import StoreHTTP

/// Why a request has no response, or not all of it.
///
/// The code is for programs, the message for people: what happened, why, and what to do. Neither contains a path, a query,
/// a field or a body, any of which may hold a secret.
package struct HTTPClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure this is; more may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The request cannot be sent as it stands.
        package static let requestMalformed = Code(rawValue: "request_malformed")
        /// Settings that cannot be used: a certificate, a pin, a proxy.
        package static let settings = Code(rawValue: "settings")
        /// The limit of concurrent requests is reached.
        package static let queueFull = Code(rawValue: "queue_full")
        /// The client has been shut down.
        package static let shutDown = Code(rawValue: "shut_down")
        /// The task that waited was cancelled.
        package static let cancelled = Code(rawValue: "cancelled")
        /// The name of the host or of the proxy cannot be resolved.
        package static let nameUnknown = Code(rawValue: "name_unknown")
        /// Every address of the host is of a kind that this client must not reach.
        package static let addressRefused = Code(rawValue: "address_refused")
        /// No server answers at the address.
        package static let unreachable = Code(rawValue: "unreachable")
        /// The server answers, and no secure connection comes about.
        package static let secureConnectionFailed = Code(rawValue: "secure_connection_failed")
        /// The server's certificate was not accepted, or its key is not the pinned one.
        package static let untrusted = Code(rawValue: "untrusted")
        /// A time limit was exceeded.
        package static let timedOut = Code(rawValue: "timed_out")
        /// The connection ended before the response was complete.
        package static let connectionLost = Code(rawValue: "connection_lost")
        /// The response is not valid HTTP.
        package static let responseMalformed = Code(rawValue: "response_malformed")
        /// The header or the body of the response exceeds a limit.
        package static let responseTooLarge = Code(rawValue: "response_too_large")
        /// Too many redirections, or one that must not be followed.
        package static let redirection = Code(rawValue: "redirection")
        /// The body of the request could not be read to its end.
        package static let requestBody = Code(rawValue: "request_body")
        /// Anything else; the message says more.
        package static let failed = Code(rawValue: "failed")
    }

    /// What the server may have done with the request.
    package enum Outcome: String, Hashable, Sendable {
        /// No byte of the request was sent: it was certainly not carried out.
        case notSent
        /// It may have been carried out or not. If money is involved, look it up before repeating it.
        case unknown
        /// The head of the response arrived, with its status; only the rest is missing.
        case answered
    }

    package let code: Code
    package let message: String
    package let outcome: Outcome
    /// The status of the response whose head arrived.
    package let status: HTTPStatus?
    /// Whether a line of the response arrived: a connection that ended before was closed without an answer.
    package let hasBegun: Bool

    package init(
        _ code: Code, _ message: String, outcome: Outcome, status: HTTPStatus? = nil, hasBegun: Bool = false
    ) {
        self.code = code
        self.message = message
        self.outcome = outcome
        self.status = status
        self.hasBegun = hasBegun || outcome == .answered
    }

    package var description: String {
        let status = status.map { ", status \($0.rawValue)" } ?? ""
        return "\(message) (\(code.rawValue), \(outcome.rawValue)\(status))"
    }

    /// The same error with what is known of the request.
    func withOutcome(_ outcome: Outcome, status: HTTPStatus?) -> HTTPClientError {
        HTTPClientError(code, message, outcome: outcome, status: status, hasBegun: hasBegun)
    }
}

/// The error for libcurl's result.
struct TransferFailure {
    let error: HTTPClientError

    init(_ code: CURLcode, _ transfer: Transfer) {
        let place = transfer.exchange.url.place
        let reason = transfer.easy.failure.isEmpty ? String(cString: curl_easy_strerror(code)) : transfer.easy.failure
        let (kind, words) = Self.meaning(of: code, transfer)
        error = HTTPClientError(
            kind, "\(words) (\(place)): \(reason).", outcome: transfer.outcome, status: transfer.status,
            hasBegun: transfer.hasBegun)
    }

    private static func meaning(of code: CURLcode, _ transfer: Transfer) -> (HTTPClientError.Code, String) {
        if code == CURLE_COULDNT_CONNECT, let address = transfer.onlyRefusedAddress {
            let words = "The host leads to \(address.kind.words), which this client must not reach"
            return (.addressRefused, words)
        }
        // Without a head, it is libcurl's own limit for one line.
        if code == CURLE_OUT_OF_MEMORY, transfer.outcome == .unknown {
            return (.responseTooLarge, "The header of the response has a line that is too long")
        }
        return meanings.first { $0.codes.contains(code) }.map { ($0.kind, $0.words) }
            ?? (.failed, "The request failed")
    }

    private struct Meaning: Sendable {
        let kind: HTTPClientError.Code
        let words: String
        let codes: [CURLcode]

        init(_ kind: HTTPClientError.Code, _ words: String, _ codes: CURLcode...) {
            self.kind = kind
            self.words = words
            self.codes = codes
        }
    }

    private static let meanings: [Meaning] = [
        Meaning(
            .nameUnknown, "The name of the host cannot be resolved; check it and the network",
            CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY),
        Meaning(
            .unreachable, "No connection could be made; check that the server runs and can be reached",
            CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_INTERFACE_FAILED),
        Meaning(
            .secureConnectionFailed, "The server answers, and no secure connection comes about; check its TLS",
            CURLE_SSL_CONNECT_ERROR),
        Meaning(.timedOut, "The time for the request is over", CURLE_OPERATION_TIMEDOUT),
        Meaning(
            .untrusted, "The server could not prove who it is; nothing was sent to it",
            CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS),
        Meaning(
            .settings, "A setting of the client cannot be used",
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_UNKNOWN_OPTION,
            CURLE_BAD_FUNCTION_ARGUMENT, CURLE_NOT_BUILT_IN),
        Meaning(
            .connectionLost, "The connection ended before the response was complete",
            CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_SEND_FAIL_REWIND),
        Meaning(
            .responseMalformed, "What came is not a proper response",
            CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_UNSUPPORTED_PROTOCOL),
        Meaning(.requestMalformed, "The URL cannot be used", CURLE_URL_MALFORMAT),
    ]
}

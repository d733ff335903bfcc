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
        /// As many requests as may be on their way are on their way.
        package static let queueFull = Code(rawValue: "queue_full")
        /// The client has been shut down.
        package static let shutDown = Code(rawValue: "shut_down")
        /// The task that waited was cancelled.
        package static let cancelled = Code(rawValue: "cancelled")
        /// The name of the host or of the proxy leads to no address.
        package static let nameUnknown = Code(rawValue: "name_unknown")
        /// Every address of the host is of a kind that this client must not reach.
        package static let addressRefused = Code(rawValue: "address_refused")
        /// Nobody answers at the address.
        package static let unreachable = Code(rawValue: "unreachable")
        /// The other side could not prove who it is, or has another key than the pinned one.
        package static let untrusted = Code(rawValue: "untrusted")
        /// Connecting, waiting or the whole took too long.
        package static let timedOut = Code(rawValue: "timed_out")
        /// The connection ended before the response was complete.
        package static let connectionLost = Code(rawValue: "connection_lost")
        /// What came is not HTTP as it should be.
        package static let responseMalformed = Code(rawValue: "response_malformed")
        /// The header or the body of the response exceeds a limit.
        package static let responseTooLarge = Code(rawValue: "response_too_large")
        /// More redirections than allowed, or one to a place that must not be followed.
        package static let redirection = Code(rawValue: "redirection")
        /// The body of the request could not be read to its end.
        package static let requestBody = Code(rawValue: "request_body")
        /// Anything else; the message says more.
        package static let failed = Code(rawValue: "failed")
    }

    /// What the other side may have done with the request.
    package enum Outcome: String, Hashable, Sendable {
        /// No byte of the request left: it was certainly not carried out.
        case notSent
        /// It may have been carried out or not. Where money is concerned, ask before doing it again.
        case unknown
        /// The head of the response arrived, and says how it went; only the rest is missing.
        case answered
    }

    package let code: Code
    package let message: String
    package let outcome: Outcome
    /// The status of the response whose head arrived.
    package let status: HTTPStatus?

    package init(_ code: Code, _ message: String, outcome: Outcome, status: HTTPStatus? = nil) {
        self.code = code
        self.message = message
        self.outcome = outcome
        self.status = status
    }

    package var description: String {
        let status = status.map { ", status \($0.rawValue)" } ?? ""
        return "\(message) (\(code.rawValue), \(outcome.rawValue)\(status))"
    }

    /// The same failure of a request of which this is known.
    func withOutcome(_ outcome: Outcome, status: HTTPStatus?) -> HTTPClientError {
        HTTPClientError(code, message, outcome: outcome, status: status)
    }
}

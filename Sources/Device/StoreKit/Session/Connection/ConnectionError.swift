import Foundation
package import StoreFoundation
import StoreHTTP
import StoreHTTPClient
package import StoreModel

/// Why a request to the store has no answer that it asked for.
package struct ConnectionError: Error, Hashable, Sendable {
    // Closed: the handler of an error has to know what may have been done.
    package enum Kind: Hashable, Sendable {
        /// No answer. What the store did is not known unless the request was certainly not sent.
        case unreachable(mayHaveHappened: Bool)
        /// The store answered that it cannot at the moment; what it did is not known.
        case unavailable
        /// The store refused, and did nothing.
        case refused(status: Int)
        /// What came is not an answer of the store.
        case malformed
        /// The task that asked was cancelled.
        case cancelled
    }

    package let kind: Kind
    /// The code of the store's refusal, or of our own.
    package let code: String
    /// One sentence, safe to log.
    package let message: String
    package let parameter: String?
    /// What the log of the store knows the request by.
    package let request: String?
    /// The code of StoreKit's error, if the store named one.
    package let storeKitCode: Int?
    /// How long the store wants to be left alone.
    package let retryAfter: Duration?
    /// The time on the store's wall.
    package let storeTime: Instant?

    package init(
        _ kind: Kind, code: String, _ message: String, parameter: String? = nil, request: String? = nil,
        storeKitCode: Int? = nil, retryAfter: Duration? = nil, storeTime: Instant? = nil
    ) {
        self.kind = kind
        self.code = code
        self.message = message
        self.parameter = parameter
        self.request = request
        self.storeKitCode = storeKitCode
        self.retryAfter = retryAfter
        self.storeTime = storeTime
    }

    /// Whether the same request may well succeed later.
    package var isTemporary: Bool {
        switch kind {
        case .unreachable, .unavailable, .malformed: true
        case .refused(let status): status == 429
        case .cancelled: false
        }
    }

    /// Whether the store may have done what it was asked.
    package var mayHaveHappened: Bool {
        switch kind {
        case .unreachable(let mayHaveHappened): mayHaveHappened
        case .unavailable, .malformed, .cancelled: true
        case .refused: false
        }
    }

    /// The store's refusal.
    package var refusal: RefusalCode? {
        if case .refused = kind { RefusalCode(rawValue: code) } else { nil }
    }

    /// What a person is told of it; in English if there are no words of their language for it.
    package func sentence(in texts: Texts) -> String { refusal.flatMap { texts.find($0) } ?? message }

    /// Whether another account, or another password, may be tried.
    package var isOfSignIn: Bool {
        refusal == .credentialsWrong || refusal == .testerSpent || status == 429
    }

    /// The status of a refusal.
    package var status: Int? {
        if case .refused(let status) = kind { status } else { nil }
    }
}

extension ConnectionError: CustomStringConvertible {
    package var description: String { request.map { "\(message) (\(code), request \($0))" } ?? "\(message) (\(code))" }
}

extension ConnectionError {
    /// The task that asked was cancelled.
    static let abandoned = ConnectionError(.cancelled, code: "cancelled", "The request was cancelled.")

    /// The code of what the journal could not keep.
    static let journalCode = "journal"

    /// The journal could not keep what the store told; the store tells it again.
    static func journal(_ error: any Error) -> ConnectionError {
        ConnectionError(
            .unavailable, code: journalCode, "The journal of purchases cannot be written: \(error)",
            storeKitCode: SessionFailure.internalCode)
    }

    /// The journal could not keep what has to be kept before the store is asked; nothing was sent.
    static func notKept(_ error: any Error) -> ConnectionError {
        ConnectionError(
            .refused(status: 0), code: journalCode, "The journal of purchases cannot be written: \(error)")
    }
}

extension ConnectionError {
    /// What a store says of a request that it did not carry out, in the form of errors of its own interfaces.
    private struct Form: Decodable {
        struct Content: Decodable {
            var code: String
            var message: String
            var parameter: String?
            var request: String?
            var storeKitCode: Int?

            private enum CodingKeys: String, CodingKey {
                case code, message, parameter, storeKitCode
                case request = "request_id"
            }
        }

        var error: Content
    }

    /// What an answer that is no success says.
    init(_ answer: StoreAnswer) {
        let content = try? JSONDecoder().decode(Form.self, from: Data(answer.body)).error
        let isTrouble = answer.status >= 500 || answer.status == 408 || answer.status == 425
        let kind: Kind =
            content == nil && !isTrouble
            ? .malformed : isTrouble ? .unavailable : .refused(status: answer.status)
        let seconds = answer.fields["retry-after"].flatMap { Int($0) }.flatMap { (0...3600).contains($0) ? $0 : nil }
        self.init(
            kind, code: content?.code ?? "status_\(answer.status)",
            content?.message ?? "The store answered with the status \(answer.status).", parameter: content?.parameter,
            request: content?.request ?? answer.fields["x-request-id"], storeKitCode: content?.storeKitCode,
            retryAfter: seconds.map { .seconds($0) },
            storeTime: answer.fields["date"].flatMap { HTTPDate(parsing: $0) }.map {
                Instant(millisecondsSinceEpoch: Int64($0.secondsSince1970) * 1000)
            })
    }
}

extension ConnectionError {
    init(_ error: HTTPClientError) {
        let kind: Kind =
            error.code == .cancelled
            ? .cancelled : .unreachable(mayHaveHappened: error.outcome != .notSent)
        self.init(kind, code: error.code.rawValue, error.message)
    }
}

extension SessionFailure {
    /// What an app is told of a request that failed.
    package init(_ error: ConnectionError) {
        let code: Int
        var text = error.message
        switch error.kind {
        case .cancelled: code = error.storeKitCode ?? 2
        case .unreachable, .unavailable:
            code = error.storeKitCode ?? 0
            if code == 0 { text = "\(Self.unreachable): \(error.message)" }
        case .refused, .malformed: code = error.storeKitCode ?? Self.internalCode
        }
        self.init(code: code, reason: error.code, text: text, request: error.request)
    }
}

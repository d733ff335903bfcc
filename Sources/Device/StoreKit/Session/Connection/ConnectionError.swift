package import StoreModel

/// Why a request to the store has no answer that it asked for.
package struct ConnectionError: Error, Hashable, Sendable {
    // Closed: whoever handles an error has to know what may have been done.
    package enum Kind: Hashable, Sendable {
        /// Nobody answered. What the store did is not known unless it was certainly not sent.
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
    /// How long the store wants to be left alone.
    package let retryAfter: Duration?
    /// The time on the store's wall.
    package let storeTime: Instant?

    package init(
        _ kind: Kind, code: String, _ message: String, parameter: String? = nil, request: String? = nil,
        retryAfter: Duration? = nil, storeTime: Instant? = nil
    ) {
        self.kind = kind
        self.code = code
        self.message = message
        self.parameter = parameter
        self.request = request
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

    /// The status of a refusal.
    package var status: Int? {
        if case .refused(let status) = kind { status } else { nil }
    }
}

extension ConnectionError: CustomStringConvertible {
    package var description: String { request.map { "\(message) (\(code), request \($0))" } ?? "\(message) (\(code))" }
}

extension SessionFailure {
    /// What an app is told of a request that failed.
    package init(_ error: ConnectionError) {
        let code: Int =
            switch error.code {
            case "not_allowed": 4
            case "simulator": 5002
            case "product_unavailable": 5
            case "quantity_out_of_range", "value_invalid": 3
            default: error.kind == .cancelled ? 2 : 0
            }
        let text =
            switch error.kind {
            case .unreachable, .unavailable: "Cannot connect to the store: \(error.message)"
            default: error.message
            }
        self.init(code: code, reason: error.code, text: text, request: error.request)
    }
}

package import StoreModel

/// Why something that was asked for is not done: the form of all refusals of this module.
package protocol Refusal: Error, CustomStringConvertible {
    var code: RefusalCode { get }
    /// One sentence without its full stop, safe to log and to show.
    var message: String { get }
    /// The field of the request that it is about, if there is one.
    var parameter: String? { get }
    /// How long to wait before the same may succeed, if that is known.
    var retryAfter: Duration? { get }
}

extension Refusal {
    package var description: String { message }
    package var retryAfter: Duration? { nil }
}

/// Why a use case refused.
package struct ServiceError: Refusal, Hashable {
    package let code: RefusalCode
    /// One sentence that is safe to log and to show.
    package let message: String
    /// The field that it is about.
    package let parameter: String?
    package let retryAfter: Duration?

    package init(_ code: RefusalCode, _ message: String, parameter: String? = nil, retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.parameter = parameter
        self.retryAfter = retryAfter
    }
}

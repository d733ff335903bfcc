package import StoreModel

/// Why a use case refused.
package struct ServiceError: Error, Hashable, Sendable {
    package let code: RefusalCode
    /// One sentence that is safe to log and to show.
    package let message: String
    /// The field that it is about.
    package let parameter: String?

    package init(_ code: RefusalCode, _ message: String, parameter: String? = nil) {
        self.code = code
        self.message = message
        self.parameter = parameter
    }
}

extension ServiceError: CustomStringConvertible {
    package var description: String { message }
}

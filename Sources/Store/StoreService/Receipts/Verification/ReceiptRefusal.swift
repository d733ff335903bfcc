/// Why a receipt is not verified.
package struct ReceiptRefusal: Error, Hashable, Sendable {
    package let status: VerificationStatus
    /// One sentence for the developer, in ASCII, which never has a part of a receipt or a secret in it.
    package let reason: String

    package init(_ status: VerificationStatus, _ reason: String) {
        self.status = status
        self.reason = reason
    }
}

extension ReceiptRefusal: CustomStringConvertible {
    package var description: String { "\(status.rawValue): \(reason)" }
}

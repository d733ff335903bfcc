/// The number by which `verifyReceipt` tells what came of a request.
package struct VerificationStatus: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The receipt is valid.
    package static let valid = VerificationStatus(rawValue: 0)
    /// The request was not made with POST.
    package static let notPost = VerificationStatus(rawValue: 21000)
    /// What was sent is no receipt, or not in the form of one.
    package static let malformed = VerificationStatus(rawValue: 21002)
    /// The receipt was not made by this store, or was changed since.
    package static let notAuthentic = VerificationStatus(rawValue: 21003)
    /// The shared secret is missing or wrong.
    package static let wrongSecret = VerificationStatus(rawValue: 21004)
    /// The store cannot be asked at the moment.
    package static let unavailable = VerificationStatus(rawValue: 21005)
    /// The subscription of a transaction receipt is over; the receipt is valid.
    package static let expired = VerificationStatus(rawValue: 21006)
    /// A receipt of the sandbox was sent to production.
    package static let fromSandbox = VerificationStatus(rawValue: 21007)
    /// A receipt of production was sent to the sandbox.
    package static let fromProduction = VerificationStatus(rawValue: 21008)
    /// The books could not be read.
    package static let internalFailure = VerificationStatus(rawValue: 21009)
    /// The customer is not there any more.
    package static let noAccount = VerificationStatus(rawValue: 21010)
    /// The books could not be read just now; the same may succeed later.
    package static let retryableFailure = VerificationStatus(rawValue: 21100)
    /// The books could not be read, and will not be later.
    package static let lastingFailure = VerificationStatus(rawValue: 21199)

    /// Whether to try again, for the statuses whose answers tell that.
    package var isRetryable: Bool? {
        (21100...21199).contains(rawValue) ? self == .retryableFailure : nil
    }
}

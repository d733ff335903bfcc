import StoreDatabase
package import StoreModel
package import StoreSigning

/// What comes of a receipt that is genuine.
// Closed: there are two forms of receipts.
package enum Verification: Sendable {
    case app(AppVerification)
    case transaction(TransactionVerification)

    /// When it was verified, by the clock of the customer.
    package var at: Instant {
        switch self {
        case .app(let verified): verified.at
        case .transaction(let verified): verified.at
        }
    }

    /// The app whose receipt it is; nil if nothing was bought with it.
    package var app: AppID? {
        switch self {
        case .app(let verified): verified.account?.app
        case .transaction(let verified): verified.account.app
        }
    }
}

/// An app receipt, and what the books say of it today.
package struct AppVerification: Sendable {
    package let receipt: AppReceipt
    package let account: ReceiptAccount?
    let at: Instant
    /// Only of receipts with auto-renewable subscriptions.
    package let latest: Latest?

    /// How things stand now.
    package struct Latest: Sendable {
        /// A receipt made just now, signed.
        package let receipt: [UInt8]
        /// All transactions, the newest first.
        package let transactions: [ReceiptLine]
        /// What becomes of each subscription.
        package let renewals: [PendingRenewal]
    }
}

/// A receipt in the form of iOS 6, and what the books say of it today.
package struct TransactionVerification: Sendable {
    package let receipt: TransactionReceipt
    package let account: ReceiptAccount
    let at: Instant
    /// Only of auto-renewable subscriptions.
    package let latest: Latest?

    /// The newest period of the subscription.
    package struct Latest: Sendable {
        /// Its receipt, made just now and signed.
        package let signed: [UInt8]
        package let receipt: TransactionReceipt
        package let standing: ReceiptStanding
        /// Whether the subscription is over.
        package let isExpired: Bool
        /// What becomes of it.
        package let renewal: PendingRenewal?
    }
}

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

extension ReceiptRefusal {
    /// What a failure of the books is told as: whether it is worth trying again is what a developer has to know.
    init(_ error: DatabaseError) {
        switch error.code {
        case .unavailable, .closed, .queueFull: self.init(.unavailable, "the database is not to be had: \(error)")
        case .inputOutput, .full, .outOfMemory: self.init(.internalFailure, "the database fails: \(error)")
        case _ where error.isRetryable: self.init(.retryableFailure, "the database was too busy: \(error)")
        case .busy, .serialization, .timeout, .interrupted:
            self.init(.retryableFailure, "the database was too busy: \(error)")
        default: self.init(.lastingFailure, "the database cannot answer: \(error)")
        }
    }
}

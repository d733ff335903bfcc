/// Why a purchase has no transaction, or why a charge was not captured.
package struct PurchaseFailure: RawRepresentable, Hashable, Sendable {
    /// The code by which it is kept and reported: a word, and after a colon what the processor said.
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The customer said no.
    package static let cancelled = PurchaseFailure(rawValue: "cancelled")
    /// There was no answer in time.
    package static let expired = PurchaseFailure(rawValue: "expired")
    /// The device or the account is not allowed to buy.
    package static let notAllowed = PurchaseFailure(rawValue: "not_allowed")
    /// The product is not sold any more, or not in the storefront of the account.
    package static let productUnavailable = PurchaseFailure(rawValue: "product_unavailable")
    /// The account has no payment method.
    package static let noPaymentMethod = PurchaseFailure(rawValue: "no_payment_method")
    /// Another charge for what can be owned once is under way.
    package static let beingPaid = PurchaseFailure(rawValue: "being_paid")
    /// Another password was asked for instead of signing in.
    package static let passwordForgotten = PurchaseFailure(rawValue: "password_forgotten")
    /// The account was deleted.
    package static let accountGone = PurchaseFailure(rawValue: "account_gone")
    /// The bank wants the customer to act, and the customer is not there.
    package static let actionNeeded = PurchaseFailure.declined("action_needed")

    /// The processor declined the payment.
    package static func declined(_ code: String) -> PurchaseFailure {
        PurchaseFailure(rawValue: "\(declinedCode):\(code)")
    }
    /// The processor could not do it.
    package static func processor(_ code: String) -> PurchaseFailure {
        PurchaseFailure(rawValue: "\(processorCode):\(code)")
    }

    private static let declinedCode = "declined"
    private static let processorCode = "processor"
    package var isDecline: Bool { code == Self.declinedCode }
    /// Whether the processor could not do what it was asked.
    package var isOfProcessor: Bool { code == Self.processorCode }

    /// The word without what the processor said.
    package var code: String { String(rawValue.prefix { $0 != ":" }) }
    /// What the processor said; empty if it said nothing.
    package var detail: Substring { rawValue.dropFirst(code.count + 1) }
}

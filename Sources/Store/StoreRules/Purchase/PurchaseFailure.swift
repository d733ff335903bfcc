/// Why a purchase has no transaction.
package struct PurchaseFailure: RawRepresentable, Hashable, Sendable {
    /// The code by which it is kept and told: a word, and after a colon what the processor said.
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The customer said no.
    package static let cancelled = PurchaseFailure(rawValue: "cancelled")
    /// Nobody said anything in time.
    package static let expired = PurchaseFailure(rawValue: "expired")
    /// The device or the account is not allowed to buy.
    package static let notAllowed = PurchaseFailure(rawValue: "not_allowed")
    /// The product is not sold any more, or not in the storefront of the account.
    package static let productUnavailable = PurchaseFailure(rawValue: "product_unavailable")
    /// The account has no means to pay with.
    package static let noPaymentMethod = PurchaseFailure(rawValue: "no_payment_method")
    /// Another purchase of what can be owned once is being paid.
    package static let beingPaid = PurchaseFailure(rawValue: "being_paid")
    /// Somebody asked for another password instead of signing in.
    package static let passwordForgotten = PurchaseFailure(rawValue: "password_forgotten")
    /// The account was deleted.
    package static let accountGone = PurchaseFailure(rawValue: "account_gone")

    /// The processor refused the money.
    package static func declined(_ code: String) -> PurchaseFailure { PurchaseFailure(rawValue: "declined:\(code)") }
    /// The processor could not do it.
    package static func processor(_ code: String) -> PurchaseFailure {
        PurchaseFailure(rawValue: "\(processorCode):\(code)")
    }

    private static let processorCode = "processor"
    /// Whether the processor could not do what it was asked.
    package var isOfProcessor: Bool { code == Self.processorCode }

    /// The word without what the processor said.
    package var code: String { String(rawValue.prefix { $0 != ":" }) }
}

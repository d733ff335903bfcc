package import StoreModel

/// Why a purchase has no transaction, or why a charge was not captured.
package struct PurchaseFailure: RawRepresentable, Hashable, Sendable {
    /// The code by which it is kept and reported: a word, and after a colon what the processor said.
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    private init(_ code: RefusalCode, _ detail: String? = nil) {
        rawValue = detail.map { "\(code):\($0)" } ?? code.rawValue
    }

    /// The customer said no.
    package static let cancelled = PurchaseFailure(.cancelled)
    /// There was no answer in time.
    package static let expired = PurchaseFailure(.expired)
    /// The device or the account is not allowed to buy.
    package static let notAllowed = PurchaseFailure(.notAllowed)
    /// The product is not sold any more, or not in the storefront of the account.
    package static let productUnavailable = PurchaseFailure(.productUnavailable)
    /// The account has no payment method.
    package static let noPaymentMethod = PurchaseFailure(.noPaymentMethod)
    /// Another charge for what can be owned once is under way.
    package static let beingPaid = PurchaseFailure(.beingPaid)
    /// Another password was asked for instead of signing in.
    package static let passwordForgotten = PurchaseFailure(.passwordForgotten)
    /// The account was deleted.
    package static let accountGone = PurchaseFailure(.accountGone)
    /// The bank wants the customer to act, and the customer is not there.
    package static let actionNeeded = PurchaseFailure.declined("action_needed")

    /// The processor declined the payment.
    package static func declined(_ code: String) -> PurchaseFailure { PurchaseFailure(.declined, code) }
    /// The processor could not do it.
    package static func processor(_ code: String) -> PurchaseFailure { PurchaseFailure(.processor, code) }

    package var isDecline: Bool { code == .declined }
    /// Whether the processor could not do what it was asked.
    package var isOfProcessor: Bool { code == .processor }

    /// The word without what the processor said.
    package var code: RefusalCode { RefusalCode(rawValue: String(rawValue.prefix { $0 != ":" })) }

    /// What the processor said; nil if it said nothing.
    package var detail: String? {
        let detail = rawValue.drop { $0 != ":" }.dropFirst()
        return detail.isEmpty ? nil : String(detail)
    }
}

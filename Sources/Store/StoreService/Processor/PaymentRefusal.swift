/// Why a payment was declined, or why taking or giving back failed, as a word that programs know. Processors have words of
/// their own besides these.
package struct PaymentRefusal: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package var description: String { rawValue }

    /// The bank says no and does not say why.
    package static let cardDeclined = PaymentRefusal(rawValue: "card_declined")
    package static let insufficientFunds = PaymentRefusal(rawValue: "insufficient_funds")
    package static let expiredCard = PaymentRefusal(rawValue: "expired_card")
    package static let incorrectSecurityCode = PaymentRefusal(rawValue: "incorrect_security_code")
    package static let lostCard = PaymentRefusal(rawValue: "lost_card")
    package static let stolenCard = PaymentRefusal(rawValue: "stolen_card")
    package static let suspectedFraud = PaymentRefusal(rawValue: "suspected_fraud")
    /// The bank does not take this currency.
    package static let currencyNotSupported = PaymentRefusal(rawValue: "currency_not_supported")
    /// The processor does not know the means of payment, or it was taken away.
    package static let methodUnknown = PaymentRefusal(rawValue: "method_unknown")
    /// The customer did not do what was asked of them, or failed at it.
    package static let actionFailed = PaymentRefusal(rawValue: "action_failed")
    /// What was reserved could not be taken.
    package static let captureFailed = PaymentRefusal(rawValue: "capture_failed")
    /// What was taken could not be given back.
    package static let refundFailed = PaymentRefusal(rawValue: "refund_failed")
}

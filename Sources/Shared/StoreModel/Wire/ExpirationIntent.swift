/// Why a subscription expired.
public struct ExpirationIntent: WireValue {
    /// The value on the wire.
    public let rawValue: Int

    /// Any value, known or not.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The customer cancelled it.
    public static let cancelled = ExpirationIntent(rawValue: 1)
    /// It could not be paid.
    public static let billingError = ExpirationIntent(rawValue: 2)
    /// The customer did not consent to a higher price.
    public static let priceIncreaseNotConsented = ExpirationIntent(rawValue: 3)
    /// The product was no longer sold when it was to renew.
    public static let productUnavailable = ExpirationIntent(rawValue: 4)
    /// Any other reason.
    public static let other = ExpirationIntent(rawValue: 5)

    /// The values that this version knows.
    public static let known: Set<ExpirationIntent> = [
        .cancelled, .billingError, .priceIncreaseNotConsented, .productUnavailable, .other,
    ]
}

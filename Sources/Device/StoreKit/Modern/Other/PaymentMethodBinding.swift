/// A way to pay that an app adds to the customer's account. This store has no program for it.
public struct PaymentMethodBinding: Sendable, Hashable, Identifiable {
    /// What names the way to pay.
    public let id: String

    /// Fails with ``PaymentMethodBindingError/notEligible``.
    public init(id: String) async throws {
        throw PaymentMethodBindingError.notEligible
    }

    /// Fails with ``PaymentMethodBindingError/notEligible``.
    public func bind() async throws {
        throw PaymentMethodBindingError.notEligible
    }

    /// Why a way to pay was not added.
    public enum PaymentMethodBindingError: Error, Equatable, Hashable, Sendable {
        /// The app or the customer may not do it.
        case notEligible
        /// There is no such way to pay.
        case invalidPinningID
        /// Something else failed.
        case failed
    }
}

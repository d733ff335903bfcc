public import Foundation
import StoreFoundation

/// Why something of the store did not come about.
public enum StoreKitError: Error, Sendable {
    /// Something that has no name.
    case unknown
    /// The customer cancelled it.
    case userCancelled
    /// The store could not be reached.
    case networkError(URLError)
    /// Something else failed, which the error says.
    case systemError(any Error)
    /// It is not sold in the storefront of the customer.
    case notAvailableInStorefront
    /// The app may not do this.
    case notEntitled
    /// This device or this store cannot do this.
    case unsupported
}

extension StoreKitError: LocalizedError {
    /// What happened, in a sentence for the person before the screen.
    public var errorDescription: String? {
        switch self {
        case .unknown, .systemError: CurrentSession.texts("error.other")
        case .userCancelled: CurrentSession.texts("error.2")
        case .networkError: CurrentSession.texts("error.0")
        case .notAvailableInStorefront: CurrentSession.texts("error.5")
        case .notEntitled: CurrentSession.texts("error.1")
        case .unsupported: CurrentSession.texts("error.19")
        }
    }

    /// Why it happened, if another error says so.
    public var failureReason: String? {
        switch self {
        case .networkError(let error): error.localizedDescription
        case .systemError(let error): error.localizedDescription
        default: nil
        }
    }

    /// What can be done about it; nothing is known that the description does not say.
    public var recoverySuggestion: String? { nil }
}

public import Foundation

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

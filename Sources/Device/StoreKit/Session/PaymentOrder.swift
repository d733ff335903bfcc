import Foundation

/// A payment as it was when it was added: later changes to the app's object do not reach it.
package struct PaymentOrder: Hashable, Sendable {
    package var productIdentifier: String
    package var quantity: Int
    package var applicationUsername: String?
    package var simulatesAskToBuyInSandbox: Bool
    package var requestData: Data?
    package var discount: DiscountOrder?

    package init(
        productIdentifier: String, quantity: Int = 1, applicationUsername: String? = nil,
        simulatesAskToBuyInSandbox: Bool = false, requestData: Data? = nil, discount: DiscountOrder? = nil
    ) {
        self.productIdentifier = productIdentifier
        self.quantity = quantity
        self.applicationUsername = applicationUsername
        self.simulatesAskToBuyInSandbox = simulatesAskToBuyInSandbox
        self.requestData = requestData
        self.discount = discount
    }
}

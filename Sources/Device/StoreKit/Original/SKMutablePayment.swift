/// An order that is being filled in.
// Safe: belongs to who makes it, until the queue takes a copy.
open class SKMutablePayment: SKPayment, @unchecked Sendable {
    /// A payment for the product of an identifier, without having asked the store about it.
    open override class func payment(withProductIdentifier identifier: String) -> Any {
        SKMutablePayment(order: PaymentOrder(productIdentifier: identifier))
    }

    /// What names the person's account with the developer; best a UUID, which the store keeps.
    open override var applicationUsername: String? {
        get { order.applicationUsername }
        set { order.applicationUsername = newValue }
    }

    /// The promotional offer that the payment uses.
    open override var paymentDiscount: SKPaymentDiscount? {
        get { super.paymentDiscount }
        set { order.discount = newValue.map(DiscountOrder.init) }
    }

    /// What names the product to the store.
    open override var productIdentifier: String {
        get { order.productIdentifier }
        set { order.productIdentifier = newValue }
    }

    /// How many are bought, 1 unless set.
    open override var quantity: Int {
        get { order.quantity }
        set { order.quantity = newValue }
    }

    /// Kept for the store; leave it nil.
    open override var requestData: Data? {
        get { order.requestData }
        set { order.requestData = newValue }
    }

    /// Whether the sandbox asks a parent first.
    open override var simulatesAskToBuyInSandbox: Bool {
        get { order.simulatesAskToBuyInSandbox }
        set { order.simulatesAskToBuyInSandbox = newValue }
    }
}

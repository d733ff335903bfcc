/// An order of one product, once or several times.
// Safe: only SKMutablePayment changes it, and the queue takes a copy when it is added.
open class SKPayment: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    final var order = PaymentOrder(productIdentifier: "")

    /// Makes a payment for no product, to be filled in or subclassed.
    public override init() { super.init() }

    /// Makes a payment for one of a product.
    public convenience init(product: SKProduct) {
        self.init()
        order.productIdentifier = product.productIdentifier
    }

    convenience init(order: PaymentOrder) {
        self.init()
        self.order = order
    }

    /// A payment for the product of an identifier, without having asked the store about it.
    open class func payment(withProductIdentifier identifier: String) -> Any {
        SKPayment(order: PaymentOrder(productIdentifier: identifier))
    }

    /// What names the product to the store.
    open var productIdentifier: String { order.productIdentifier }

    /// Kept for the store; nothing.
    open var requestData: Data? { order.requestData }

    /// How many are bought, 1 unless set.
    open var quantity: Int { order.quantity }

    /// What names the person's account with the developer; best a UUID, which the store keeps.
    open var applicationUsername: String? { order.applicationUsername }

    /// Whether the sandbox asks a parent first.
    open var simulatesAskToBuyInSandbox: Bool { order.simulatesAskToBuyInSandbox }

    /// The promotional offer that the payment uses.
    open var paymentDiscount: SKPaymentDiscount? { order.discount.map(SKPaymentDiscount.init(order:)) }

    /// A payment that does not change.
    open func copy(with zone: NSZone? = nil) -> Any { SKPayment(order: PaymentOrder(self)) }

    /// A payment that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { SKMutablePayment(order: PaymentOrder(self)) }
}

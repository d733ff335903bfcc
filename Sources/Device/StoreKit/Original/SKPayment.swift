/// An order of one product, once or several times.
// Safe: only SKMutablePayment changes it, and the queue takes a copy when it is added.
open class SKPayment: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    final var content = Payment("")

    /// Makes a payment for no product, to be filled in or subclassed.
    public override init() { super.init() }

    /// Makes a payment for one of a product.
    public convenience init(product: SKProduct) {
        self.init()
        content.product = product.productIdentifier
    }

    convenience init(_ content: Payment) {
        self.init()
        self.content = content
    }

    /// A payment for the product of an identifier, without having asked the store about it.
    open class func payment(withProductIdentifier identifier: String) -> Any {
        SKPayment(Payment(identifier))
    }

    /// What names the product to the store.
    open var productIdentifier: String { content.product }

    /// Kept for the store; nil.
    open var requestData: Data? { content.requestData }

    /// How many are bought, 1 unless set.
    open var quantity: Int { content.quantity }

    /// What names the person's account with the developer; best a UUID, which the store keeps.
    open var applicationUsername: String? { content.username }

    /// Whether the sandbox asks a parent first.
    open var simulatesAskToBuyInSandbox: Bool { content.simulatesAskToBuyInSandbox }

    /// The promotional offer that the payment uses.
    open var paymentDiscount: SKPaymentDiscount? { content.discount.map(SKPaymentDiscount.init) }

    /// A payment that does not change.
    open func copy(with zone: NSZone? = nil) -> Any { SKPayment(Payment(self)) }

    /// A payment that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { SKMutablePayment(Payment(self)) }
}

/// An order that is being filled in.
// Safe: it belongs to its maker until the queue takes a copy.
open class SKMutablePayment: SKPayment, @unchecked Sendable {
    /// A payment for the product of an identifier, without having asked the store about it.
    open override class func payment(withProductIdentifier identifier: String) -> Any {
        SKMutablePayment(Payment(identifier))
    }

    /// What names the person's account with the developer; best a UUID, which the store keeps.
    open override var applicationUsername: String? {
        get { content.username }
        set { content.username = newValue }
    }

    /// The promotional offer that the payment uses.
    open override var paymentDiscount: SKPaymentDiscount? {
        get { super.paymentDiscount }
        set { content.discount = newValue.map(Payment.Discount.init) }
    }

    /// What names the product to the store.
    open override var productIdentifier: String {
        get { content.product }
        set { content.product = newValue }
    }

    /// How many are bought, 1 unless set.
    open override var quantity: Int {
        get { content.quantity }
        set { content.quantity = newValue }
    }

    /// Kept for the store; leave it nil.
    open override var requestData: Data? {
        get { content.requestData }
        set { content.requestData = newValue }
    }

    /// Whether the sandbox asks a parent first.
    open override var simulatesAskToBuyInSandbox: Bool {
        get { content.simulatesAskToBuyInSandbox }
        set { content.simulatesAskToBuyInSandbox = newValue }
    }
}

/// A promotional offer with the signature of the developer's server.
// Safe: what it holds never changes.
open class SKPaymentDiscount: NSObject, @unchecked Sendable {
    private let content: Payment.Discount
    private let time: NSNumber

    /// Makes an offer of what the developer's server signed.
    public init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: NSNumber) {
        content = Payment.Discount(
            identifier: identifier, keyIdentifier: keyIdentifier, nonce: nonce, signature: signature,
            timestamp: timestamp.int64Value)
        time = timestamp
        super.init()
    }

    /// Makes an offer without content, to be subclassed in tests.
    public override init() {
        content = Payment.Discount(identifier: "", keyIdentifier: "", nonce: UUID(), signature: "", timestamp: 0)
        time = 0
        super.init()
    }

    convenience init(_ content: Payment.Discount) {
        self.init(
            identifier: content.identifier, keyIdentifier: content.keyIdentifier, nonce: content.nonce,
            signature: content.signature, timestamp: NSNumber(value: content.timestamp))
    }

    /// What names the offer.
    open var identifier: String { content.identifier }

    /// What names the key that signed the offer.
    open var keyIdentifier: String { content.keyIdentifier }

    /// The random value that makes the signature good for one use.
    open var nonce: UUID { content.nonce }

    /// The signature in Base64.
    open var signature: String { content.signature }

    /// When the offer was signed, in milliseconds since 1970.
    open var timestamp: NSNumber { time }
}

extension Payment {
    /// What a payment says now, through the properties that a subclass may have overridden.
    init(_ payment: SKPayment) {
        self.init(
            payment.productIdentifier, quantity: payment.quantity, username: payment.applicationUsername,
            simulatesAskToBuyInSandbox: payment.simulatesAskToBuyInSandbox, requestData: payment.requestData,
            discount: payment.paymentDiscount.map(Discount.init))
    }
}

extension Payment.Discount {
    init(_ discount: SKPaymentDiscount) {
        self.init(
            identifier: discount.identifier, keyIdentifier: discount.keyIdentifier, nonce: discount.nonce,
            signature: discount.signature, timestamp: discount.timestamp.int64Value)
    }
}

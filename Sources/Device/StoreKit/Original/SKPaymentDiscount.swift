/// A promotional offer with the signature of the developer's server.
// Safe: what it holds never changes.
open class SKPaymentDiscount: NSObject, @unchecked Sendable {
    private let order: DiscountOrder
    private let time: NSNumber

    /// Makes an offer of what the developer's server signed.
    public init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: NSNumber) {
        order = DiscountOrder(
            identifier: identifier, keyIdentifier: keyIdentifier, nonce: nonce, signature: signature,
            timestamp: timestamp.int64Value)
        time = timestamp
        super.init()
    }

    /// Makes an offer without content, to be subclassed in tests.
    public override init() {
        order = DiscountOrder(identifier: "", keyIdentifier: "", nonce: UUID(), signature: "", timestamp: 0)
        time = 0
        super.init()
    }

    convenience init(order: DiscountOrder) {
        self.init(
            identifier: order.identifier, keyIdentifier: order.keyIdentifier, nonce: order.nonce,
            signature: order.signature, timestamp: NSNumber(value: order.timestamp))
    }

    /// What names the offer.
    open var identifier: String { order.identifier }

    /// What names the key that signed the offer.
    open var keyIdentifier: String { order.keyIdentifier }

    /// The random value that makes the signature good for one use.
    open var nonce: UUID { order.nonce }

    /// The signature in Base64.
    open var signature: String { order.signature }

    /// When the offer was signed, in milliseconds since 1970.
    open var timestamp: NSNumber { time }
}

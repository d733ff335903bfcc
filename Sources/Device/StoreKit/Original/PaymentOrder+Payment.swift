extension PaymentOrder {
    /// What a payment says now, through the properties that a subclass may have overridden.
    init(_ payment: SKPayment) {
        self.init(
            productIdentifier: payment.productIdentifier, quantity: payment.quantity,
            applicationUsername: payment.applicationUsername,
            simulatesAskToBuyInSandbox: payment.simulatesAskToBuyInSandbox, requestData: payment.requestData,
            discount: payment.paymentDiscount.map(DiscountOrder.init))
    }
}

extension DiscountOrder {
    init(_ discount: SKPaymentDiscount) {
        self.init(
            identifier: discount.identifier, keyIdentifier: discount.keyIdentifier, nonce: discount.nonce,
            signature: discount.signature, timestamp: discount.timestamp.int64Value)
    }
}

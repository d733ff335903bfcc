/// How long things may take, by the clock on the wall.
package enum PurchaseLimits {
    /// To sign in and say yes. What nobody confirmed by then is over.
    package static let confirmation = Duration.seconds(30 * 60)
    /// To do what the bank or the store asks for.
    package static let action = Duration.seconds(24 * 60 * 60)
    /// Until somebody looks what became of a question to the processor that got no answer.
    package static let inquiry = Duration.seconds(20)
    /// The most purchases of one account that wait for something.
    package static let openPurchases = 100
}

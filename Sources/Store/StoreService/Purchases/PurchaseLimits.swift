/// How long things may take, by the clock on the wall.
package enum PurchaseLimits {
    /// To sign in and say yes. What nobody confirmed by then is over.
    package static let confirmation = Duration.seconds(30 * 60)
    /// To do what the bank or the store asks for.
    package static let action = Duration.seconds(24 * 60 * 60)
    /// To get the processor to hold the money after the customer said yes: until then it is asked again as often as it knows
    /// nothing of the question.
    package static let asking = Duration.seconds(60 * 60)
    /// After that, until a purchase is over of which the processor still knows nothing. Nobody asks any more, so that the
    /// last question has arrived by then or never will.
    package static let silence = Duration.seconds(15 * 60)
    /// Until somebody looks for the last time whether a question arrived all the same.
    package static let echo = Duration.seconds(24 * 60 * 60)
    /// Until somebody looks what became of a question to the processor that got no answer.
    package static let inquiry = Duration.seconds(20)
    /// Until somebody looks again whether the customer has done what the bank asks for.
    package static let actionInquiry = Duration.seconds(5 * 60)
    /// The most secrets that confirm a purchase at one time, each given to one request that opened it.
    package static let secrets = 4
    /// The most purchases of one device that wait for something.
    package static let openPurchases = 100
}

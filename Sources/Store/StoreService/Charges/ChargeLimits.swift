/// How long things may take, by the wall clock.
package enum ChargeLimits {
    /// To act at the bank.
    package static let action = Duration.seconds(24 * 60 * 60)
    /// To choose another card on the page after one was declined.
    package static let choice = Duration.seconds(15 * 60)
    /// To get an authorisation after the customer said yes: until then the processor is asked again as often as it knows
    /// nothing of the request.
    package static let asking = Duration.seconds(60 * 60)
    /// After that, until a charge is released of which the processor still knows nothing. It is not asked any more, so
    /// the last request has arrived by then, or almost certainly never will.
    package static let silence = Duration.seconds(15 * 60)
    /// How long a released charge is watched for an authorisation that arrives all the same.
    package static let lateWatch = Duration.seconds(24 * 60 * 60)
    /// Until a request to the processor that got no answer is looked up.
    package static let inquiry = Duration.seconds(20)
    /// Until the processor is asked again whether the customer has acted at the bank.
    package static let actionInquiry = Duration.seconds(5 * 60)
}

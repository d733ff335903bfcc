public import StoreModel

/// Whether an app may ask a customer about a subscription now: to buy it again, to let it renew, or to pay in another
/// way.
///
/// Nobody is asked twice in a period, on whatever device, nor sooner than ``shortestPause`` after the last time, nor
/// where there is nothing to ask.
struct PromptRule: Hashable, Sendable {
    /// The time between two questions about one subscription, at least.
    let shortestPause: BillingPeriod
    /// Why that is no shorter, in the developer's words.
    let reason: String?

    init(shortestPause: BillingPeriod, because reason: String? = nil) {
        (self.shortestPause, self.reason) = (shortestPause, reason)
    }

    /// How long before the end of a period that does not renew a customer may be asked.
    static let lead = Duration.seconds(3 * 24 * 60 * 60)

    /// Decides from how a subscription stands and when its customer was asked before.
    ///
    /// - Parameters:
    ///   - inPeriod: when the customer was asked in the period that counts; nil if not.
    ///   - last: when the customer was asked the last time, in whatever period.
    func decide(
        _ standing: BackendSubscription, askedInPeriod inPeriod: Instant?, last: Instant?, at now: Instant
    ) -> PromptDecision {
        switch standing.state {
        case .revoked:
            return PromptDecision(.revoked, "The period was refunded or withdrawn; the customer comes back unasked.")
        case .active where standing.renews ?? true:
            return PromptDecision(.renews, "The subscription runs and renews by itself.")
        default: break
        }
        if let inPeriod {
            return PromptDecision(.asked, "The customer was asked in this period, at \(inPeriod.rfc3339).")
        }
        if standing.state == .active, now < standing.until - Self.lead {
            return PromptDecision(
                .runs, "The subscription runs until \(standing.until.rfc3339).", notBefore: standing.until - Self.lead)
        }
        if let last, case let next = last.adding(shortestPause), now < next {
            let words = reason.map { " \($0)" } ?? ""
            return PromptDecision(
                .tooSoon, "The customer was asked at \(last.rfc3339), and not again before \(next.rfc3339).\(words)",
                notBefore: next)
        }
        return PromptDecision(.ask, "The customer was not asked in this period.")
    }
}

/// Whether an app may ask a customer about a subscription, and why or why not.
public struct PromptDecision: Hashable, Sendable {
    /// The kinds of decisions.
    public typealias Code = PromptAnswer.Code

    /// The decision.
    public var code: Code
    /// Why, in a sentence.
    public var reason: String
    /// When it may be different, if only time has to pass.
    public var notBefore: Instant?

    /// Whether the app may ask.
    public var mayPrompt: Bool { code == .ask }

    init(_ code: Code, _ reason: String, notBefore: Instant? = nil) {
        (self.code, self.reason, self.notBefore) = (code, reason, notBefore)
    }
}

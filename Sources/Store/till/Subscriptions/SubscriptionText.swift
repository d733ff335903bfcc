import CommandOptions
import Foundation
import StoreFoundation
import StoreModel
import StoreRules
import StoreServer
import StoreService

/// Subscriptions in lines of text.
enum SubscriptionText {
    static func lines(_ details: SubscriptionDetails) -> [String] {
        let one = details.subscription
        var lines = [
            "Subscription \(one.subscriptionId) \(word(one.state)): \(one.productId) of \(one.bundleId)",
            "  \(details.summary)",
            "  \(one.price.amount) \(one.price.currency) for \(one.period) in \(one.storefront), "
                + "from \(one.startsAt.rfc3339) to \(one.endsAt.rfc3339)",
            "  of customer \(one.customerId), paid with \(details.paymentMethod.map(text) ?? "nothing"); since "
                + "\(one.beganAt.rfc3339), \(one.renewals) \(one.renewals == 1 ? "renewal" : "renewals")",
        ]
        if let offer = one.offer { lines.append("  offer now: \(text(offer))") }
        if let offer = one.renewal?.offer { lines.append("  offer next: \(text(offer))") }
        if let increase = one.priceIncrease {
            let state = increase.isAgreed ? "agreed to" : increase.needsConsent ? "waits for consent" : "told"
            lines.append(
                "  price increase to \(increase.price.amount) \(increase.price.currency), \(state), since "
                    + increase.askedAt.rfc3339)
        }
        if let ends = one.graceEndsAt { lines.append("  grace period until \(ends.rfc3339)") }
        if let next = one.nextAttempt { lines.append("  next attempt at \(next.rfc3339)") }
        if let ends = one.retryEndsAt { lines.append("  billing retry until \(ends.rfc3339)") }
        if let charge = details.charge {
            let failure = charge.failure.map { ": \(text($0.message))" } ?? ""
            lines.append(
                "  charge \(charge.purchaseId) of \(charge.amount.amount) \(charge.amount.currency) is \(charge.state), "
                    + "attempt \(charge.attempt)\(failure)")
        }
        lines.append("Periods")
        lines += details.periods.map(line)
        lines.append("History")
        return lines
            + details.history.map { entry in
                let more = [entry.detail, entry.requestId.map { "request \($0)" }].compactMap(\.self).map(text)
                return "  \(entry.date.rfc3339)  \(text(entry.text))"
                    + (more.isEmpty ? "" : "  (\(more.joined(separator: "; ")))")
            }
    }

    private static func line(_ period: SubscriptionDetails.Period) -> String {
        let end =
            period.revokedAt.map { "  taken back \($0.rfc3339)" }
            ?? period.upgradedAt.map { "  upgraded \($0.rfc3339)" } ?? ""
        return
            "  \(period.transactionId)  \(period.startsAt.rfc3339) to \(period.endsAt.rfc3339)  \(period.productId)  "
            + "\(period.price.amount) \(period.price.currency)  \(period.reason.rawValue.lowercased())\(end)"
    }

    /// What the figures of the overview say.
    static func lines(_ figures: SubscriptionFiguresReport) -> [String] {
        guard figures.running + figures.ended + figures.inBillingRetry > 0 else { return [] }
        var lines = [
            "Subscriptions: \(figures.running) run; of 30 days: \(figures.renewals) renewals, \(figures.ended) ended"
                + (figures.churn.map { ", churn \(percent($0))" } ?? "")
                + (figures.trialConversion.map { ", of \(figures.trials) trials \(percent($0)) paid" } ?? "")
        ]
        let monthly = figures.monthly.map { "\($0.amount.amount) \($0.amount.currency) (\($0.count))" }
        if !monthly.isEmpty { lines.append("Monthly recurring revenue: \(monthly.joined(separator: ", "))") }
        if figures.inBillingRetry + figures.inGracePeriod > 0 {
            lines.append(
                "billing retry: \(figures.inBillingRetry) cannot be paid and do not count, \(figures.inGracePeriod) are in "
                    + "their grace period: till subscriptions list --state retry")
        }
        return lines
    }

    private static func percent(_ thousandths: Int) -> String { "\(thousandths / 10).\(thousandths % 10) %" }

    private static func word(_ state: WireWord<Subscription.State>) -> String {
        state.value.map(SubscriptionSummary.word) ?? text(state.rawValue)
    }

    private static func text(_ offer: SubscriptionReport.Offer) -> String {
        "\(offer.offerId.map(text) ?? "introductory"), \(offer.paymentMode), \(offer.price.amount) "
            + "\(offer.price.currency) for \(offer.period)\(offer.periodCount > 1 ? " × \(offer.periodCount)" : "")"
    }

    private static func text(_ text: String) -> String { PrintableText(text, limit: 200).description }
}

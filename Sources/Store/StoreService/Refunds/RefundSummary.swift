import StoreCatalogue
package import StoreModel
import StoreRules

/// A request for a refund in words. Commands, answers and pages say the same.
package enum RefundSummary {
    /// What happened and whose act it was, of a line of the history.
    package static func sentence(_ line: StoredRefundRequest.Line, of request: StoredRefundRequest) -> String {
        let (who, because) = (Actor.phrase(of: line.actor), line.detail.map { ": \($0)" } ?? "")
        return switch line.event {
        case nil: "Asked for\(who): \(reason(request.reason))"
        case .approved: "Approved\(who)\(because)"
        case .declined: "Declined\(who)\(because)"
        case .withdrawn: "Withdrawn\(who)\(because)"
        case .refunded: "The money was given back"
        case .refused: "The processor gave nothing back\(because)"
        case .reversed: "Reversed\(who)\(because)"
        }
    }

    /// Why a customer asks.
    package static func reason(_ reason: RefundRequestReason) -> String {
        switch reason {
        case .unintended: "the customer did not mean to buy it"
        case .fulfillment: "it was not delivered, or does not work"
        case .unsatisfied: "it is not what was expected"
        case .legal: "the law says so"
        case .other: "another reason"
        default: reason.rawValue.lowercased().replacing("_", with: " ")
        }
    }

    /// What a developer answers of it.
    package static func sentence(_ answer: Consumption) -> String {
        var words = "It \(delivery(answer.deliveryStatus))"
        if let share = answer.consumptionPercentage { words += ", \(percent(share)) % was consumed" }
        if let wish = answer.refundPreference { words += "; the developer would \(preference(wish))" }
        if let first = answer.firstVersion { words += " (\(first.words.joined(separator: "; ")))" }
        return words
    }

    /// A share, which is kept in thousandths of a percent, in percent.
    package static func percent(_ share: Int) -> String {
        let rest = share % 1000
        guard rest > 0 else { return "\(share / 1000)" }
        let digits = String(1000 + rest).dropFirst()
        return "\(share / 1000).\(digits.prefix(through: digits.lastIndex { $0 != "0" } ?? digits.startIndex))"
    }

    /// How it was delivered, after `it`.
    package static func delivery(_ status: ConsumptionDeliveryStatus) -> String {
        switch status {
        case .delivered: "was delivered, and works"
        case .qualityIssue: "was of poor quality"
        case .wrongItem: "was something else"
        case .serverOutage: "was not delivered: the server was out"
        default: "was not delivered"
        }
    }

    /// What a developer would do.
    package static func preference(_ wish: ConsumptionRefundPreference) -> String {
        switch wish {
        case .decline: "give nothing back"
        case .full: "give all back"
        case .prorated: "give back what was not used"
        default: "decide otherwise"
        }
    }
}

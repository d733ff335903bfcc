import StoreCatalogue
import StoreModel
import StoreRules
import StoreService

/// What can be done with a subscription, by its name in paths.
// Closed: each has its question.
enum SubscriptionAct: String, CaseIterable {
    case cancellation, resumption, `extension`, expiry, renewal, failure, resolution, agreement, refusal

    var isOfSandbox: Bool { [.expiry, .renewal, .failure].contains(self) }
}

/// What can be done with a subscription, and what is asked before.
extension SubscriptionPage {
    private var possible: [SubscriptionAct] {
        let isSandbox = visit.environment == .sandbox
        let (isLive, isOwed) = (rules.state.isLive, rules.state == .grace || rules.state == .retry)
        return SubscriptionAct.allCases.filter { act in
            switch act {
            case .cancellation: isLive && rules.renews
            case .resumption: isLive && !rules.renews && details.renewalLimit.map { rules.renewals < $0 } ?? true
            case .extension: rules.extensionObstacle(at: details.now) == nil
            case .expiry: isSandbox && isLive
            case .renewal: isSandbox && rules.state == .active && rules.renews && rules.openIncrease == nil
            case .failure: isSandbox && isLive && rules.renews
            case .resolution: isOwed
            case .agreement, .refusal: isLive && rules.increase.map { !$0.holds } ?? false
            }
        }
    }

    @HTMLBuilder var actions: [any HTML] {
        if visit.may(.secrets) {
            NotificationsSection.told(of: subscription.original, in: subscription.scope.bundle, visit)
        }
        if asking == nil, visit.may(.customers, change: true) {
            for act in possible {
                if act == .resumption {
                    visit.form("\(path)/\(act.rawValue)") {
                        button { heading(act) }
                    }
                } else {
                    a(
                        .class(act == .expiry ? "button danger" : "button"),
                        .href(visit.link("\(path)/\(act.rawValue)"))
                    ) { heading(act) + "…" }
                }
            }
        }
    }

    /// What will happen, and the button that does it.
    @HTMLBuilder var question: [any HTML] {
        if let asking {
            visit.form("\(path)/\(asking.rawValue)", .class("card ask")) {
                h2 { heading(asking) }
                p { consequence(asking) }
                if asking == .extension { extensionFields }
                if visit.environment == .sandbox { methods(asking) }
                div(.class("row")) {
                    button(.class("primary")) { heading(asking) }
                    a(.class("button"), .href(visit.link(path))) { "Back" }
                }
            }
        }
    }

    @HTMLBuilder private func methods(_ act: SubscriptionAct) -> [any HTML] {
        let choices: [(token: String, text: String)] =
            switch act {
            case .failure: [("test_declined", "a card that is declined"), ("test_insufficient_funds", "an empty card")]
            case .resolution: [("test_approved", "a card that is approved"), ("", "what the tester pays with now")]
            default: []
            }
        if !choices.isEmpty {
            label {
                "The tester pays with: "
                select(.name("method")) { for choice in choices { option(.value(choice.token)) { choice.text } } }
            }
        }
    }

    @HTMLBuilder private var extensionFields: [any HTML] {
        label {
            "Days, 1 to 90: "
            input(.name("days"), .inputMode("numeric"), .longest(2), .class("short"), .isRequired)
        }
        label {
            "Why: "
            select(.name("reason")) {
                for one in ExtendReasonCode.known.sorted(by: { $0.rawValue < $1.rawValue }) {
                    option(.value("\(one.rawValue)")) { SubscriptionSummary.reason(one) }
                }
            }
        }
    }

    private func heading(_ act: SubscriptionAct) -> String {
        switch act {
        case .cancellation: "Turn renewal off"
        case .resumption: "Turn renewal on"
        case .extension: "Extend it"
        case .expiry: "End it now"
        case .renewal: "Renew it now"
        case .failure: "Let the next payment fail"
        case .resolution: "Try the payment now"
        case .agreement: "Agree to the price"
        case .refusal: "Refuse the price"
        }
    }

    private func consequence(_ act: SubscriptionAct) -> String {
        let (end, due) = (text(rules.countsUntil), text(rules.endsAt))
        let raised = rules.increase.map { text($0.price) } ?? ""
        return switch act {
        case .cancellation:
            rules.state == .retry
                ? "\(who) has had nothing since \(due), and the payment is not tried again: it ends at once."
                : "\(who) keeps \(name) until \(end); then it ends, and \(text(details.renewalPrice)) is not charged. It can be "
                    + "turned on again until then."
        case .resumption: "It renews at \(due) for \(text(details.renewalPrice))."
        case .extension:
            "\(who) keeps \(name) for so many days beyond \(due) without paying, and later periods are counted from there. A "
                + "subscription is extended twice within 365 days at most. Every device is told."
        case .expiry:
            "\(who) loses \(name) now instead of at \(end). No money is given back, and it does not renew. Every device is "
                + "told."
        case .renewal:
            "What is left of the period until \(due) is lost, and \(who) is charged "
                + "\(text(details.renewalPrice)) for the next one now, with \(details.method?.label ?? "nothing to pay with")."
        case .failure:
            "Everything that \(who) buys is declined from now on, until the tester pays with something else. The next payment "
                + "is \(text(details.renewalPrice)) at \(due)."
        case .resolution:
            "\(who) is charged \(text(details.renewalPrice)) now. If it is paid, \(name) counts again from now on."
        case .agreement:
            "For \(who): from \(due) on, a period costs \(raised) instead of \(text(rules.plan.price))."
        case .refusal: "For \(who): \(name) ends at \(end), because without consent it cannot cost \(raised)."
        }
    }

    // MARK: Without the console

    var alternative: ConsolePage.Alternative {
        let id = subscription.original
        let request = "POST \(path)"
        return switch asking {
        case nil: .init(command: "subscriptions show \(id)", request: path)
        case .cancellation: .init(command: "subscriptions cancel \(id)", request: "\(request)/cancellation")
        case .resumption: .init(command: "subscriptions resume \(id)", request: "\(request)/resumption")
        case .extension:
            .init(
                command: "subscriptions extend one \(id) --days 7", request: "\(request)/extension",
                body: #"{"days":7}"#)
        case .expiry: .init(command: "subscriptions expire \(id)", request: "\(request)/expiry")
        case .renewal: .init(command: "subscriptions renew \(id)", request: "\(request)/renewal")
        case .failure:
            .init(
                command: "subscriptions fail \(id)",
                request: "POST /customers/\(subscription.scope.customer)/payment-methods",
                body: #"{"token":"test_declined"}"#)
        case .resolution:
            .init(command: "subscriptions resolve \(id) --pay-with test_approved", request: "\(request)/resolution")
        case .agreement:
            .init(
                command: "subscriptions price agree \(id)", request: "\(request)/price-answer",
                body: #"{"agrees":true}"#)
        case .refusal:
            .init(
                command: "subscriptions price refuse \(id)", request: "\(request)/price-answer",
                body: #"{"agrees":false}"#)
        }
    }
}

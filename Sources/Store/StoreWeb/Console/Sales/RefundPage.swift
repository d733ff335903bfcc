import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// A request for a refund, with what has to be known to decide it, and the question before each act.
struct RefundPage {
    let visit: ConsoleVisit
    let details: RefundDecisions.Details
    let asking: RefundAct?

    private var request: StoredRefundRequest { details.request }
    private var sold: StoreTransaction { details.transaction }

    static func response(
        _ visit: ConsoleVisit, _ id: RefundRequestID, asking act: RefundAct? = nil
    ) async throws -> HTTPResponse {
        let details = try await RefundDecisions(visit.store).details(of: id)
        return try await RefundPage(visit: visit, details: details, asking: act).response()
    }

    private func response() async throws -> HTTPResponse {
        var page = ConsolePage(visit: visit, title: "Refund request \(request.id)", place: .refunds)
        page.tag = request.state.tag
        page.lede =
            "\(details.customer?.email ?? "Customer \(request.customer)"): \(RefundSummary.reason(request.reason))."
        page.crumbs = [("Refund requests", visit.link("/refunds"))]
        page.actions = actions
        page.alternatives = [alternative]
        return try await page.response {
            question
            div(.class("two")) {
                card("Its life") { life }
                div(.class("stack")) {
                    card("Facts") { factList }
                    card("What the developer says") { consumption }
                    card("Earlier refunds of the customer") { earlier }
                }
            }
        }
    }

    @HTMLBuilder private var actions: [any HTML] {
        if asking == nil, visit.may(.customers, change: true) {
            if request.state.isWaiting {
                link(.approval, "Approve…")
                link(.refusal, "Decline…")
                link(.withdrawal, "Withdraw…")
            }
            if request.state == .refunded { link(.reversal, "Reverse…") }
            if details.now < request.answersUntil { link(.consumption, "Answer for the developer…") }
        }
    }

    private func link(_ act: RefundAct, _ text: String) -> Element {
        a(.class("button"), .href(visit.link("/refunds/\(request.id)/\(act.rawValue)"))) { text }
    }

    private var alternative: ConsolePage.Alternative {
        let path = "/refund-requests/\(request.id)"
        let because = #"{"because": "TEXT"}"#
        return switch asking {
        case nil: .init(command: "refunds show \(request.id)", request: path)
        case .approval:
            .init(
                command: "refunds approve \(request.id) --because TEXT", request: "POST \(path)/approval", body: because
            )
        case .refusal:
            .init(
                command: "refunds decline \(request.id) --because TEXT", request: "POST \(path)/refusal", body: because)
        case .withdrawal:
            .init(command: "refunds withdraw \(request.id)", request: "POST \(path)/withdrawal")
        case .reversal:
            .init(
                command: "refunds reverse \(request.id) --because TEXT", request: "POST \(path)/reversal", body: because
            )
        case .consumption:
            .init(
                command: "refunds consumption \(request.id) --customer-consented --delivery DELIVERED",
                request: "PUT \(path)/consumption",
                body:
                    #"{"customerConsented": true, "sampleContentProvided": false, "deliveryStatus": "DELIVERED"}"#)
        }
    }

    // MARK: What is asked before

    @HTMLBuilder private var question: [any HTML] {
        if let asking {
            visit.form("/refunds/\(request.id)/\(asking.rawValue)", .class("card ask")) {
                h2 { heading(asking) }
                p { consequence(asking) }
                if asking == .approval { amount.content }
                if asking == .consumption {
                    answerFields
                } else if asking != .withdrawal {
                    label {
                        "Why: "
                        input(.name("because"), .longest(RefundDecisions.longestText), .isRequired)
                    }
                }
                div(.class("row")) {
                    asking == .approval ? amount.button(heading(asking)) : button(.class("primary")) { heading(asking) }
                    a(.class("button"), .href(visit.link("/refunds/\(request.id)"))) { "Back" }
                }
            }
        }
    }

    private var amount: RefundFields {
        RefundFields(visit: visit, sold: sold, rest: details.rest, unused: details.unused)
    }

    private func heading(_ act: RefundAct) -> String {
        switch act {
        case .approval: "Approve"
        case .refusal: "Decline"
        case .withdrawal: "Withdraw"
        case .reversal: "Reverse"
        case .consumption: "Answer"
        }
    }

    private func consequence(_ act: RefundAct) -> String {
        let (who, what) = ("Customer \(request.customer)", sold.productID.text)
        switch act {
        case .approval:
            return "If all is given back, \(who) gets \(text(details.rest)) and loses \(what). Every device is told."
        case .refusal: return "\(who) keeps \(what), and gets nothing of \(text(details.rest))."
        case .withdrawal:
            return
                "\(who) does not ask any more, keeps \(what) and gets nothing of \(text(details.rest)). The same can be asked "
                + "for again later."
        case .reversal:
            let amount = details.refund.map { text($0.amount) } ?? ""
            return "\(amount) go back to the store, and \(who) has \(what) again. Every device is told."
        case .consumption:
            return "What is said is kept for good. It can be said until \(request.answersUntil.written)."
        }
    }

    @HTMLBuilder private var answerFields: [any HTML] {
        label {
            input(.type("checkbox"), .name("customerConsented"), .value("yes"))
            " The customer has consented to this being told"
        }
        label {
            input(.type("checkbox"), .name("sampleContentProvided"), .value("yes"))
            " There was a sample before the purchase"
        }
        label {
            "What was sold "
            select(.name("deliveryStatus")) {
                for one in ConsumptionDeliveryStatus.known.sorted(by: { $0.rawValue < $1.rawValue }) {
                    option(.value(one.rawValue)) { RefundSummary.delivery(one) }
                }
            }
        }
        label {
            "Consumed, in percent: "
            input(.name("consumptionPercentage"), .inputMode("decimal"), .longest(7), .class("short"))
        }
        label {
            "The developer would: "
            select(.name("refundPreference")) {
                option(.value("")) { "say nothing" }
                for one in ConsumptionRefundPreference.known.sorted(by: { $0.rawValue < $1.rawValue }) {
                    option(.value(one.rawValue)) { RefundSummary.preference(one) }
                }
            }
        }
    }

    // MARK: What is known

    private func text(_ money: Money) -> String { visit.text(money, in: sold.storefront) }

    private var factList: Element {
        var entries: [(name: String, value: [any HTML])] = [
            ("Transaction", [a(.href(visit.link("/transactions/\(sold.id)"))) { "\(sold.id)" }]),
            ("Product", dotted(sold.productID.text)),
            (
                "Customer",
                [
                    a(.href(visit.link("/customers/\(request.customer)"))) {
                        details.customer?.email ?? "\(request.customer)"
                    }
                ]
            ),
            ("Bought", [sold.purchaseDate.written]), ("Paid", [text(sold.price)]),
            ("Can be given back", [text(details.rest)]),
        ]
        if request.state.isWaiting, sold.kind == .autoRenewable {
            entries.append(("Unused of its period", [details.unused.map(text) ?? "none"]))
        }
        entries.append(("Finished", [details.finishedAt?.written ?? "not yet"]))
        entries.append(("The customer says", [request.note ?? "nothing more"]))
        return facts(entries)
    }

    @HTMLBuilder private var life: [any HTML] {
        ol(.class("life")) {
            for line in details.history {
                li(.class(Self.mood(of: line.event))) {
                    time(.dateTime(line.at.rfc3339), .title(line.at.rfc3339Milliseconds)) { line.at.rfc3339 }
                    p { RefundSummary.sentence(line, of: request) + "." }
                    if let request = line.request {
                        p(.class("more")) {
                            a(.href(visit.link("/requests/\(PercentEncoding.encode(request))"))) {
                                "request \(request)"
                            }
                        }
                    }
                }
            }
        }
        if let refund = details.refund {
            p { "Refund \(refund.id) of \(text(refund.amount)) is \(refund.state.rawValue)." }
        }
    }

    private static func mood(of event: RefundRequest.Event?) -> String {
        switch event {
        case .declined, .refused, .reversed: "back"
        case .approved, .refunded, .withdrawn, nil: "done"
        }
    }

    @HTMLBuilder private var consumption: [any HTML] {
        if details.consumption.isEmpty {
            p { "Nothing yet. It can be said until \(request.answersUntil.written)." }
        } else {
            ul {
                for answer in details.consumption {
                    li {
                        "\(answer.at.written): \(RefundSummary.sentence(answer.consumption))."
                    }
                }
            }
        }
    }

    @HTMLBuilder private var earlier: [any HTML] {
        if details.earlier.isEmpty {
            p { "None." }
        } else {
            ul {
                for refund in details.earlier {
                    li {
                        "\(refund.requestedAt.written) \(refund.amount), "
                        a(.href(visit.link("/transactions/\(refund.transaction)"))) { "\(refund.transaction)" }
                    }
                }
            }
        }
    }
}

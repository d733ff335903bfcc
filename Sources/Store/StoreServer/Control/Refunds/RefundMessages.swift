package import StoreHTTP
package import StoreModel
package import StoreRules
import StoreService

/// What a customer asks.
package struct RefundQuestion: Codable, Hashable, Sendable {
    package var transactionId: TransactionID
    package var customer: String
    package var reason: RefundRequestReason
    package var note: String?

    package init(transactionId: TransactionID, customer: String, reason: RefundRequestReason, note: String? = nil) {
        self.transactionId = transactionId
        self.customer = customer
        self.reason = reason
        self.note = note
    }
}

package struct RefundApproval: Codable, Hashable, Sendable {
    package var because: String
    /// All that is left, if these three are missing.
    package var amount: String?
    package var percentage: Int?
    package var prorated: Bool?
    /// Whether the customer loses the purchase with a part.
    package var revokes: Bool?

    package init(
        because: String, amount: String? = nil, percentage: Int? = nil, prorated: Bool? = nil, revokes: Bool? = nil
    ) {
        self.because = because
        self.amount = amount
        self.percentage = percentage
        self.prorated = prorated
        self.revokes = revokes
    }
}

package struct RefundDecision: Codable, Hashable, Sendable {
    package var because: String

    package init(because: String) {
        self.because = because
    }
}

/// What a developer says was consumed: the body of the second version of Apple's own message.
package struct ConsumptionMessage: Codable, Hashable, OpenMessage, Sendable {
    package var customerConsented: Bool?
    package var sampleContentProvided: Bool?
    package var deliveryStatus: ConsumptionDeliveryStatus?
    package var consumptionPercentage: Int?
    package var refundPreference: ConsumptionRefundPreference?

    package init(
        customerConsented: Bool?, sampleContentProvided: Bool?, deliveryStatus: ConsumptionDeliveryStatus?,
        consumptionPercentage: Int? = nil, refundPreference: ConsumptionRefundPreference? = nil
    ) {
        self.customerConsented = customerConsented
        self.sampleContentProvided = sampleContentProvided
        self.deliveryStatus = deliveryStatus
        self.consumptionPercentage = consumptionPercentage
        self.refundPreference = refundPreference
    }
}

/// A request with what has to be known to decide it.
package struct RefundRequestReport: Codable, Hashable, Sendable {
    package struct ConsumptionEntry: Codable, Hashable, Sendable {
        package var date: Instant
        package var sampleContentProvided: Bool
        package var deliveryStatus: ConsumptionDeliveryStatus
        package var consumptionPercentage: Int?
        package var refundPreference: ConsumptionRefundPreference?
        /// What the first version of the message says, a few words for each field; missing of the second.
        package var firstVersion: [String]?
    }

    package struct Entry: Codable, Hashable, Sendable {
        package var date: Instant
        /// `asked`, or what became of it.
        package var event: String
        package var state: WireWord<RefundRequest.State>
        /// The same in words.
        package var text: String
        package var detail: String?
        package var actor: String
        package var requestId: String?
    }

    package var refundRequestId: RefundRequestID
    package var state: WireWord<RefundRequest.State>
    package var reason: RefundRequestReason
    package var note: String?
    package var askedAt: Instant
    package var customerEmail: String?
    package var transaction: TransactionReport
    /// What was paid and not given back.
    package var rest: MoneyReport
    /// The unused share of a subscription's period.
    package var unused: MoneyReport?
    /// Until when the developer may answer, by the clock of the customer.
    package var answersUntil: Instant
    package var consumption: [ConsumptionEntry]
    /// What the customer had back for other purchases, the newest first.
    package var earlierRefunds: [RefundReport]
    package var refund: RefundReport?
    package var history: [Entry]

    init(_ details: RefundDecisions.Details) {
        let request = details.request
        refundRequestId = request.id
        state = WireWord(request.state)
        reason = request.reason
        note = request.note
        askedAt = request.askedAt
        customerEmail = details.customer?.email
        transaction = TransactionReport(details.transaction, finishedAt: details.finishedAt)
        rest = MoneyReport(details.rest)
        unused = details.unused.map(MoneyReport.init)
        answersUntil = request.answersUntil
        consumption = details.consumption.map {
            ConsumptionEntry(
                date: $0.at, sampleContentProvided: $0.consumption.sampleContentProvided,
                deliveryStatus: $0.consumption.deliveryStatus,
                consumptionPercentage: $0.consumption.consumptionPercentage,
                refundPreference: $0.consumption.refundPreference,
                firstVersion: $0.consumption.firstVersion?.words)
        }
        earlierRefunds = details.earlier.map(RefundReport.init)
        refund = details.refund.map(RefundReport.init)
        history = details.history.map {
            Entry(
                date: $0.at, event: $0.event?.rawValue ?? RefundRequest.State.asked.rawValue,
                state: WireWord($0.state), text: RefundSummary.sentence($0, of: request), detail: $0.detail,
                actor: $0.actor, requestId: $0.request)
        }
    }
}

extension RefundQuestion: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "customer": .string("The number or the e-mail address of the account."),
            "reason": .string(among: RefundRequestReason.known.map(\.rawValue).sorted()),
            "note": .string("What the customer says of it.", lengths: 1...RefundDecisions.longestText),
        ]
    }
}

extension RefundApproval: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "because": .string("Why; it stays in the history.", lengths: 1...RefundDecisions.longestText),
            "percentage": .integer(
                "A share of what was paid, in thousandths of a percent.", minimum: 1, maximum: RefundPart.whole),
            "prorated": .boolean("The unused share of a subscription's period, which ends it."),
            "revokes": .boolean(
                "Whether the customer loses the purchase with an amount or a percentage. Without either it is refused: "
                    + "with all of it, and with the unused share, that is so."),
        ]
    }
}

extension RefundDecision: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["because": .string("Why; it stays in the history.", lengths: 1...RefundDecisions.longestText)]
    }
}

extension ConsumptionMessage: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "customerConsented": .boolean("Has to be true."),
            "deliveryStatus": .string(among: ConsumptionDeliveryStatus.known.map(\.rawValue).sorted()),
            "consumptionPercentage": .integer("In thousandths of a percent.", minimum: 0, maximum: RefundPart.whole),
            "refundPreference": .string(among: ConsumptionRefundPreference.known.map(\.rawValue).sorted()),
        ]
    }
}

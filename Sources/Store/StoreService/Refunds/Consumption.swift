import Foundation
package import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules

/// What a developer says was delivered and consumed of a purchase for which a refund is asked.
package struct Consumption: Hashable, Sendable {
    package let sampleContentProvided: Bool
    package let deliveryStatus: ConsumptionDeliveryStatus
    /// In thousandths of a percent.
    package let consumptionPercentage: Int?
    package let refundPreference: ConsumptionRefundPreference?
    /// What was said in the first version of the message; nil of the second.
    package let firstVersion: ConsumptionFirstVersion?

    /// Answers that are kept of one request.
    package static let mostAnswers = 50
    /// How long the developer is asked, by the clock of the customer.
    package static let window = Duration.seconds(12 * 60 * 60)

    package init(
        customerConsented: Bool?, sampleContentProvided: Bool?, deliveryStatus: ConsumptionDeliveryStatus?,
        consumptionPercentage: Int?, refundPreference: ConsumptionRefundPreference?,
        firstVersion: ConsumptionFirstVersion? = nil
    ) throws(ServiceError) {
        guard customerConsented == true else {
            throw ServiceError(
                .valueInvalid, "nothing may be told of a customer who did not consent; customerConsented says so",
                parameter: "customerConsented")
        }
        guard let sampleContentProvided else {
            throw Self.wrong("sampleContentProvided", "is true or false", isMissing: true)
        }
        let words = ConsumptionDeliveryStatus.known.map(\.rawValue).sorted().joined(separator: ", ")
        guard let deliveryStatus else {
            throw Self.wrong("deliveryStatus", "is one of \(words)", isMissing: true)
        }
        guard ConsumptionDeliveryStatus.known.contains(deliveryStatus) else {
            throw Self.wrong("deliveryStatus", "is one of \(words)")
        }
        if let consumptionPercentage, !(0...RefundPart.whole).contains(consumptionPercentage) {
            throw Self.wrong("consumptionPercentage", "is 0 to \(RefundPart.whole), in thousandths of a percent")
        }
        if let refundPreference, !ConsumptionRefundPreference.known.contains(refundPreference) {
            let words = ConsumptionRefundPreference.known.map(\.rawValue).sorted().joined(separator: ", ")
            throw Self.wrong("refundPreference", "is one of \(words)")
        }
        self.sampleContentProvided = sampleContentProvided
        self.deliveryStatus = deliveryStatus
        self.consumptionPercentage = consumptionPercentage
        self.refundPreference = refundPreference
        self.firstVersion = firstVersion
    }

    private static func wrong(_ field: String, _ rule: String, isMissing: Bool = false) -> ServiceError {
        ServiceError(isMissing ? .valueMissing : .valueInvalid, "the \(field) \(rule)", parameter: field)
    }

    private init(_ cells: inout RowCells) throws {
        sampleContentProvided = try cells.next()
        deliveryStatus = try cells.next()
        consumptionPercentage = try cells.next()
        refundPreference = try cells.next()
        firstVersion = try cells.next(as: String?.self).map { text in
            try JSONDecoder().decode(ConsumptionFirstVersion.self, from: Data(text.utf8))
        }
    }
}

extension Consumption {
    /// An answer of a developer as it is kept.
    package struct Answer: Hashable, Sendable {
        /// By the wall clock.
        package let at: Instant
        package let consumption: Consumption
    }

    /// What was answered about each of these requests, the oldest first. The last counts.
    static func answers(about ids: [RefundRequestID], in transaction: any ReadTransaction) throws -> [RefundRequestID:
        [Answer]]
    {
        let found = try transaction.query(
            """
            SELECT refund_request_id, at, sample_content_provided, delivery_status, consumption_percentage,
                refund_preference, first_version
            FROM refund_consumption WHERE refund_request_id IN \(.numbers) ORDER BY refund_request_id, number
            """, of: ids
        ) { row in
            var cells = row.cells
            return (
                request: try cells.next(as: RefundRequestID.self),
                answer: Answer(at: try cells.next(), consumption: try Consumption(&cells))
            )
        }
        return Dictionary(grouping: found, by: \.request).mapValues { $0.map(\.answer) }
    }

    /// Keeps an answer, beside the earlier ones; one that says what the last one said has no second effect.
    func record(about request: StoredRefundRequest, _ change: Change) throws {
        guard change.commerce < request.answersUntil else {
            throw ServiceError(
                .tooLate, "the developer could answer until \(request.answersUntil.rfc3339), 12 hours after the request"
            )
        }
        let transaction = change.transaction
        let earlier = try Self.answers(about: [request.id], in: transaction)[request.id] ?? []
        guard earlier.last?.consumption != self else { return }
        guard earlier.count < Self.mostAnswers else {
            throw ServiceError(
                .limitReached,
                "\(Self.mostAnswers) different answers are kept of a request for a refund; this one is not")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let first = try firstVersion.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        try transaction.insert(
            into: "refund_consumption",
            [
                "refund_request_id": request.id, "number": earlier.count + 1, "at": change.wall,
                "sample_content_provided": sampleContentProvided, "delivery_status": deliveryStatus,
                "consumption_percentage": consumptionPercentage, "refund_preference": refundPreference,
                "first_version": first, "actor": change.actor.text,
            ])
    }
}

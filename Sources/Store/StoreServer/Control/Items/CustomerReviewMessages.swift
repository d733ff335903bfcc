import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreService

/// What a customer says of an item, as those see it who look after the store or sell the item.
package struct CustomerReviewMessage: Codable, Hashable, Sendable {
    package let reviewId: ReviewID
    /// The store id of the item.
    package let storeId: Int64
    /// The name of the item; only in the queue.
    package var item: String?
    package let stars: Int
    package let title: String?
    package let body: String?
    package let nickname: String?
    package let storefront: StorefrontCode
    /// The version of the app that it is about.
    package let version: String?
    package let state: String
    /// How many customers reported it since somebody last decided about it.
    package let openReports: Int
    /// Why they did, and how often for each reason; only in the queue.
    package var reasons: [String: Int]?
    package let answer: String?
    package let answeredAt: Instant?
    package let writtenAt: Instant
    package let changedAt: Instant

    init(_ review: CustomerReview) {
        (reviewId, storeId, stars) = (review.id, review.storeID, review.stars)
        (title, body, nickname) = (review.text?.title, review.text?.body, review.text?.nickname)
        storefront = review.storefront
        version = review.version.isEmpty ? nil : review.version
        (state, openReports) = (review.state.rawValue, review.openReports)
        (answer, answeredAt) = (review.answer?.text, review.answer?.at)
        (writtenAt, changedAt) = (review.writtenAt, review.changedAt)
    }

    init(_ waiting: Ratings.Waiting) {
        self.init(waiting.review)
        item = waiting.item?.facts.name
        reasons = Dictionary(uniqueKeysWithValues: waiting.reasons.map { ($0.key.rawValue, $0.value) })
    }
}

extension CustomerReviewMessage: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "state": .string(among: CustomerReview.State.known.map(\.rawValue).sorted()),
            "reasons": .dictionary(of: .integer(minimum: 1), description: "Why it was reported, and how often."),
            "storefront": StorefrontCode.schema,
        ]
    }
}

/// What is decided about a review.
package struct ReviewDecisionRequest: Codable, Hashable, Sendable {
    package let decision: String
    /// Why; whoever takes something off says it.
    package let reason: String?

    package init(decision: String, reason: String? = nil) {
        (self.decision, self.reason) = (decision, reason)
    }
}

extension ReviewDecisionRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["decision": .string(among: CustomerReview.Decision.allCases.map(\.rawValue))]
    }
}

/// What whoever sells an item answers a review.
package struct ReviewAnswerRequest: Codable, Hashable, Sendable {
    package let answer: String

    package init(answer: String) {
        self.answer = answer
    }
}

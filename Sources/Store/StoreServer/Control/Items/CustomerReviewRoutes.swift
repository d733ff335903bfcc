import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// What customers say of items, by HTTP: what was reported, and the answers of those who sell.
struct CustomerReviewRoutes: Sendable {
    private let store: EnvironmentStore
    private let ratings: Ratings

    private static let tag = "items"
    private static let path = "/control/v1/customer-reviews"
    private static let reviewID = PathParameter<ReviewID>("reviewId", rule: "the number of a review")

    init(_ store: EnvironmentStore) {
        self.store = store
        ratings = Ratings(store)
    }

    /// What the store decides, and what is read of reviews.
    var routes: [Route] {
        [
            .get(RoutePattern(Self.path), suspending: queue)
                .described(
                    "listReportedReviews", "The reviews that somebody has to decide about, the oldest first.",
                    tag: Self.tag, parameters: .page(by: .string()),
                    answers: [.init(.ok, "A page.", .of(Page<CustomerReviewMessage>.self))]),
            .get(
                RoutePattern(Self.path + "/{reviewId}"),
                suspending: { request in
                    try .json(CustomerReviewMessage(await ratings.review(request[Self.reviewID], for: request.actor)))
                }
            )
            .described(
                "readCustomerReview", "A review, also one that is not shown.", tag: Self.tag,
                parameters: [.path(Self.reviewID)],
                answers: [.init(.ok, "The review.", .of(CustomerReviewMessage.self))], refusals: [.reviewUnknown]),
            .post(RoutePattern(Self.path + "/{reviewId}/decision"), suspending: decide)
                .described(
                    "decideCustomerReview",
                    "Keeps a review on its page, or takes it off. Its reports are decided with it.", tag: Self.tag,
                    parameters: [.path(Self.reviewID)], body: .of(ReviewDecisionRequest.self),
                    answers: [.init(.ok, "The review.", .of(CustomerReviewMessage.self))],
                    refusals: [.reviewUnknown]),
            .get(RoutePattern(ItemRoutes.path + "/{storeId}/customer-reviews"), suspending: written)
                .described(
                    "listItemReviews", "What customers wrote of an item, the newest first, also what is not shown.",
                    tag: Self.tag, parameters: [ItemRoutes.item] + .page(by: .string()),
                    answers: [.init(.ok, "A page.", .of(Page<CustomerReviewMessage>.self))],
                    refusals: [.reviewUnknown]),
        ]
    }

    /// The answers of those who sell the item.
    var answers: [Route] {
        [
            .put(
                RoutePattern(Self.path + "/{reviewId}/answer"),
                suspending: { request in
                    let text = try request.decode(ReviewAnswerRequest.self).answer
                    return try await answer(request, text)
                }
            )
            .described(
                "answerReview", "Answers a review, in place of a former answer.", tag: Self.tag,
                parameters: [.path(Self.reviewID)], body: .of(ReviewAnswerRequest.self),
                answers: [.init(.ok, "The review.", .of(CustomerReviewMessage.self))],
                refusals: [.reviewUnknown, .stateWrong]),
            .delete(RoutePattern(Self.path + "/{reviewId}/answer"), suspending: { try await answer($0, nil) })
                .described(
                    "takeBackAnswer", "Takes the answer to a review back.", tag: Self.tag,
                    parameters: [.path(Self.reviewID)],
                    answers: [.init(.ok, "The review.", .of(CustomerReviewMessage.self))],
                    refusals: [.reviewUnknown, .stateWrong]),
        ]
    }

    private func queue(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try PageRequest<ReviewID>(request)
        let found = try await ratings.queue(after: wanted.after, limit: wanted.rows, for: request.actor)
        return try .json(wanted.page(of: found, by: \.review.id) { CustomerReviewMessage($0) })
    }

    private func written(_ request: HTTPRequest) async throws -> HTTPResponse {
        let wanted = try PageRequest<ReviewID>(request)
        let found = try await ratings.written(
            of: request[ItemRoutes.storeID], before: wanted.after, limit: wanted.rows, for: request.actor)
        return try .json(wanted.page(of: found, by: \.id) { CustomerReviewMessage($0) })
    }

    private func decide(_ request: HTTPRequest) async throws -> HTTPResponse {
        // Before the body is read: whoever may not decide learns nothing of what a decision is.
        guard request.actor.team == nil else {
            throw ServiceError(.notAllowed, "what customers wrote is judged by the store, not by a team")
        }
        let wanted = try request.decode(ReviewDecisionRequest.self)
        guard let decision = CustomerReview.Decision(rawValue: wanted.decision) else {
            throw APIError(.valueInvalid, "it is keep or hide", parameter: "decision")
        }
        let decided = try await ratings.decide(
            request[Self.reviewID], decision, because: wanted.reason, request.cause(in: store))
        return try .json(CustomerReviewMessage(decided))
    }

    private func answer(_ request: HTTPRequest, _ text: String?) async throws -> HTTPResponse {
        try await .json(
            CustomerReviewMessage(ratings.answer(request[Self.reviewID], with: text, request.cause(in: store))))
    }
}

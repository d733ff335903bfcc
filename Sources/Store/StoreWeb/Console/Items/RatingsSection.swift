import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// What customers say of items: what was reported, for those who look after the store, and answers, for those who sell.
struct RatingsSection: ConsoleSection {
    let services: ConsoleServices

    private static let path = "/ratings"
    /// What customers wrote of one item.
    private static let written = "/items/{storeId}/reviews"
    private static let reviewID = PathParameter<ReviewID>("reviewId", rule: "the number of a review")
    /// Reviews that one page shows.
    private static let most = 50

    var routes: [Route] {
        [
            page(Self.path, for: .review, .here, queue),
            form(Self.path + "/{reviewId}/{act}", for: .review, .here, decide, else: queue),
            page(Self.written, for: .review, .here, list),
            form(Self.written + "/{reviewId}/answer", for: .catalogue, .here) { visit, input in
                let id = try visit.request[Self.reviewID]
                try await Ratings(visit.store).answer(id, with: input.text("answer"), visit.cause)
                let item = try visit.request[ItemsSection.storeID]
                return visit.link("\(ItemsSection.path)/\(item)/reviews", done: .changed)
            } else: {
                try await list($0)
            },
        ]
    }

    // MARK: What was reported

    /// Refuses members of a team: what customers wrote is judged by the store.
    private func requireStore(_ visit: ConsoleVisit) throws(ServiceError) {
        guard visit.actor.team == nil else {
            throw ServiceError(.notAllowed, "what customers wrote is judged by the store, not by a team")
        }
    }

    private func decide(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        try requireStore(visit)
        let (id, act) = (try visit.request[Self.reviewID], try visit.act(CustomerReview.Decision.self))
        try await Ratings(visit.store).decide(id, act, because: input.text("reason"), visit.cause)
        return visit.link(Self.path, done: .reviewed)
    }

    private func queue(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        try requireStore(visit)
        let found = try await Ratings(visit.store).queue(limit: Self.most, for: visit.actor)
        var page = ConsolePage(visit: visit, title: "Reported reviews", place: .ratings)
        page.lede =
            found.isEmpty
            ? "Nobody waits for a decision about a review."
            : "What customers reported, and what was changed after it was taken off its page, the oldest first."
        page.alternatives = [
            .init(command: "ratings queue", request: "/customer-reviews"),
            .init(
                command: "ratings hide 1 --because TEXT", request: "POST /customer-reviews/1/decision",
                body: #"{"decision":"hide","reason":"TEXT"}"#),
        ]
        return try await page.response {
            for entry in found { waiting(entry, visit) }
        }
    }

    private func waiting(_ entry: Ratings.Waiting, _ visit: ConsoleVisit) -> Element {
        let place = "\(Self.path)/\(entry.review.id)"
        return card(entry.item?.facts.name ?? "\(entry.review.storeID)") {
            said(entry.review, visit)
            p {
                entry.reasons.sorted { $0.key.rawValue < $1.key.rawValue }.map { reason, count in
                    "\(reason.rawValue.replacing("_", with: " ")): \(count)"
                }.joined(separator: ", ")
            }
            if visit.may(.review, change: true) {
                div(.class("buttons")) {
                    visit.form("\(place)/keep") { button { "Keep it" } }
                    details(.class("asking")) {
                        summary(.class("button")) { "Take it off…" }
                        visit.form("\(place)/hide", .class("fields stacked")) {
                            label(.for("reason-\(entry.review.id)")) { "Why" }
                            input(
                                .id("reason-\(entry.review.id)"), .name("reason"), .isRequired,
                                .longest(ReviewLimits.title))
                            button(.class("danger")) { "Take it off its page" }
                        }
                    }
                }
            }
        }
    }

    @HTMLBuilder private func said(_ review: CustomerReview, _ visit: ConsoleVisit) -> [any HTML] {
        p {
            b { "\(review.stars) of \(ReviewLimits.stars.upperBound) stars" }
            " \(review.text?.title ?? "") "
            tag(review.state == .shown ? .good : review.state == .held ? .warn : .bad, review.state.rawValue)
        }
        p { review.text?.body ?? "" }
        p(.class("muted")) {
            "\(review.text?.nickname ?? ""), \(review.storefront.rawValue), "
            ago(review.changedAt, visit.now)
        }
    }

    // MARK: What is said of an item

    private func list(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let storeID = try visit.request[ItemsSection.storeID]
        let before = visit.query["after"].flatMap { ReviewID($0) }
        let found = try await Ratings(visit.store).written(
            of: storeID, before: before, limit: Self.most + 1, for: visit.actor)
        let item = "\(ItemsSection.path)/\(storeID)"
        var page = ConsolePage(visit: visit, title: "What customers say", place: .items)
        page.crumbs = [("Items", visit.link(ItemsSection.path)), ("\(storeID)", visit.link(item))]
        page.lede = found.isEmpty ? "Nobody has written anything yet." : "Also what is not shown, the newest first."
        page.alternatives = [
            .init(command: "ratings list \(storeID)", request: "/items/\(storeID)/customer-reviews")
        ]
        return try await page.response {
            for review in found.prefix(Self.most) { written(review, "\(item)/reviews/\(review.id)/answer", visit) }
            if found.count > Self.most {
                p {
                    a(.href(visit.link(item + "/reviews", ("after", "\(found[Self.most - 1].id)")))) { "Older ones" }
                }
            }
        }
    }

    private func written(_ review: CustomerReview, _ path: String, _ visit: ConsoleVisit) -> Element {
        card(review.text?.title ?? "") {
            said(review, visit)
            if let answer = review.answer { p { "Answered: \(answer.text)" } }
            if visit.may(.catalogue, change: true) {
                visit.form(path, .class("fields stacked")) {
                    label(.for("answer-\(review.id)")) { "Your answer; an empty one takes it back" }
                    textarea(.id("answer-\(review.id)"), .name("answer"), .longest(ReviewLimits.answer)) {
                        review.answer?.text ?? ""
                    }
                    button { "Answer" }
                }
            }
        }
    }
}

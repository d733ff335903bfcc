import Foundation
import StoreCatalogue
import StoreDatabase
package import StoreModel

/// What a customer says of an item: stars, and a text if there is one. There is one of each customer and item.
package struct CustomerReview: Hashable, Sendable {
    package let id: ReviewID
    package let storeID: Int64
    package let customer: CustomerID
    /// Where the account lived when it was first written.
    package let storefront: StorefrontCode
    /// One to five.
    package internal(set) var stars: Int
    /// Nil of a rating alone.
    package internal(set) var text: Text?
    /// The version of the app that it is about; empty for everything else.
    package internal(set) var version: String
    package internal(set) var state: State
    /// How many customers reported it since somebody last decided about it.
    package internal(set) var openReports: Int
    package let writtenAt: Instant
    package internal(set) var changedAt: Instant
    /// What whoever sells the item says to it.
    package internal(set) var answer: Answer?
    var historyCount: Int

    /// What is read.
    package struct Text: Hashable, Sendable {
        package let title: String
        package let body: String
        /// What the customer wants to be called.
        package let nickname: String

        /// Refuses what is too long, and what would turn other text around.
        package init(title: String, body: String, nickname: String) throws {
            self.title = try CatalogueText.line(title, atMost: ReviewLimits.title, field: "title")
            self.nickname = try CatalogueText.line(nickname, atMost: ReviewLimits.nickname, field: "nickname")
            let body = body.trimmingCharacters(in: .whitespacesAndNewlines)
            guard !body.isEmpty else { throw ServiceError(.valueMissing, "a review has a text", parameter: "body") }
            self.body = try CatalogueText.lines(body, atMost: ReviewLimits.body, field: "body")
        }

        fileprivate init(kept title: String, _ body: String, _ nickname: String) {
            (self.title, self.body, self.nickname) = (title, body, nickname)
        }
    }

    /// What the team of the item answers.
    package struct Answer: Hashable, Sendable {
        package let text: String
        package let at: Instant
        /// Who wrote it, as histories name actors.
        package let by: String

        init(_ text: String, at: Instant, by actor: String) {
            (self.text, self.at, self.by) = (text, at, actor)
        }
    }

    /// Whether it is on the page; more may be added.
    package struct State: WireValue {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// It is, and its stars count.
        package static let shown = State(rawValue: "shown")
        /// It was taken off the page.
        package static let hidden = State(rawValue: "hidden")
        /// It was taken off and changed since; somebody has to look at it again.
        package static let held = State(rawValue: "held")

        /// Its customer took it back after it was taken off or reported. Nothing of it is left but this: what the customer writes
        /// next waits as well.
        package static let withdrawn = State(rawValue: "withdrawn")

        package static let known: Set<State> = [.shown, .hidden, .held, .withdrawn]
    }

    /// Why somebody reports it; more may be added.
    package struct Reason: WireValue {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let spam = Reason(rawValue: "spam")
        package static let offensive = Reason(rawValue: "offensive")
        package static let personal = Reason(rawValue: "personal")
        package static let offTopic = Reason(rawValue: "off_topic")

        /// In the order in which a form has them.
        package static let all: [Reason] = [.spam, .offensive, .personal, .offTopic]
        package static let known = Set(all)
    }

    /// What is decided about one that was reported.
    // Closed: there is nothing between.
    package enum Decision: String, Sendable, CaseIterable {
        case keep
        case hide
    }
}

/// The limits of reviews and reports.
package enum ReviewLimits {
    package static let stars = 1...5
    /// In characters, as all limits of texts.
    package static let title = 100
    package static let body = 4000
    package static let nickname = 30
    package static let answer = 4000
    /// How often a customer writes, changes or removes reviews in a day.
    package static let writesPerDay = 20
    /// How many reviews a customer reports in a day.
    package static let reportsPerDay = 20
    /// The most reviews of one page of a list.
    package static let page = 100
    static let day = Duration.seconds(24 * 60 * 60)
}

// MARK: What happens to it

extension CustomerReview {
    /// Whether its stars count.
    var counts: Bool { state == .shown }

    /// A new one.
    init(
        _ id: ReviewID, of storeID: Int64, by scope: WebScope, stars: Int, text: Text?, version: String, at now: Instant
    ) {
        (self.id, self.storeID, customer, storefront) = (id, storeID, scope.customer, scope.storefront)
        (self.stars, self.text, self.version) = (stars, text, version)
        (state, openReports, writtenAt, changedAt, answer, historyCount) = (.shown, 0, now, now, nil, 1)
    }

    /// Whether somebody has taken it off, or is asked to.
    var isDoubted: Bool { state != .shown || openReports > 0 }

    /// What stays of one that is doubted when its customer takes it back.
    func withdrawn(at now: Instant) -> CustomerReview {
        var review = self
        (review.text, review.answer, review.state, review.openReports) = (nil, nil, .withdrawn, 0)
        review.changedAt = now
        review.historyCount += 1
        return review
    }

    /// The review after its customer changed it. What was taken off the page waits until somebody has looked at it again, stars
    /// alone too: the text may follow.
    func changed(stars: Int, text: Text?, version: String, at now: Instant) -> CustomerReview {
        var review = self
        (review.stars, review.text, review.version, review.changedAt) = (stars, text, version, now)
        if state != .shown { review.state = .held }
        review.historyCount += 1
        return review
    }

    /// The review with one more report.
    func reported() -> CustomerReview {
        var review = self
        review.openReports += 1
        review.historyCount += 1
        return review
    }

    /// The review after somebody decided about it.
    func decided(_ decision: Decision) -> CustomerReview {
        var review = self
        review.state = decision == .keep ? .shown : .hidden
        review.openReports = 0
        review.historyCount += 1
        return review
    }

    /// The review with another answer, or without one.
    func answered(_ answer: Answer?) -> CustomerReview {
        var review = self
        review.answer = answer
        review.historyCount += 1
        return review
    }
}

// MARK: Rows

extension CustomerReview.State: ColumnValue {}
extension CustomerReview.Reason: ColumnValue {}

extension CustomerReview {
    static let table = RowTable<CustomerReview>("customer_review") {
        Column("id", .key) { $0.id }
        Column("store_id") { $0.storeID }
        Column("customer_id") { $0.customer }
        Column("storefront") { $0.storefront }
        Column("stars", .changing) { $0.stars }
        Column("title", .changing) { $0.text?.title }
        Column("body", .changing) { $0.text?.body }
        Column("nickname", .changing) { $0.text?.nickname }
        Column("version", .changing) { $0.version }
        Column("state", .changing) { $0.state }
        Column("open_reports", .changing) { $0.openReports }
        Column("written_at") { $0.writtenAt }
        Column("changed_at", .changing) { $0.changedAt }
        Column("answer", .changing) { $0.answer?.text }
        Column("answered_at", .changing) { $0.answer?.at }
        Column("answered_by", .changing) { $0.answer?.by }
        Column("history_count", .version) { $0.historyCount }
    }

    init(_ row: Row) throws {
        var cells = row.cells
        id = try cells.next()
        storeID = try cells.next()
        customer = try cells.next()
        storefront = try cells.next()
        stars = try cells.next()
        let (title, body, nickname) = try (
            cells.next(as: String?.self), cells.next(as: String?.self), cells.next(as: String?.self)
        )
        text = body.map { Text(kept: title ?? "", $0, nickname ?? "") }
        version = try cells.next()
        state = try cells.next()
        openReports = try cells.next()
        writtenAt = try cells.next()
        changedAt = try cells.next()
        let (answered, at, by) = try (
            cells.next(as: String?.self), cells.next(as: Instant?.self), cells.next(as: String?.self)
        )
        answer = answered.flatMap { text in at.map { Answer(text, at: $0, by: by ?? "") } }
        historyCount = try cells.next()
    }
}

/// How many customers gave an item how many stars.
package struct ItemScore: Hashable, Sendable {
    /// Of one to five stars.
    package private(set) var counts = [0, 0, 0, 0, 0]
    /// The same of the current version of an app.
    package private(set) var currentCounts = [0, 0, 0, 0, 0]

    package init() {}

    package var count: Int { counts.reduce(0, +) }
    package var currentCount: Int { currentCounts.reduce(0, +) }
    /// The mean; nil without a rating.
    package var average: Double? { Self.average(counts) }
    package var currentAverage: Double? { Self.average(currentCounts) }

    mutating func add(_ ratings: Int, stars: Int, isCurrent: Bool) {
        guard ReviewLimits.stars.contains(stars) else { return }
        counts[stars - 1] += ratings
        if isCurrent { currentCounts[stars - 1] += ratings }
    }

    private static func average(_ counts: [Int]) -> Double? {
        let count = counts.reduce(0, +)
        guard count > 0 else { return nil }
        let sum = zip(ReviewLimits.stars, counts).reduce(0) { $0 + $1.0 * $1.1 }
        return Double(sum) / Double(count)
    }
}

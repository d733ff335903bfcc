import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// What waits for a reviewer, and what developers and reviewers say of a product.
struct ReviewSection: ConsoleSection {
    let services: ConsoleServices

    var routes: [Route] {
        let product = "/apps/{bundleId}/products/{productId}"
        return [
            page("/review", for: .review, .both, list),
            form("/review/approvals", for: .review, .production, approve, else: list),
            page(Self.product, for: .review, .both) { try await ReviewCasePage.response(Self.target($0), $0) },
            page(Self.version, for: .review, .both) { try await ReviewCasePage.response(Self.target($0), $0) },
            form(Self.product + "/decision", for: .review, .production, decide) {
                try await ReviewCasePage.response(Self.target($0), $0)
            },
            form(Self.version + "/decision", for: .review, .production, decide) {
                try await ReviewCasePage.response(Self.target($0), $0)
            },
            form(product + "/submission/{act}", for: .catalogue, .both) { visit, input in
                let isTakenBack = try visit.act(SubmissionAct.self) == .withdrawal
                let version = input["version"]
                let submission = ProductReviews.Submission(
                    category: ProductCategory(rawValue: input["category"]), delivers: input["delivers"],
                    version: version.isEmpty ? nil : version, note: input["note"].isEmpty ? nil : input["note"])
                let path = try visit.product
                _ =
                    try await isTakenBack
                    ? visit.editing.withdrawSubmission(of: path) : visit.editing.submit(path, submission)
                return visit.link(path.link, done: isTakenBack ? .changed : .submitted)
            } else: {
                try await ProductPage.response($0)
            },
            form(product + "/review/{act}", for: .review, .production) { visit, input in
                let (path, editing) = (try visit.product, visit.editing)
                switch try visit.act(ReviewAct.self) {
                case .beginning: _ = try await editing.beginReview(of: path)
                case .approval:
                    try await editing.decide(
                        [ReviewDecision(.product(path), .approve, seenAt: Self.seen(input))])
                case .rejection:
                    let decision = ProductReviews.Decision.reject(
                        RejectionReason(rawValue: input["reason"]), message: input["message"])
                    try await editing.decide(
                        [ReviewDecision(.product(path), decision, seenAt: Self.seen(input))])
                }
                return visit.link(path.link, done: .reviewed)
            } else: {
                try await ProductPage.response($0)
            },
        ]
    }

    static let mostWaiting = 200
    private static let product = "/review/{bundleId}/products/{productId}"
    private static let version = "/review/{bundleId}/versions/{version}"
    private static let versionName = PathParameter<String>("version", rule: "a version of the app") {
        $0.isEmpty ? nil : $0
    }

    private static func target(_ visit: ConsoleVisit) throws -> ReviewTarget {
        if visit.request.parameters.text("version") != nil {
            return .version(try visit.request[versionName], try visit.request[ConsolePath.bundle])
        }
        return .product(try visit.product)
    }

    // MARK: Decisions

    /// Approves what is ticked: all of it or none.
    private func approve(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let decisions = input.items.values("case").compactMap { ReviewDecision(approving: $0) }
        guard !decisions.isEmpty else {
            throw CatalogueError(.valueMissing, "tick what is to be approved", field: "case")
        }
        try await visit.editing.decide(decisions)
        return visit.link("/review", done: .reviewed)
    }

    /// What was shown of what is decided about. A decision about something that nobody has seen is none.
    private static func seen(_ input: FormInput) throws(CatalogueError) -> Instant {
        guard let moment = Int64(input["seenAt"]) else {
            throw CatalogueError(
                .valueMissing, "it does not say what was shown; load the page again and decide there", field: "seenAt")
        }
        return Instant(millisecondsSinceEpoch: moment)
    }

    /// Decides about one thing, and leads to the next one that waits.
    private func decide(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let (target, editing) = (try Self.target(visit), visit.editing)
        let decision: ProductReviews.Decision
        switch input["do"] {
        case ReviewCasePage.approve: decision = .approve
        case ReviewCasePage.reject:
            guard !input["reason"].isEmpty else {
                throw CatalogueError(.valueMissing, "choose what it is rejected for", field: "reason")
            }
            decision = .reject(RejectionReason(rawValue: input["reason"]), message: input["message"])
        default: throw CatalogueError(.valueMissing, "press one of the two buttons", field: "do")
        }
        try await editing.decide([ReviewDecision(target, decision, seenAt: Self.seen(input))])
        let next = try await editing.reviewCases(limit: 1).first
        return visit.link(next?.path ?? "/review", done: .reviewed)
    }

    // MARK: The queue

    private func list(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let found = try await visit.editing.reviewCases(limit: Self.mostWaiting)
        let ticks = visit.may(.review, change: true, .production) && visit.query["format"] == nil
        var page = ConsolePage(visit: visit, title: "Review", place: .review)
        page.lede =
            found.isEmpty
            ? "Nothing waits for a reviewer."
            : "\(found.count == 1 ? "One thing waits" : "\(found.count) things wait") for a reviewer, the oldest first."
        page.exported = "review"
        page.alternatives = [.init(command: "review queue", request: "/review")]
        return try await page.response {
            if found.isEmpty {
                EmptyTable(titles: Self.titles)
                div(.class("card empty")) {
                    p {
                        "Developers submit products and items on their pages, and versions in the settings of their app."
                    }
                    p { a(.class("button"), .href(visit.link("/apps"))) { "Apps" } }
                }
            } else if ticks {
                visit.form("/review/approvals") {
                    table(of: found, visit, ticks: true)
                    div(.class("bar")) {
                        p { "All that is ticked is approved, or nothing. To reject something, open it." }
                        button(.class("primary")) { "Approve what is ticked" }
                    }
                }
            } else {
                table(of: found, visit, ticks: false)
            }
        }
    }

    private static let titles = ["What", "App", "Changes", "State", "Since"]

    private func table(of found: [ReviewCase], _ visit: ConsoleVisit, ticks: Bool) -> Element {
        div(.class("list rows scroll"), .role("group"), .label("What waits")) {
            StoreWeb.table {
                caption(.class("unseen")) { "Waiting" }
                thead {
                    tr {
                        th(.scope("col")) { Self.titles[0] }
                        th(.scope("col"), .class("opt")) { Self.titles[1] }
                        th(.scope("col")) { Self.titles[2] }
                        th(.scope("col"), .class("opt")) { Self.titles[3] }
                        th(.scope("col")) { Self.titles[4] }
                        if ticks { th(.scope("col")) { "Approve" } }
                    }
                }
                tbody {
                    for entry in found {
                        tr {
                            td { a(.href(visit.link(entry.path))) { entry.name } }
                            td(.class("opt")) { entry.app.name }
                            td { entry.summary }
                            td(.class("opt")) { tag(.warn, entry.isTakenUp ? "in review" : "waits") }
                            td { ago(entry.changedAt, visit.now) }
                            if ticks {
                                td {
                                    label(.class("tick")) {
                                        input(.type("checkbox"), .name("case"), .value(entry.token))
                                        span(.class("unseen")) { "Approve \(entry.name)" }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

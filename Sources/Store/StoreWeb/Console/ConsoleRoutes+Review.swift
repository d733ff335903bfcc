import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// What waits for a reviewer, and what developers and reviewers say of a product.
extension ConsoleRoutes {
    var reviewRoutes: [Route] {
        let product = "/apps/{bundleId}/products/{productId}"
        return [
            page("/review", for: .review, .both) { try await Self.queue($0) },
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
                try await Self.product($0)
            },
            form(product + "/review/{act}", for: .review, .production) { visit, input in
                let (path, editing) = (try visit.product, visit.editing)
                switch try visit.act(ReviewAct.self) {
                case .beginning: _ = try await editing.beginReview(of: path)
                case .approval: _ = try await editing.decide(.approve, about: path)
                case .rejection:
                    let reason = RejectionReason(rawValue: input["reason"])
                    _ = try await editing.decide(.reject(reason, message: input["message"]), about: path)
                }
                return visit.link(path.link, done: .reviewed)
            } else: {
                try await Self.product($0)
            },
        ]
    }

    private static let mostWaiting = 200

    private static func queue(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let found = try await visit.editing.waitingForReview(limit: mostWaiting)
        var page = ConsolePage(visit: visit, title: "Review", place: .review)
        page.lede =
            found.isEmpty
            ? "Nothing waits for a reviewer."
            : "What was submitted, the oldest first. A product is reviewed on its page."
        page.alternatives = [.init(command: "review list", request: "/reviews")]
        return try await page.response {
            DataTable(
                title: "Waiting",
                columns: [.text("Product"), .optional("App"), .text("State"), .optional("Content"), .text("Since")],
                rows: found.map { entry in
                    let path = "/apps/\(entry.app.bundleID)/products/\(entry.product.productID)"
                    return [
                        [a(.href(visit.link(path))) { entry.product.referenceName }], [entry.app.name],
                        [tag(.warn, entry.product.state.rawValue.replacing("_", with: " "))],
                        entry.content.map { content in
                            [
                                a(.href(visit.link("\(path)/content/\(content.number)"))) {
                                    content.version?.text ?? "\(content.number)"
                                }
                            ]
                        } ?? [""], [ago(entry.product.changedAt, visit.now)],
                    ]
                },
                empty: [
                    p { "Developers submit products on their pages, or:" },
                    commandLine(
                        visit.command("review submit BUNDLE PRODUCT --category content --delivers TEXT")),
                ]
            ).element
        }
    }
}

/// What can be said of a product on its way to production, by those whose turn it is.
struct ReviewCard {
    let visit: ConsoleVisit
    let product: CatalogueProduct
    let path: String
    /// The content that is reviewed with it.
    let content: HostedContent?

    @HTMLBuilder var element: [any HTML] {
        p {
            "It is \(product.state.rawValue.replacing("_", with: " "))"
            product.review.isSold(in: .production) && product.state != .approved
                ? ", while production goes on with what was approved." : "."
            if let held = product.review.held, held != .approved {
                " Put back, it is \(held.rawValue.replacing("_", with: " ")) again."
            }
        }
        if product.hostsContent {
            p {
                if let content, let version = content.version {
                    "Reviewed with it: "
                    a(.href(visit.link("\(path)/content/\(content.number)"))) { "content \(version)" }
                } else {
                    a(.href(visit.link("\(path)/content"))) { "Its content" }
                    " has not been uploaded."
                }
            }
        }
        if let delivers = product.delivers { p { "Delivers: \(delivers)" } }
        if visit.may(.catalogue, change: true, .both) { developer }
        if visit.may(.review, change: true, .production) { reviewer }
    }

    @HTMLBuilder private var developer: [any HTML] {
        if product.state == .readyToSubmit {
            post("/submission/\(SubmissionAct.sending.rawValue)", "Submit it for review") {
                label(.for("category")) { "It is" }
                select(.id("category"), .name("category")) {
                    for category in ProductCategory.known.map(\.rawValue).sorted() {
                        option(.value(category), category == product.category?.rawValue ? .isSelected : nil) {
                            category
                        }
                    }
                }
                label(.for("delivers")) { "What customers get" }
                textarea(.id("delivers"), .name("delivers"), .isRequired, .longest(ProductReviews.longestDelivers)) {
                    product.delivers ?? ""
                }
                label(.for("version")) { "With the version of the app, if it is the first of its kind" }
                input(.id("version"), .name("version"), .longest(20))
            }
        } else if [.waitingForReview, .inReview].contains(product.state) {
            post("/submission/\(SubmissionAct.withdrawal.rawValue)", "Take the submission back") {}
        }
    }

    @HTMLBuilder private var reviewer: [any HTML] {
        if product.state == .waitingForReview {
            post("/review/\(ReviewAct.beginning.rawValue)", "Take it up for review") {}
        } else if product.state == .inReview {
            post("/review/\(ReviewAct.approval.rawValue)", "Approve it") {}
            details(.class("asking")) {
                summary(.class("button")) { "Reject it…" }
                post("/review/\(ReviewAct.rejection.rawValue)", "Reject it") {
                    label(.for("reason")) { "Why" }
                    select(.id("reason"), .name("reason")) {
                        for reason in RejectionReason.known.map(\.rawValue).sorted() {
                            option(.value(reason)) { reason.replacing("_", with: " ") }
                        }
                    }
                    label(.for("message")) { "To its developer" }
                    textarea(.id("message"), .name("message"), .isRequired, .longest(ProductReviews.longestNote)) { "" }
                }
            }
        }
    }

    private func post(_ act: String, _ text: String, @HTMLBuilder fields: () -> [any HTML]) -> Element {
        let fields = fields()
        return form(.isPost, .class("fields stacked"), .action(visit.link(path + act))) {
            input(.type("hidden"), .name(ConsoleVisit.proof), .value(visit.proof))
            fields
            button { text }
        }
    }
}

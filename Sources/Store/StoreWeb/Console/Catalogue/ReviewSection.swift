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
                case .approval: _ = try await editing.decide(.approve, about: path)
                case .rejection:
                    let reason = RejectionReason(rawValue: input["reason"])
                    _ = try await editing.decide(.reject(reason, message: input["message"]), about: path)
                }
                return visit.link(path.link, done: .reviewed)
            } else: {
                try await ProductPage.response($0)
            },
        ]
    }

    private static let mostWaiting = 200

    private func list(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let found = try await visit.editing.waitingForReview(limit: Self.mostWaiting)
        var page = ConsolePage(visit: visit, title: "Review", place: .review)
        page.lede =
            found.isEmpty
            ? "Nothing waits for a reviewer."
            : "What was submitted, the oldest first. A product is reviewed on its page."
        page.exported = "reviews"
        page.alternatives = [.init(command: "review list", request: "/reviews")]
        return try await page.response {
            DataTable(
                title: "Waiting",
                columns: [.text("Product"), .optional("App"), .text("State"), .optional("Content"), .text("Since")],
                rows: found.map { entry in
                    let path =
                        entry.app.isShelf
                        ? "/items/\(entry.product.productID.text.dropFirst(ItemShelf.productPrefix.count))"
                        : "/apps/\(entry.app.bundleID)/products/\(entry.product.productID)"
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

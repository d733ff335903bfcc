import StoreCatalogue
import StoreModel
import StoreRules
import StoreService

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
        if [.waitingForReview, .inReview].contains(product.state), visit.may(.review, .both) {
            p { a(.href(visit.link("/review" + path.dropFirst("/apps".count)))) { "What it changes, word by word" } }
        }
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
        return visit.form(path + act, .class("fields stacked")) {
            // A decision is about what was shown.
            if act.hasPrefix("/review/") { hidden("seenAt", "\(product.changedAt.millisecondsSinceEpoch)") }
            fields
            button { text }
        }
    }
}

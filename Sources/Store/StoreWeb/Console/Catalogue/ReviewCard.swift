import StoreCatalogue
import StoreModel
import StoreRules
import StoreService

/// What can be said of a product on its way to production, by those whose turn it is.
struct ReviewCard {
    let visit: ConsoleVisit
    let app: BundleID
    let product: CatalogueProduct
    let path: String
    let checklist: ProductChecklist
    /// Where what is missing is given; nil for the page itself.
    var editPath: String?
    /// The content that is reviewed with it.
    let content: HostedContent?

    @HTMLBuilder var element: [any HTML] {
        if product.state == .readyToSubmit, !checklist.missing.isEmpty {
            p {
                blockers.isEmpty
                    ? "Nobody has submitted it yet: say what it is and what customers get."
                    : "Before it can be submitted, something is missing:"
            }
        } else {
            standing
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

    /// What is missing and not asked for here.
    private var blockers: [ProductChecklist.Entry] {
        checklist.missing.filter { ![.category, .delivers].contains($0.need) }
    }

    private var standing: Element {
        p {
            "It is \(product.state.rawValue.replacing("_", with: " "))"
            product.review.isSold(in: .production) && product.state != .approved
                ? ", while production goes on with what was approved." : "."
            if let held = product.review.held, held != .approved {
                " Put back, it is \(held.rawValue.replacing("_", with: " ")) again."
            }
        }
    }

    @HTMLBuilder private var developer: [any HTML] {
        if product.state == .readyToSubmit {
            if blockers.isEmpty {
                submission
            } else {
                ul(.class("steps")) { for entry in blockers { step(entry) } }
            }
        } else if [.waitingForReview, .inReview].contains(product.state) {
            post("/submission/\(SubmissionAct.withdrawal.rawValue)", "Take the submission back") {}
        }
    }

    /// What is missing, with the page on which it is given.
    private func step(_ entry: ProductChecklist.Entry) -> Element {
        let place = entry.need == .version ? "/apps/\(app)/settings" : editPath
        return li(.class("wrong")) {
            span(.class("mark"), .isHidden) { "!" }
            if let place {
                a(.href(visit.link(place))) { entry.sentence }
            } else {
                span { entry.sentence }
            }
        }
    }

    private var submission: Element {
        let isSubscription = [.autoRenewable, .nonRenewing, .freeSubscription].contains(product.kind)
        return post("/submission/\(SubmissionAct.sending.rawValue)", "Submit it for review") {
            if isSubscription {
                hidden("category", ProductCategory.subscription.rawValue)
            } else {
                label(.for("category")) { "It is" }
                select(.id("category"), .name("category")) {
                    for category in ProductEntryForm.categories {
                        option(
                            .value(category.value), category.value == product.category?.rawValue ? .isSelected : nil
                        ) { "\(category.title): \(category.meaning)" }
                    }
                }
            }
            label(.for("delivers")) { "What customers get" }
            textarea(.id("delivers"), .name("delivers"), .isRequired, .longest(ProductReviews.longestDelivers)) {
                product.delivers ?? ""
            }
            if checklist.needsVersion || !checklist.openVersions.isEmpty {
                VersionField(checklist: checklist, settings: visit.link("/apps/\(app)/settings")).element
            }
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

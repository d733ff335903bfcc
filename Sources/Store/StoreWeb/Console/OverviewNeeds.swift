import StoreCatalogue
import StoreModel
import StoreRules
import StoreService

/// What needs somebody, each with its next step.
struct OverviewNeeds {
    let visit: ConsoleVisit
    let overview: StoreOverview

    /// Lines of one kind.
    private static let most = 5

    private struct Need {
        let mood: Mood
        let word: String
        let text: [any HTML]
        /// What to do next, where a page helps.
        let step: (text: String, link: Link)?
    }

    private var needs: [Need] {
        var needs: [Need] = []
        if !overview.canSell {
            needs.append(
                Need(
                    mood: .bad, word: "cannot sell",
                    text: [
                        "Production has no payment processor, so nobody can buy. To play one: ",
                        code { "till serve --production-processor test" },
                    ], step: nil))
        }
        for id in overview.failedRefunds.prefix(Self.most) {
            needs.append(
                Need(
                    mood: .bad, word: "refund failed", text: ["The processor gave nothing back for transaction \(id)."],
                    step: ("Show it", visit.link("/transactions/\(id)"))))
        }
        if overview.refundRequests.count > 0 {
            let count = overview.refundRequests.count
            needs.append(
                Need(
                    mood: .warn, word: "refund asked",
                    text: [
                        "\(count) \(count == 1 ? "request waits" : "requests wait") for a decision",
                        overview.refundRequests.oldest.map { [", the oldest since ", ago($0, visit.now)] }
                            ?? [] as [any HTML], ".",
                    ], step: ("Refund requests", visit.link("/refunds"))))
        }
        if overview.unanswered > 0 {
            needs.append(
                Need(
                    mood: .warn, word: "no answer",
                    text: ["\(overview.unanswered) charges have no answer of the processor for more than a minute."],
                    step: ("Open purchases", visit.link("/purchases"))))
        }
        let owing = overview.subscriptions.retrying
        if owing > 0 {
            needs.append(
                Need(
                    mood: .warn, word: "not paid",
                    text: [
                        "\(owing) \(owing == 1 ? "subscription" : "subscriptions") could not be paid, and "
                            + "\(owing == 1 ? "does" : "do") not count until \(owing == 1 ? "it is" : "they are")."
                    ], step: ("Show them", visit.link("/subscriptions", ("state", "retry")))))
        }
        for damage in overview.damagedBlobs.prefix(Self.most) {
            needs.append(
                Need(
                    mood: .bad, word: damage.kind.rawValue,
                    text: [
                        damage.uses.joined(separator: ", ") + " (", code { String(damage.digest.prefix(12)) },
                        "): \(BlobDamage.remedy).",
                    ], step: nil))
        }
        for group in overview.unfinished.prefix(Self.most) {
            let version = group.version.map { "\(group.bundle) \($0)" } ?? "\(group.bundle), which no device asked for,"
            needs.append(
                Need(
                    mood: .warn, word: "unfinished",
                    text: [
                        "\(group.count) \(group.count == 1 ? "transaction" : "transactions") of \(version) "
                            + "\(group.count == 1 ? "is" : "are") older than an hour: that version may not call ",
                        code { "finishTransaction" }, ".",
                    ],
                    step: (
                        "Show them", visit.link("/transactions", ("q", "\(group.bundle)"), ("standing", "unfinished"))
                    )))
        }
        for ending in overview.endings.prefix(Self.most) {
            let isOver = ending.endsAt <= visit.now
            needs.append(
                Need(
                    mood: isOver ? .bad : .warn, word: isOver ? "over" : "ends soon",
                    text: [
                        "\(ending.name), on \(ending.endsAt.rfc3339.prefix(10)). What replaces it: ",
                        code { visit.command(ending.remedy) },
                    ], step: nil))
        }
        for unsold in overview.unsold.prefix(Self.most) {
            needs.append(
                Need(
                    mood: .bad, word: "not sold",
                    text: [
                        code { unsold.product.map(\.text) ?? unsold.bundle.text },
                        (unsold.product == nil ? " sells nothing: " : " is invalid: ") + unsold.obstacle.explanation
                            + ".",
                    ],
                    step: (
                        "Why",
                        visit.link("/apps/\(unsold.bundle)" + (unsold.product.map { "/products/\($0)" } ?? ""))
                    )))
        }
        if overview.unsold.count > Self.most {
            needs.append(
                Need(
                    mood: .bad, word: "not sold", text: ["\(overview.unsold.count - Self.most) further products."],
                    step: ("Apps", visit.link("/apps"))))
        }
        needs += reviews
        if overview.open > 0 {
            needs.append(
                Need(
                    mood: .calm, word: "waiting",
                    text: [
                        "\(overview.open) \(overview.open == 1 ? "purchase waits" : "purchases wait")",
                        overview.oldestOpen.map { [", the oldest since ", ago($0, visit.now)] } ?? [] as [any HTML],
                        ".",
                    ], step: ("Open purchases", visit.link("/purchases"))))
        }
        return needs
    }

    /// What waits for a reviewer; who may review has a page of it.
    private var reviews: [Need] {
        let (products, most) = (overview.reviews.products, Self.most)
        let isReviewer = visit.may(.review, .both)
        let versions = overview.reviews.versions.prefix(most).map { version in
            Need(
                mood: .warn, word: "review",
                text: ["Version \(version.version) of ", code { version.bundle.text }, " waits for a decision."],
                step: isReviewer
                    ? ("Review", visit.link("/review/\(version.bundle)/versions/\(version.version)")) : nil)
        }
        guard products > 0 else { return versions }
        return [
            Need(
                mood: .warn, word: "review",
                text: ["\(products) \(products == 1 ? "product waits" : "products wait") for a decision."],
                step: isReviewer ? (text: "Review", link: visit.link("/review")) : nil)
        ] + versions
    }

    var lede: String {
        if overview.apps == 0 { return "There is nothing to sell yet." }
        return needs.isEmpty ? "Everything sells, and nothing needs anybody." : "What needs somebody comes first."
    }

    @HTMLBuilder var element: [any HTML] {
        let needs = needs
        if !needs.isEmpty {
            section(.class("card needs-card"), .labelledBy("needs")) {
                h2(.id("needs"), .class("unseen")) { "Needs somebody" }
                ul(.class("needs")) {
                    for need in needs {
                        li {
                            tag(need.mood, need.word)
                            span { need.text }
                            if let step = need.step { a(.href(step.link)) { step.text } }
                        }
                    }
                }
            }
        }
    }
}

import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The page on which one product, item or version is decided about, with what it would change.
struct ReviewCasePage {
    let visit: ConsoleVisit
    let found: ReviewCase
    /// Everything that waits, in its order.
    let waiting: [ReviewCase]

    /// What the buttons of the form do.
    static let (approve, reject) = ("approve", "reject")
    /// What else waits is told up to so many.
    private static let others = 5

    private var place: Int? { waiting.firstIndex { $0.target == found.target } }
    private var mayDecide: Bool { visit.may(.review, change: true, .production) }
    private var isOpen: Bool { place != nil }

    static func response(_ target: ReviewTarget, _ visit: ConsoleVisit) async throws -> HTTPResponse {
        let editing = visit.editing
        let page = ReviewCasePage(
            visit: visit, found: try await editing.reviewCase(target),
            waiting: try await editing.reviewCases(limit: ReviewSection.mostWaiting))
        return try await page.response()
    }

    private func response() async throws -> HTTPResponse {
        var page = ConsolePage(visit: visit, title: found.name, place: .review)
        page.crumbs = [("Review", visit.link("/review"))]
        page.tag = isOpen ? tag(.warn, found.isTakenUp ? "in review" : "waits") : tag(.calm, "decided")
        page.lede = lede
        page.actions = neighbours
        page.alternatives = alternatives
        return try await page.response {
            div(.class("two")) {
                div(.class("stack")) {
                    card("What changed") { differences }
                    if let product = found.product { card("What it is to be judged by") { facts(of: product) } }
                    if !found.history.isEmpty { card("Earlier decisions") { history } }
                }
                div(.class("stack")) {
                    card("Your decision") { decision }
                    others
                }
            }
        }
    }

    private var lede: String {
        let thing = "\(found.thing) of \(found.app.name)"
        if found.isNew { return "\(thing). Production has nothing of it yet: all of it is new." }
        let count = found.changes.count
        return count == 0
            ? "\(thing). It changes nothing that customers see of what production has."
            : "\(thing). It changes \(count == 1 ? "one thing" : "\(count) things") of what production has; nothing else "
                + "differs."
    }

    private var alternatives: [ConsolePage.Alternative] {
        switch found.target {
        case .product(let path):
            let name = "\(path.app) \(path.product)"
            let changes = ConsolePage.Alternative(
                command: "review changes \(name)", request: "\(path.link)/review-changes")
            guard isOpen, !found.awaitsVersion else { return [changes] }
            let next = found.isTakenUp ? "review approve \(name)" : "review begin \(name)"
            return [
                changes,
                found.isTakenUp
                    ? .init(command: next, request: "POST \(path.link)/decision", body: #"{"isApproved":true}"#)
                    : .init(command: next, request: "POST \(path.link)/review"),
            ]
        case .version(let version, let bundle):
            let changes = ConsolePage.Alternative(
                command: "review changes \(bundle) --version \(version)",
                request: "/apps/\(bundle)/versions/\(version)/review-changes")
            guard isOpen else { return [changes] }
            return [
                changes,
                .init(
                    command: "versions approve \(bundle) \(version)",
                    request: "POST /apps/\(bundle)/versions/\(version)/decision", body: #"{"isApproved":true}"#),
            ]
        }
    }

    /// What waits before and after it.
    @HTMLBuilder private var neighbours: [any HTML] {
        if let place {
            if place > 0 {
                a(.class("button"), .href(visit.link(waiting[place - 1].path)), .key("k")) {
                    "Earlier: \(waiting[place - 1].name)"
                    kbd(.isHidden) { "k" }
                }
            }
            if place + 1 < waiting.count {
                a(.class("button"), .href(visit.link(waiting[place + 1].path)), .key("j")) {
                    "Next: \(waiting[place + 1].name)"
                    kbd(.isHidden) { "j" }
                }
            }
        }
    }

    // MARK: What differs

    @HTMLBuilder private var differences: [any HTML] {
        if found.changes.isEmpty {
            p { "Nothing that customers see." }
        } else {
            div(.class("scroll")) {
                table(.class("diff")) {
                    caption(.class("unseen")) { "What changed" }
                    thead {
                        tr {
                            th(.scope("col")) { "What" }
                            if !found.isNew { th(.scope("col")) { "Approved" } }
                            th(.scope("col")) { "Submitted" }
                            th(.scope("col")) { span(.class("unseen")) { "Length" } }
                        }
                    }
                    tbody {
                        for change in found.changes { line(of: change) }
                    }
                }
            }
        }
        if !found.isNew, found.product != nil {
            p(.class("muted")) {
                "Never changes: \(ReviewCase.fixed.joined(separator: ", ")). Prices and offers are not reviewed."
            }
        }
    }

    private func line(of change: ReviewChange) -> Element {
        tr {
            td { change.title }
            if !found.isNew {
                td(.narrowLabel("Approved")) {
                    change.before ?? "–"
                    if change.field == "picture", change.before != nil { picture(in: .production) }
                }
            }
            td(.narrowLabel("Submitted")) {
                if found.isNew {
                    change.after ?? "–"
                } else if change.field == "picture" {
                    change.after ?? "taken away"
                } else {
                    change.difference.element
                }
                if change.field == "picture", change.after != nil { picture(in: .sandbox) }
            }
            td(.class("h")) { change.length ?? "" }
        }
    }

    /// Production shows what was approved, the sandbox what was submitted.
    private func picture(in environment: StoreEnvironment) -> Element? {
        guard case .product(let path) = found.target, found.item == nil,
            let link = Link(path: ConsoleVisit.path(environment, path.link + "/image"))
        else { return nil }
        let title = environment == .production ? "Approved picture" : "Submitted picture"
        return div(.class("thumb")) {
            a(.href(link)) { img(.src(link), .alt(title), .width(64), .height(64)) }
        }
    }

    @HTMLBuilder private func facts(of product: CatalogueProduct) -> [any HTML] {
        let path = ProductPath(found.app.bundleID, product.productID)
        let place = found.item.map { "/items/\($0)" } ?? path.link
        StoreWeb.facts(
            [
                ("Kind", [product.kind.rawValue] as [any HTML]),
                ("Category", [product.category?.rawValue ?? "none is named"]),
                ("Delivers", [product.delivers ?? "nothing is said"]),
            ] + (product.reviewNote.map { [("Note", ["“\($0)”"])] } ?? [])
                + (found.version.map { [("With version", [versionLink($0)] as [any HTML])] } ?? [])
                + (found.content.map { content in
                    [
                        (
                            "Content",
                            [
                                a(.href(visit.link("\(path.link)/content/\(content.number)"))) {
                                    content.version.map { "version \($0)" } ?? "upload \(content.number)"
                                }
                            ]
                        )
                    ]
                } ?? []))
        p(.class("row")) {
            a(.class("button"), .href(visit.link(place))) { "Its page" }
            if found.item == nil {
                a(.class("button"), .href(visit.link(path.link + "/sheet"))) { "Its sheet" }
                if found.hasScreenshot {
                    a(.class("button"), .href(visit.link(path.link + "/screenshot"))) { "Picture for reviewers" }
                }
            }
        }
    }

    private var history: Element {
        table {
            caption(.class("unseen")) { "Earlier decisions" }
            tbody {
                for entry in found.history.reversed().prefix(20) {
                    tr {
                        td { minute(entry.at) }
                        td {
                            entry.event
                            if let reason = entry.reason { ", \(reason.title)" }
                            if let message = entry.message, !message.isEmpty { p(.class("muted")) { "“\(message)”" } }
                        }
                        td(.class("opt")) { Actor.words(of: entry.actor) }
                    }
                }
            }
        }
    }

    // MARK: The decision

    @HTMLBuilder private var decision: [any HTML] {
        if !isOpen {
            p { "It does not wait for a decision." }
        } else if !mayDecide {
            p { "Those decide who review for the store, in production." }
        } else {
            p {
                found.isTakenUp ? "Somebody has taken it up. Changed " : "Nobody has taken it up yet. Changed "
                ago(found.changedAt, visit.now)
                "."
            }
            visit.form(found.path + "/decision", .class("fields stacked")) {
                hidden("seenAt", "\(found.changedAt.millisecondsSinceEpoch)")
                if !found.awaitsVersion {
                    button(.class("primary"), .name("do"), .value(Self.approve), .key("a"), .isUnchecked) {
                        approving
                        kbd(.isHidden) { "a" }
                    }
                }
                p(.class("h")) { consequence }
                fieldset {
                    legend { found.awaitsVersion ? "Reject it, because of" : "Or reject it, because of" }
                    for reason in RejectionReason.choices {
                        label(.class("tick")) {
                            input(.type("radio"), .name("reason"), .value(reason.rawValue))
                            span { reason.title }
                        }
                    }
                }
                label(.for("message")) { "What has to change, to its developer" }
                textarea(.id("message"), .name("message"), .rows(3), .longest(ProductReviews.longestNote)) { "" }
                button(.class("danger"), .name("do"), .value(Self.reject), .key("r")) {
                    found.isNew ? "Reject it" : "Reject, production keeps the old"
                    kbd(.isHidden) { "r" }
                }
            }
        }
    }

    private var approving: String {
        let count = found.changes.count
        return found.isNew || count == 0 ? "Approve it" : count == 1 ? "Approve 1 change" : "Approve \(count) changes"
    }

    @HTMLBuilder private var consequence: [any HTML] {
        switch found.target {
        case .version: "What was submitted with it is approved with it, if that is accepted already."
        case .product:
            if let version = found.version, found.awaitsVersion {
                "It can be approved once its developer has submitted "
                versionLink(version)
                ", which it goes with."
            } else if let version = found.version, version.review.state != .approved {
                "It goes into production once "
                versionLink(version)
                " is approved too."
            } else {
                found.isNew ? "Production sells it from then on." : "Production shows it at once."
            }
        }
    }

    /// A version that a product goes with, where it is decided about or submitted.
    private func versionLink(_ version: AppVersion) -> Element {
        let place =
            found.awaitsVersion
            ? "/apps/\(found.app.bundleID)/settings" : ReviewTarget.version(version.version, found.app.bundleID).path
        return a(.href(visit.link(place))) { "version \(version.version)" }
    }

    @HTMLBuilder private var others: [any HTML] {
        let rest = waiting.filter { $0.target != found.target }
        if !rest.isEmpty {
            card("Waits as well") {
                ul {
                    for other in rest.prefix(Self.others) {
                        li {
                            a(.href(visit.link(other.path))) { other.name }
                            span(.class("muted")) { " \(other.app.name), \(other.summary), " }
                            ago(other.changedAt, visit.now)
                        }
                    }
                }
                if rest.count > Self.others {
                    p { a(.href(visit.link("/review"))) { "And \(rest.count - Self.others) more" } }
                }
            }
        }
    }
}

import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// Partners of the store, what came of their links, and the feeds that they fetch.
struct PartnersSection: ConsoleSection {
    let services: ConsoleServices

    private static let path = "/partners"
    private static let token = PathParameter<String>("partner", rule: "the token of a partner") {
        Partners.isToken($0) ? $0 : nil
    }
    /// Partners and feeds that one page shows.
    private static let (mostPartners, mostFeeds) = (100, 10)

    var routes: [Route] {
        [
            page(Self.path, for: .teams, .here, list),
            form(Self.path, for: .teams, .here) { visit, input in
                let made = try await Partners(visit.store).create(
                    input["name"], email: input["email"], commission: try Self.share(input), visit.cause)
                return visit.link("\(Self.path)/\(made.token)", done: .made)
            } else: {
                try await list($0)
            },
            form("/partner-feeds", for: .teams, .here) { visit, input in
                _ = try await PartnerFeeds(visit.store).make(try Self.mode(input), for: visit.actor)
                return visit.link(Self.path, done: .begun)
            } else: {
                try await list($0)
            },
            page(Self.path + "/{partner}", for: .teams, .here) { try await show($0, key: nil) },
            page(Self.path + "/{partner}/lines.csv", for: .teams, .here) { visit in
                let partners = Partners(visit.store)
                let partner = try await partners.find(visit.request[Self.token], for: visit.actor)
                return .partnerLines(of: partner, from: nil, until: nil, partners)
            },
            key("approval") { try await $0.approve($1, $2) }, key("key") { try await $0.replaceKey($1, $2) },
            form("\(Self.path)/{partner}/{act}", for: .teams, .here, change) { try await show($0, key: nil) },
        ]
    }

    /// A key is shown once: on the page that answers its form.
    private func key(
        _ word: String,
        _ make: @escaping @Sendable (Partners, String, ChangeCause) async throws -> (partner: Partner, key: String)
    ) -> Route {
        shown("\(Self.path)/{partner}/\(word)", for: .teams, .here) { visit, _ in
            let made = try await make(Partners(visit.store), visit.request[Self.token], visit.cause)
            return try await show(visit, key: made.key)
        } else: {
            try await show($0, key: nil)
        }
    }

    private func change(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let (token, partners) = (try visit.request[Self.token], Partners(visit.store))
        switch try visit.act(PartnerAct.self) {
        case .end: _ = try await partners.end(token, visit.cause)
        case .share: _ = try await partners.setCommission(try Self.share(input), of: token, visit.cause)
        }
        return visit.link("\(Self.path)/\(token)", done: .changed)
    }

    private static func mode(_ input: FormInput) throws -> FeedMode? {
        guard let word = input.text("mode") else { return nil }
        guard let mode = FeedMode(rawValue: word) else {
            throw ServiceError(.valueInvalid, "a feed has everything or what changed", parameter: "mode")
        }
        return mode
    }

    private static func share(_ input: FormInput) throws -> Proportion {
        guard let share = Proportion(percent: input["share"]) else {
            throw ServiceError(
                .valueInvalid, "the share is a percentage with at most three digits after the point, such as 7 or 2.5",
                parameter: "share")
        }
        return share
    }

    // MARK: All of them

    private func list(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let partners = try await Partners(visit.store).list(limit: Self.mostPartners, for: visit.actor)
        let feeds = try await PartnerFeeds(visit.store).list(limit: Self.mostFeeds, for: visit.actor)
        let waiting = partners.count { $0.state == .applied }
        var page = ConsolePage(visit: visit, title: "Partners", place: .partners)
        page.lede =
            partners.isEmpty
            ? "Nobody sends customers here for a share yet. A partner’s links earn what you decide, of what the store keeps."
            : waiting == 0
                ? "\(partners.count) \(partners.count == 1 ? "partner sends" : "partners send") customers here."
                : "\(waiting) of \(partners.count) \(waiting == 1 ? "waits" : "wait") for your yes."
        page.exported = "partners"
        page.alternatives = [
            .init(command: "partners list", request: "/partners"),
            .init(
                command: "partners create NAME --email EMAIL --share 7", request: "POST /partners",
                body: #"{"name":"NAME","email":"EMAIL","commission":7000}"#),
            .init(command: "feed make", request: "POST /partner-feeds", body: "{}"),
        ]
        return try await page.response {
            table(of: partners, visit)
            if visit.may(.teams, change: true) { newPartner(visit) }
            h2 { "The feed" }
            table(of: feeds, visit)
            if visit.may(.teams, change: true) { newFeed(visit) }
        }
    }

    private func table(of partners: [Partner], _ visit: ConsoleVisit) -> [any HTML] {
        DataTable(
            title: "Partners",
            columns: [.text("Partner"), .text("Token"), .amount("Share"), .text("State"), .optional("Entered")],
            rows: partners.map { partner in
                [
                    [a(.href(visit.link("\(Self.path)/\(partner.token)"))) { partner.name }], name(partner.token),
                    [partner.commission.percentText], [state(of: partner)], [ago(partner.createdAt, visit.now)],
                ]
            },
            empty: [p { "No partner yet. Links with at=TOKEN earn once there is one." }]
        ).element
    }

    private func state(of partner: Partner) -> Element {
        switch partner.state {
        case .approved: tag(.good, "approved")
        case .applied: tag(.warn, "waits for your yes")
        default: tag(.calm, "ended")
        }
    }

    private func newPartner(_ visit: ConsoleVisit) -> Element {
        details(.class("card make")) {
            summary { "Enter a partner" }
            visit.form(Self.path, .class("fields")) {
                field("name", "Name", isRequired: true)
                field("email", "E-mail address", type: "email", isRequired: true)
                field("share", "Share of what customers pay, in percent, such as 7", isRequired: true)
                button(.class("primary")) { "Enter the partner" }
            }
        }
    }

    private func table(of feeds: [PartnerFeed], _ visit: ConsoleVisit) -> [any HTML] {
        DataTable(
            title: "Feeds",
            columns: [.text("Feed"), .text("Day"), .text("Has"), .text("State"), .optional("Begun")],
            rows: feeds.map { feed in
                [
                    ["\(feed.number)"], [feed.date],
                    [feed.base.map { "what changed since feed \($0)" } ?? "everything"], state(of: feed),
                    [ago(feed.begunAt, visit.now), " by \(feed.actor)"],
                ]
            },
            empty: [p { "No feed yet. The first is made when there is a partner, or now." }]
        ).element
    }

    @HTMLBuilder private func state(of feed: PartnerFeed) -> [any HTML] {
        switch feed.state {
        case .ready: tag(.good, "ready")
        case .making: tag(.calm, "being made")
        default:
            tag(.bad, "failed")
            " \(feed.problem ?? "")"
        }
    }

    private func newFeed(_ visit: ConsoleVisit) -> Element {
        details(.class("card make")) {
            summary { "Make a feed" }
            visit.form("/partner-feeds", .class("fields")) {
                div {
                    label(.for("mode")) { "Has" }
                    select(.id("mode"), .name("mode")) {
                        option(.value("")) { "what is due" }
                        option(.value("full")) { "everything" }
                        option(.value("incremental")) { "what changed since the last full one" }
                    }
                }
                button(.class("primary")) { "Make it" }
            }
        }
    }

    // MARK: One of them

    private func show(_ visit: ConsoleVisit, key: String?) async throws -> HTTPResponse {
        let (token, partners) = (try visit.request[Self.token], Partners(visit.store))
        let report = try await partners.report(on: token, from: nil, until: nil, for: visit.actor)
        let history = try await partners.history(of: token, for: visit.actor)
        let partner = report.partner
        var page = ConsolePage(visit: visit, title: partner.name, place: .partners)
        page.tag = state(of: partner)
        page.crumbs = [("Partners", visit.link(Self.path))]
        page.lede =
            report.totals.isEmpty
            ? "Nothing came of the links yet."
            : "The books owe \(report.totals.map { visit.text($0) }.joined(separator: ", ")) to this partner."
        page.alternatives = [
            .init(command: "partners report \(token)", request: "/partners/\(token)/report"),
            .init(command: "partners show \(token)", request: "/partners/\(token)"),
        ]
        return try await page.response {
            if let key { once("The key of \(partner.name) for the feed. It is shown this once:", key) }
            sums(of: report)
            p { a(.href(visit.link("\(Self.path)/\(token)/lines.csv"))) { "Single sales and refunds, as CSV" } }
            card("Facts") {
                StoreWeb.facts([
                    ("Token", name(token)), ("E-mail address", [partner.email]),
                    ("Share", [partner.commission.percentText]),
                    ("Key", [partner.keyMadeAt.map { ago($0, visit.now) } ?? "none"]),
                ])
            }
            if visit.may(.teams, change: true) { acts(on: partner, visit) }
            lines(of: history, visit)
        }
    }

    private func sums(of report: PartnerReport) -> [any HTML] {
        DataTable(
            title: "What came of the links",
            columns: [
                .text("Campaign"), .amount("Sales"), .amount("Refunds"), .amount("Paid"), .amount("Share"),
            ],
            rows: report.sums.map { sum in
                [
                    [sum.campaign ?? "none"], ["\(sum.sales)"], ["\(sum.refunds)"], ["\(sum.paid)"],
                    ["\(sum.commission)"],
                ]
            },
            empty: [p { "A link to a page of the store becomes this partner’s with at=\(report.partner.token)." }]
        ).element
    }

    private func acts(on partner: Partner, _ visit: ConsoleVisit) -> Element {
        let place = "\(Self.path)/\(partner.token)"
        return card("What you can do") {
            div(.class("buttons")) {
                if partner.state != .approved {
                    visit.form("\(place)/approval") { button(.class("primary")) { "Approve \(partner.name)" } }
                } else {
                    asking(
                        "Make another key…", "Programs of \(partner.name) that show the former key are refused at once."
                    ) {
                        visit.form("\(place)/key") { button { "Make another key" } }
                    }
                }
                if partner.state != .ended {
                    asking("End it…", "Links of \(partner.name) earn nothing from now on, and the key opens nothing.") {
                        visit.form("\(place)/end") { button(.class("danger")) { "End it with \(partner.name)" } }
                    }
                }
            }
            visit.edit("\(place)/share", .class("fields")) {
                field("share", "Share of sales from now on, in percent", isRequired: true)
                button { "Change the share" }
            }
        }
    }

    private func lines(of history: [Partners.Line], _ visit: ConsoleVisit) -> [any HTML] {
        DataTable(
            title: "History", columns: [.text("When"), .text("What"), .text("By")],
            rows: history.map { line in
                [
                    [ago(line.at, visit.now)], [line.event + (line.detail.map { " \($0)" } ?? "")],
                    [Actor.words(of: line.actor)],
                ]
            }, empty: []
        ).element
    }
}

import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The frame of every page of the console: where one is, where else one can go, and how the same is done without it.
struct ConsolePage {
    /// The places of the menu.
    // Closed: each has its line there.
    enum Place {
        case overview, transactions, subscriptions, purchases, refunds, people, apps, review, devices, requests, inspect
        case tokens, keys, system, clock, faults, partners, items, features, ratings, drafts
        case finance, ledger, account, teams, team, storePeople, families, audit
    }

    /// How the same is done in a terminal and by a program.
    struct Alternative {
        /// Without the options that name the store.
        let command: String
        /// The path of a request, with its method before it unless that is GET.
        var request: String?
        var body: String?
    }

    let visit: ConsoleVisit
    let title: String
    let place: Place
    var tag: Element?
    var lede: String?
    var crumbs: [(text: String, link: Link)] = []
    var actions: [any HTML] = []
    var alternatives: [Alternative] = []
    /// What the file of its first list is called; nil where it is not exported.
    var exported: String?
    /// The list as it is narrowed and sorted, from its first row on; nil for the address of the page.
    var exportedFrom: Link?
    /// The most rows of an export.
    var exportLimit = ListLimits.exported
    /// The state of the store that the page shows, where it is to follow it.
    var pulse: String?
    /// Where it is told that this state is another.
    var pulsePath: Link?
    var status = HTTPStatus.ok

    func response(@HTMLBuilder content: () throws -> [any HTML]) async throws -> HTTPResponse {
        if let reading = visit.reading {
            reading.take(try content())
            return HTTPResponse(status)
        }
        if visit.query["format"] != nil { return try export(content()) }
        let menu = try await ConsoleMenu(visit)
        var (heading, content) = (self.heading, try content())
        var wrong: [WrongField] = []
        if let sent = visit.sent {
            heading = sent.restored(in: heading)
            (content, wrong) = sent.filled(content)
        }
        let sheet = link(.rel("stylesheet"), .href(WebAssets.console.link))
        return Page("\(title) · \(visit.environment.title) · Till", in: "en", kind: "console", more: [sheet]) {
            a(.class("skip"), .href(Link("#content"))) { "To the content" }
            div(.class("frame \(visit.environment)" + (isTested ? " tested" : ""))) {
                menu.element(place)
                div {
                    top
                    main(
                        .id("content"), pulse.map { .pulse($0) },
                        pulse.map { _ in .pulsePath(pulsePath ?? visit.link("/pulse")) }
                    ) {
                        heading
                        refusal(wrong)
                        if let done = visit.query[Notice.parameter].flatMap(Notice.init)?.sentence {
                            p(.class("told"), .role("status")) { done }
                        }
                        content
                        how
                    }
                }
            }
        }.response(status)
    }

    /// Why a form was refused. What is about one of its fields leads there.
    private func refusal(_ wrong: [WrongField]) -> Element? {
        guard let problem = visit.problem else { return nil }
        let problems = visit.sent?.problems ?? []
        return p(.class("problem"), .role("alert")) {
            if wrong.isEmpty { problem }
            for problem in wrong.isEmpty ? [] : problems {
                if let field = wrong.first(where: { $0.problem == problem }) {
                    a(.href(Link(place: field.id))) {
                        field.label.map { "\($0): \(problem.clause)" } ?? problem.whole
                    }
                } else {
                    problem.whole
                }
                " "
            }
        }
    }

    /// The first list of the page, for a program.
    private func export(_ content: [any HTML]) throws -> HTTPResponse {
        guard let exported, let table = TableExport(of: content) else {
            throw ServiceError(.valueInvalid, "there is no list here that can be exported", parameter: "format")
        }
        guard let form = visit.export else {
            throw ServiceError(.valueInvalid, "a list is exported as csv or as json", parameter: "format")
        }
        return table.response(as: form, name: exported)
    }

    /// The ways to the exports of the first list.
    private var exports: [any HTML] {
        guard exported != nil else { return [] }
        let limit = "At most \(exportLimit) rows."
        return TableExport.Form.allCases.map { form in
            a(.class("button"), .href(visit.link(to: form, of: exportedFrom)), .title(limit), .isDownload) {
                form == .csv ? "Export CSV" : "JSON"
            }
        }
    }

    /// Whether production plays with test cards, and so looks like what it is.
    private var isTested: Bool { visit.environment == .production && visit.store.processor.form.isTest }

    private var top: Element {
        header(.class("top")) {
            nav(.class("switch"), .label("Environment")) {
                for environment in StoreEnvironment.allCases {
                    a(
                        .href(visit.beginning(in: environment)),
                        environment == visit.environment ? .isCurrent : nil
                    ) { environment.title }
                }
            }
            if isTested { span(.class("tag warn")) { "Test cards: nothing is charged" } }
            form(.class("search"), .role("search"), .action(visit.link("/search"))) {
                input(
                    .name("q"), .type("search"), .label("Search"),
                    .placeholder("Any id, e-mail, product or order number"), .isSearch, .longest(200))
                kbd(.isHidden) { "/" }
            }
            a(.class("keys"), .href(visit.link("/keyboard")), .listsKeys) { "Keys" }
            visit.signingOut
        }
    }

    @HTMLBuilder private var heading: [any HTML] {
        if !crumbs.isEmpty {
            nav(.class("crumbs"), .label("Path")) {
                for crumb in crumbs {
                    a(.href(crumb.link)) { crumb.text }
                    " › "
                }
            }
        }
        div(.class("head")) {
            div {
                h1 {
                    title
                    if let tag {
                        " "
                        tag
                    }
                }
                if let lede { p(.class("lede")) { lede } }
            }
            if !actions.isEmpty || exported != nil { div(.class("row")) { actions + exports } }
        }
    }

    @HTMLBuilder private var how: [any HTML] {
        if !alternatives.isEmpty {
            details(.class("how")) {
                summary { "As command · As request" }
                for alternative in alternatives {
                    commandLine(visit.command(alternative.command))
                    if let request = alternative.request { commandLine(curl(request, alternative.body)) }
                }
                if alternatives.contains(where: { $0.request != nil }) {
                    p(.class("muted")) {
                        "$TOKEN is an operator’s token: "
                        code { visit.command("control-token create NAME --environment \(visit.environment)") }
                    }
                }
            }
        }
    }

    private func curl(_ request: String, _ body: String?) -> String {
        let parts = request.split(separator: " ", maxSplits: 1)
        let (method, path) = parts.count == 2 ? ("-X \(parts[0]) ", parts[1]) : ("", parts[0])
        let address = visit.services.address(visit.environment)?.description ?? ""
        // In JSON an apostrophe stands in texts alone, where it may be written so that no shell ends its word there.
        let plain = body?.replacing("'", with: #"\u0027"#)
        let data = plain.map { " -H 'Content-Type: application/json' -d '\($0)'" } ?? ""
        return "curl -s \(method)-H \"Authorization: Bearer $TOKEN\"\(data) '\(address)/control/v1\(path)'"
    }
}

extension StoreEnvironment {
    /// As headings have it.
    var title: String { self == .production ? "Production" : "Sandbox" }
}

/// The menu, with what of each thing there is.
struct ConsoleMenu {
    let visit: ConsoleVisit
    /// Nil where the visitor may not know.
    let store: StoreOverview.Waiting?
    let catalogue: CatalogueOutline

    /// Apps that have a line of their own.
    private static let apps = 8

    init(_ visit: ConsoleVisit) async throws {
        self.visit = visit
        store = visit.may(.customers) ? try await StoreOverview.waiting(in: visit.store) : nil
        catalogue = try await visit.editing.outline(apps: Self.apps)
    }

    func element(_ place: ConsolePage.Place) -> Element {
        // Nothing of the store is told to whoever has not set up a second factor that is needed.
        guard !visit.session.lacksFactor else {
            return nav(.class("side"), .label("Console")) {
                ul { line("Your account", AccountSection.path, place == .account) }
            }
        }
        return nav(.class("side"), .label("Console")) {
            a(.class("brand"), .href(visit.beginning(in: visit.environment))) {
                img(.src(WebAssets.icon.link), .alt(""), .width(20), .height(20))
                "Till"
            }
            ul {
                if visit.may(.customers) {
                    line("Overview", "", place == .overview)
                    line("Transactions", "/transactions", place == .transactions)
                    line("Subscriptions", "/subscriptions", place == .subscriptions)
                    line("Open purchases", "/purchases", place == .purchases, count: store?.purchases ?? 0)
                    line("Refund requests", "/refunds", place == .refunds, count: store?.refundRequests ?? 0)
                    line(visit.environment == .sandbox ? "Testers" : "Customers", "/customers", place == .people)
                    line("Families", "/families", place == .families)
                }
                line("Apps", "/apps", place == .apps)
                line("Items", "/items", place == .items)
                line("Drafts", "/catalogue/drafts", place == .drafts, count: catalogue.drafts)
                if visit.may(.review, .both) { line("Review", "/review", place == .review, count: catalogue.waiting) }
            }
            if !catalogue.apps.isEmpty {
                ul(.class("late inner")) {
                    for app in catalogue.apps { line(app.name, "/apps/\(app.bundleID)", false) }
                }
            }
            if visit.may(.review), visit.actor.team == nil {
                ul(.class("late")) {
                    line("Reported reviews", "/ratings", place == .ratings)
                    if visit.may(.teams, .production) { line("Home page", "/features", place == .features) }
                }
            }
            if visit.may(.finance) || visit.may(.customers) {
                ul(.class("late")) {
                    if visit.may(.finance) { line("Finance", "/finance", place == .finance) }
                    if visit.may(.customers) { line("Ledger", "/ledger", place == .ledger) }
                }
            }
            if visit.may(.teams, .both), visit.actor.team == nil {
                ul(.class("late")) {
                    line("Teams", "/teams", place == .teams)
                    line("People of the store", "/people", place == .storePeople)
                }
            }
            if visit.actor.team != nil { ul(.class("late")) { line("Your team", "/team", place == .team) } }
            if visit.may(.members, .both) { ul(.class("late")) { line("Audit", "/audit", place == .audit) } }
            if visit.may(.teams) { ul(.class("late")) { line("Partners", "/partners", place == .partners) } }
            if visit.may(.secrets) { ul(.class("late")) { line("Keys of servers", "/api-keys", place == .keys) } }
            if visit.may(.customers) {
                ul(.class("late")) {
                    line("Requests", "/requests", place == .requests)
                    line("Inspect", "/inspect", place == .inspect)
                    line("Devices", "/devices", place == .devices)
                    if visit.environment == .sandbox {
                        line("Clock", "/clock", place == .clock)
                        line("Faults", "/faults", place == .faults)
                    }
                    if visit.may(.teams) { line("Tokens and secrets", "/tokens", place == .tokens) }
                    if visit.may(.teams), visit.services.system != nil {
                        line("System", SystemSection.path, place == .system)
                    }
                }
            }
        }
    }

    /// Where keys lead, in the order of the menu.
    var places: [(letter: String, text: String)] {
        Element.all(in: [element(.overview)]) { $0["data-go"] != nil }.map { link in
            (link["data-go"] ?? "", link.content.first as? String ?? link.text)
        }
    }

    private func line(_ text: String, _ path: String, _ isCurrent: Bool, count: Int = 0) -> Element {
        li {
            a(
                .href(visit.link(path)), isCurrent ? .isCurrent : nil,
                ConsoleKeys.letters[path].map { .goesBy("\($0)") }
            ) {
                text
                if count > 0 { span(.class("count")) { "\(count)" } }
            }
        }
    }
}

import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// What the server of an app was told and whether it got it, and where that goes.
struct NotificationsSection: ConsoleSection {
    let services: ConsoleServices

    static let id = PathParameter<NotificationID>("notificationUUID", rule: "the id of a notification") {
        NotificationID($0)
    }

    var routes: [Route] {
        [
            page("/apps/{bundleId}/notifications", for: .secrets, .here, list),
            page("/apps/{bundleId}/notifications/{notificationUUID}", for: .secrets, .here, NotificationPage.response),
            form("/apps/{bundleId}/notifications/test", for: .secrets, .here, test, else: list),
            form(
                "/apps/{bundleId}/notifications/{notificationUUID}/resend", for: .secrets, .here, resend,
                else: NotificationPage.response),
            page("/apps/{bundleId}/notification-settings", for: .secrets, .here, settings),
            form("/apps/{bundleId}/notification-settings", for: .secrets, .here, set, else: settings),
            form("/apps/{bundleId}/notification-settings/removal", for: .secrets, .here, remove, else: settings),
        ]
    }

    static func path(_ bundle: BundleID) -> String { "/apps/\(bundle)/notifications" }

    /// What leads from a purchase to what the developer's server was told of it.
    static func told(of transaction: TransactionID, in bundle: BundleID, _ visit: ConsoleVisit) -> Element {
        a(.class("button"), .href(visit.link(path(bundle), ("q", "\(transaction)")))) { "What your server was told" }
    }

    // MARK: The list

    private func list(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let app = try await visit.editing.app(visit.request[ConsolePath.bundle])
        let text = visit.query["q"] ?? ""
        if let id = NotificationID(text) { return redirect(to: visit.link("\(Self.path(app.bundleID))/\(id)")) }
        let lists = NotificationLists(visit.store)
        let filter = try await filter(for: app.id, text, visit)
        var found: NotificationLists.Page?
        if let filter {
            let after = visit.query["after"].flatMap { NotificationCursor($0) }
            found = try await lists.page(filter, after: after, limit: visit.rows)
        }
        let narrowing = narrowing(app, visit)
        let standing = try await NotificationStanding(of: app, visit)
        var page = ConsolePage(visit: visit, title: "Notifications of \(app.name)", place: .apps)
        page.tag = standing.tag
        page.lede = standing.sentence
        page.crumbs = [("Apps", visit.link("/apps")), (app.name, visit.link("/apps/\(app.bundleID)"))]
        page.actions = actions(app, visit)
        page.exported = "notifications"
        if narrowing.problem != nil { page.status = .badRequest }
        page.alternatives = [
            .init(
                command: "notifications list \(app.bundleID)",
                request: "\(Self.path(app.bundleID))?limit=\(ListLimits.rows)"),
            .init(command: "listen --app \(app.bundleID) --forward-to http://localhost:3000/till"),
        ]
        return try await page.response {
            filters(narrowing)
            DataTable(
                title: "Notifications",
                columns: [.text("What"), .text("When"), .text("Did it arrive?"), .amount("Answer")],
                rows: (found?.found ?? []).map { row($0, app, visit) },
                empty: [p { standing.hasAddress ? "Nothing of the kind was told." : "Nobody is told anything yet." }],
                next: found?.next.map { narrowing.link(("after", $0.description)) }, isOfLinks: true
            ).element
        }
    }

    /// Nil where what is looked for is nobody's.
    private func filter(
        for app: AppID, _ text: String, _ visit: ConsoleVisit
    ) async throws -> NotificationFilter? {
        let narrowing = ListFilter(visit, "")
        guard narrowing.problem == nil else { return nil }
        var filter = NotificationFilter(app: app)
        filter.since = narrowing.period.start ?? filter.since
        filter.before = narrowing.period.end ?? filter.before
        filter.type = visit.query["type"].flatMap { $0.isEmpty ? nil : NotificationType(rawValue: $0) }
        switch visit.query["state"] ?? "" {
        case "failures": filter.states = NotificationFilter.failures
        case let word: filter.states = NotificationState(rawValue: word).map { [$0] } ?? []
        }
        guard !text.isEmpty else { return filter }
        if let id = TransactionID(text), id.environment != nil {
            filter.transaction = id
            return filter
        }
        do {
            filter.customer = try await Accounts(visit.store).account(named: text).customer.id
            return filter
        } catch is any Refusal {
            return nil
        }
    }

    private func narrowing(_ app: CatalogueApp, _ visit: ConsoleVisit) -> ListFilter {
        ListFilter(visit, Self.path(app.bundleID), choices: ["type", "state"])
    }

    private func filters(_ narrowing: ListFilter) -> [any HTML] {
        narrowing.form(by: "E-mail, transaction or notification id") {
            narrowing.choice("type", "Type", NotificationType.sent.map { ($0, $0) }, none: "All types")
            narrowing.choice(
                "state", "How they stand",
                [("failures", "Not taken")]
                    + NotificationState.allCases.map { ($0.rawValue, NotificationSummary.word($0).capitalizedFirst) })
        }
    }

    private func row(_ listed: ListedNotification, _ app: CatalogueApp, _ visit: ConsoleVisit) -> [[any HTML]] {
        let told = listed.notification
        let last = listed.attempts.last
        return [
            what(listed, app, visit), when(told, visit), [told.state.tag],
            [last.map { $0.status.map { "\($0)" } ?? NotificationSummary.word($0.result) } ?? ""],
        ]
    }

    @HTMLBuilder private func what(
        _ listed: ListedNotification, _ app: CatalogueApp, _ visit: ConsoleVisit
    ) -> [any HTML] {
        let told = listed.notification
        a(.href(visit.link("\(Self.path(app.bundleID))/\(told.uuid)"))) { NotificationSummary(listed).title }
        p(.class("faint")) {
            parted(told.type.rawValue, after: "_")
            if let subtype = told.subtype {
                " · "
                parted(subtype.rawValue, after: "_")
            }
        }
        p(.class("faint")) { about(told, visit) }
    }

    /// The purchase that it is about, else the customer, else the app.
    @HTMLBuilder private func about(_ told: StoredNotification, _ visit: ConsoleVisit) -> [any HTML] {
        "about "
        if let id = told.transaction {
            a(.class("id"), .href(visit.link("/transactions/\(id)"))) { "\(id)" }
        } else if let customer = told.customer, visit.may(.customers) {
            a(.href(visit.link("/customers/\(customer)"))) { "customer \(customer)" }
        } else {
            told.customer == nil ? "the app" : "a customer"
        }
    }

    /// The real time, and what the clock of whom it concerns showed, where that was another.
    @HTMLBuilder private func when(_ told: StoredNotification, _ visit: ConsoleVisit) -> [any HTML] {
        ago(told.writtenAt, visit.now)
        if let time = NotificationSummary.ownTime(told.signedAt, besides: told.writtenAt) {
            p(.class("faint")) {
                minute(time)
                " by its clock"
            }
        }
    }

    @HTMLBuilder private func actions(_ app: CatalogueApp, _ visit: ConsoleVisit) -> [any HTML] {
        if visit.may(.secrets, change: true) {
            visit.form("\(Self.path(app.bundleID))/test") { button { "Send a test" } }
            a(.class("button"), .href(visit.link("/apps/\(app.bundleID)/notification-settings"))) {
                "Address and types…"
            }
        }
    }

    // MARK: What is done

    private func test(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let bundle = try visit.request[ConsolePath.bundle]
        let asked = try await TestNotifications(visit.store).request(for: bundle, visit.cause)
        return visit.link("\(Self.path(bundle))/\(asked.notification.uuid)", done: .sent)
    }

    private func resend(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let (bundle, id) = (try visit.request[ConsolePath.bundle], try visit.request[Self.id])
        _ = try await NotificationPage.find(visit)
        _ = try await NotificationLists(visit.store).resend(id, visit.cause)
        return visit.link("\(Self.path(bundle))/\(id)", done: .sent)
    }

    private func settings(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let app = try await visit.editing.app(visit.request[ConsolePath.bundle])
        let shown = try await NotificationSettings(visit.store).show(app: app.bundleID, by: visit.actor)
        return try await NotificationSettingPage(visit: visit, app: app, setting: shown.setting).response()
    }

    private func set(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let bundle = try visit.request[ConsolePath.bundle]
        let types = NotificationType.known.map(\.rawValue).filter { input["type-\($0)"] == "yes" }
        let draft = NotificationSettings.Draft(
            url: input["url"], version: Int(input["version"]) ?? 0, types: input["which"] == "some" ? types : nil,
            retries: input["retries"] == "yes")
        _ = try await NotificationSettings(visit.store).set(draft, app: bundle, visit.cause)
        return visit.link(Self.path(bundle), done: .changed)
    }

    private func remove(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let bundle = try visit.request[ConsolePath.bundle]
        _ = try await NotificationSettings(visit.store).remove(app: bundle, visit.cause)
        return visit.link(Self.path(bundle), done: .changed)
    }
}

extension NotificationState {
    var tag: Element {
        let mood: Mood =
            switch self {
            case .delivered: .good
            case .failed: .bad
            case .due, .resting: .warn
            case .waiting, .unaddressed: .calm
            }
        return StoreWeb.tag(mood, NotificationSummary.word(self))
    }
}

/// How the server of an app does, in numbers.
struct NotificationStanding {
    let tag: Element?
    let sentence: String
    let hasAddress: Bool

    private static let day = Duration.seconds(24 * 60 * 60)

    init(of app: CatalogueApp, _ visit: ConsoleVisit) async throws {
        let store = visit.store
        let setting = try await NotificationSettings(store).show(app: app.bundleID, by: visit.actor).setting
        let listeners = try await NotificationListeners.listening(to: app.id, of: store)
        let counts = try await NotificationLists(store).counts(of: app.id, since: store.clocks.commerce() - Self.day)
        func count(_ states: NotificationState...) -> Int { states.reduce(0) { $0 + (counts[$1] ?? 0) } }
        let (taken, all) = (count(.delivered), count(.delivered, .failed, .resting, .due, .waiting))
        let (late, lost) = (count(.resting, .due), count(.failed))
        hasAddress = setting != nil
        tag =
            lost > 0
            ? StoreWeb.tag(.bad, "\(lost) given up") : late > 0 ? StoreWeb.tag(.warn, "\(late) waiting") : nil
        let names = listeners.map { $0.name ?? "listener \($0.id)" }.joined(separator: ", ")
        let heard = listeners.isEmpty ? "" : " till listen hears it too: \(names)."
        guard let setting else {
            sentence =
                "Your server is told nothing: there is no address yet. Set one, or run till listen on your machine."
                + heard
            return
        }
        sentence =
            "Your server at \(setting.url) got \(taken) of \(all) in 24 hours"
            + (late > 0 ? "; \(late) \(late == 1 ? "waits" : "wait") for another attempt" : "")
            + (lost > 0 ? "; \(lost) \(lost == 1 ? "was" : "were") given up" : "") + "." + heard
    }
}

import StoreCatalogue
import StoreFoundation
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// One notification: whether the developer's server got it, what was tried, and what it says.
struct NotificationPage {
    let visit: ConsoleVisit
    let app: CatalogueApp
    let listed: ListedNotification
    /// What is sent; nil where version 1 has no form of it.
    let body: [UInt8]?

    private var told: StoredNotification { listed.notification }
    private var summary: NotificationSummary { NotificationSummary(listed) }
    private var path: String { "\(NotificationsSection.path(app.bundleID))/\(told.uuid)" }

    /// The notification of the path, if it is of the app there.
    static func find(_ visit: ConsoleVisit) async throws -> (app: CatalogueApp, listed: ListedNotification) {
        let app = try await visit.editing.app(visit.request[ConsolePath.bundle])
        let id = try visit.request[NotificationsSection.id]
        let found = try await NotificationLists(visit.store).show(id, by: visit.actor)
        guard found.notification.app == app.id else {
            throw ServiceError(.notificationUnknown, "the app has no notification \(id)", parameter: "notificationUUID")
        }
        return (app, found)
    }

    @Sendable static func response(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let (app, listed) = try await find(visit)
        let forms = NotificationForms(visit.store, receipt: visit.services.unifiedReceipt)
        let body = try await forms.body(of: listed.notification)
        return try await NotificationPage(visit: visit, app: app, listed: listed, body: body).response()
    }

    private func response() async throws -> HTTPResponse {
        var page = ConsolePage(visit: visit, title: summary.title, place: .apps)
        page.tag = told.state.tag
        page.lede = summary.answer
        page.crumbs = [
            ("Apps", visit.link("/apps")), (app.name, visit.link("/apps/\(app.bundleID)")),
            ("Notifications", visit.link(NotificationsSection.path(app.bundleID))),
        ]
        if visit.may(.secrets, change: true) {
            page.actions = [visit.form(path + "/resend") { button(.class("primary")) { "Send it again now" } }]
        }
        page.alternatives = [
            .init(command: "notifications show \(app.bundleID) \(told.uuid)", request: path),
            .init(command: "notifications resend \(app.bundleID) \(told.uuid)", request: "POST \(path)/resend"),
        ]
        return try await page.response {
            div(.class("two")) {
                div(.class("stack")) {
                    card("Attempts") { attempts }
                    card("What it says") { payload }
                }
                card("What it is") {
                    if let decoded { signature(decoded) }
                    StoreWeb.facts(factList)
                }
            }
        }
    }

    @HTMLBuilder private var attempts: [any HTML] {
        if listed.attempts.isEmpty { p(.class("muted")) { "Nothing was tried yet." } }
        ol(.class("life")) {
            for attempt in listed.attempts {
                li(attempt.result == .success ? nil : .class("back")) {
                    time(.dateTime(attempt.wallAt.rfc3339), .title(attempt.wallAt.rfc3339Milliseconds)) {
                        String(attempt.wallAt.rfc3339Milliseconds.prefix(23)).replacing("T", with: " ")
                    }
                    p {
                        NotificationSummary.sentence(attempt)
                        if attempt.receiver != NotificationAttempt.address {
                            span(.class("faint")) { " at \(NotificationSummary.receiver(attempt.receiver))" }
                        }
                    }
                    p(.class("more")) {
                        attempt.result.rawValue
                        if let detail = attempt.detail { " · “\(detail)”" }
                        if let time = attempt.ownTime {
                            " · "
                            minute(time)
                            " by its clock"
                        }
                    }
                }
            }
            if let next = told.nextAt {
                li(.class("wait")) {
                    minute(next)
                    p { "Next attempt, unless you send it earlier" + (hasOwnClock ? "; by its clock" : "") }
                }
            }
        }
    }

    /// Whether the clock by which it is tried again showed another time than the real one.
    private var hasOwnClock: Bool { listed.attempts.last?.ownTime != nil }

    private var decoded: DecodedNotification? {
        body.map { DecodedNotification(body: $0, verifier: visit.store.signers.jwsVerifier) }
    }

    @HTMLBuilder private var payload: [any HTML] {
        if let decoded {
            p {
                "Decoded, with all that is signed in it "
                copyButton(decoded.payload.text)
            }
            pre(.isFocusable, .label("Payload, decoded")) { decoded.payload.text }
        } else {
            p(.class("muted")) { "Version 1, which the address wants, has no form of it: it is not sent." }
        }
        if let body {
            let text = String(decoding: body, as: UTF8.self)
            details {
                StoreWeb.summary { "As it is sent" }
                pre(.isFocusable, .label("As it is sent")) { text }
                p { copyButton(text) }
            }
        }
    }

    private func signature(_ decoded: DecodedNotification) -> Element {
        p {
            if !decoded.isSigned {
                tag(.calm, "not signed")
                " Version 1 has the shared secret as its password instead."
            } else if let problem = decoded.problem {
                tag(.bad, "signature not good")
                " \(problem)"
            } else {
                tag(.good, "signatures good")
                " signed \(told.signedAt.writtenExactly)"
            }
        }
    }

    private var factList: [(name: String, value: [any HTML])] {
        var facts: [(name: String, value: [any HTML])] = [
            ("Type", name(told.type.rawValue)),
            ("Means", [summary.meaning]),
            ("Id", name(told.uuid) + [span(.class("muted")) { " the same at every attempt" }]),
        ]
        if let subtype = told.subtype { facts.insert(("Subtype", name(subtype.rawValue)), at: 1) }
        if let customer = told.customer, visit.may(.customers) {
            facts.append(("Customer", [a(.href(visit.link("/customers/\(customer)"))) { "\(customer)" }]))
        }
        if let transaction = told.transaction {
            let link = a(.href(visit.link("/transactions/\(transaction)"))) { "\(transaction)" }
            facts.append(("Transaction", visit.may(.customers) ? [link] : name(transaction)))
        }
        return facts
    }
}

/// The form that says where the notifications of an app go.
struct NotificationSettingPage {
    let visit: ConsoleVisit
    let app: CatalogueApp
    let setting: NotificationSetting?

    func response() async throws -> HTTPResponse {
        let path = "/apps/\(app.bundleID)/notification-settings"
        var page = ConsolePage(visit: visit, title: "Where the notifications of \(app.name) go", place: .apps)
        page.lede =
            setting.map { "To \($0.url), since \($0.setAt.rfc3339.prefix(10)), in \(visit.environment) alone." }
            ?? "Nowhere yet, in \(visit.environment). The other environment has an address of its own."
        page.crumbs = [
            ("Apps", visit.link("/apps")), (app.name, visit.link("/apps/\(app.bundleID)")),
            ("Notifications", visit.link(NotificationsSection.path(app.bundleID))),
        ]
        page.alternatives = [
            .init(
                command: "notifications set \(app.bundleID) --url http://localhost:3000/till", request: "PUT \(path)",
                body: #"{"url": "http://localhost:3000/till"}"#)
        ]
        return try await page.response {
            card("Address") { fields(path) }
            if setting != nil {
                asking("Send them nowhere…", "What was not delivered is given up, and nothing is told any more.") {
                    visit.form(path + "/removal") { button(.class("danger")) { "Remove the address" } }
                }
            }
        }
    }

    private func fields(_ path: String) -> Element {
        visit.edit(path) {
            label(.for("url")) { "Address" }
            input(
                .id("url"), .name("url"), .type("url"), .value(setting?.url ?? ""), .isRequired, .longest(2000),
                .placeholder("https://api.example.com/till"))
            label(.for("version")) { "Version" }
            select(.id("version"), .name("version")) {
                for version in NotificationSetting.versions.reversed() {
                    option(.value("\(version)"), version == (setting?.version ?? 2) ? .isSelected : nil) {
                        version == 1 ? "1, not signed, for old servers" : "2, signed"
                    }
                }
            }
            types
            if visit.environment == .sandbox {
                label {
                    input(
                        .type("checkbox"), .name("retries"), .value("yes"),
                        setting?.retries == true ? .isChecked : nil)
                    " Try again as production does: after 1, 12, 24, 48 and 72 hours"
                }
            }
            div(.class("row")) {
                button(.class("primary")) { "Send them there" }
                a(.class("button"), .href(visit.link(NotificationsSection.path(app.bundleID)))) { "Back" }
            }
        }
    }

    @HTMLBuilder private var types: [any HTML] {
        fieldset {
            legend { "Types" }
            for (value, text) in [("all", "All but those of Till's own"), ("some", "Only those that are ticked")] {
                label {
                    input(
                        .type("radio"), .name("which"), .value(value),
                        (setting?.types == nil) == (value == "all") ? .isChecked : nil)
                    " \(text)"
                }
            }
        }
        fieldset {
            legend { "Those that are ticked" }
            for type in NotificationType.sent {
                label {
                    input(
                        .type("checkbox"), .name("type-\(type)"), .value("yes"),
                        setting?.types?.contains(NotificationType(rawValue: type)) == true ? .isChecked : nil)
                    " \(type)"
                }
            }
        }
    }
}

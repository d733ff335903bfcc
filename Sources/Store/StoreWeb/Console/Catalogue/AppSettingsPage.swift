import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The page of what belongs to an app as a whole.
struct AppSettingsPage {
    let visit: ConsoleVisit
    let app: CatalogueApp
    let versions: [AppVersion]

    @Sendable static func response(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let app = try await visit.editing.app(visit.request[ConsolePath.bundle])
        let versions = try await visit.editing.versions(of: app.bundleID)
        return try await AppSettingsPage(visit: visit, app: app, versions: versions).response()
    }

    private var path: String { "/apps/\(app.bundleID)" }
    private var mayChange: Bool { visit.may(.catalogue, change: true, .both) }

    private func response() async throws -> HTTPResponse {
        var page = ConsolePage(visit: visit, title: "Settings of \(app.name)", place: .apps)
        page.crumbs = [("Apps", visit.link("/apps")), (app.name, visit.link(path))]
        page.lede = lede
        page.alternatives = alternatives
        return try await page.response {
            div(.class("two")) {
                div(.class("stack")) {
                    card("Versions") { versionList }
                    if mayChange { card("Name and language") { names } }
                    if mayChange { card("What it may use") { capabilities } }
                }
                div(.class("stack")) {
                    card("Facts") {
                        facts([
                            ("Bundle id", StoreWeb.name(app.bundleID)), ("Store id", StoreWeb.name(app.id)),
                            ("Store page", storeLink(StoreItem(app).link(at: nil), visit)),
                        ])
                    }
                    if visit.may(.secrets), !app.isShelf { card("Profile") { profile } }
                    card("Files") { files }
                }
            }
        }
    }

    private var lede: String {
        guard let newest = versions.last else {
            return "It has no version yet. The first product of each kind is reviewed together with one."
        }
        let state = newest.review.state.rawValue.replacing("_", with: " ")
        return "Version \(newest.version) is the newest: \(state)."
    }

    private var alternatives: [ConsolePage.Alternative] {
        let all: [ConsolePage.Alternative] = [
            .init(
                command: "apps set \(app.bundleID) --name '\(Self.plain(app.name))'", request: "PUT \(path)",
                body: #"{"name":"\#(Self.plain(app.name))"}"#),
            .init(
                command: "apps capabilities \(app.bundleID) in_app_purchase", request: "PUT \(path)/capabilities",
                body: #"{"capabilities":["in_app_purchase"]}"#),
            .init(
                command: "versions add \(app.bundleID) 1.0", request: "POST \(path)/versions",
                body: #"{"version":"1.0"}"#),
            .init(command: "versions list \(app.bundleID)", request: "\(path)/versions"),
            .init(command: "catalogue export --bundle-id \(app.bundleID)", request: "\(path)/catalogue"),
        ]
        guard !app.isShelf else { return all }
        return all + [.init(command: "provision \(app.bundleID) --\(visit.environment)")]
    }

    /// A name as a line of a shell can have it between quotation marks.
    private static func plain(_ name: String) -> String { name.filter { !"'\"\\".contains($0) } }

    private var names: Element {
        visit.edit(path + "/settings") {
            div(.class("form")) {
                FormField(
                    name: "name", label: "Name", value: visit.typed("name", else: app.name),
                    limit: CatalogueLimits.appName, isCounted: true,
                    isRequired: true
                ).element
                choice(
                    "primaryLanguage", "Language", languages, chosen: app.primaryLanguage,
                    hint: "Of texts where no other fits.")
            }
            p { button { "Change them" } }
        }
    }

    private var languages: [(value: String, text: String)] {
        let known = LanguageNames.offered.contains(app.primaryLanguage)
        let own = known ? [] : [(value: app.primaryLanguage, text: LanguageNames.name(of: app.primaryLanguage))]
        return own + LanguageNames.choices()
    }

    private var capabilities: Element {
        visit.form(path + "/capabilities") {
            tick(
                AppCapability.inAppPurchase.rawValue, "In-app purchase",
                "Without it the app sells nothing. Its profiles become stale by a change, and are made anew.",
                isOn: app.capabilities.contains(.inAppPurchase))
            p { button { "Set what it may use" } }
        }
    }

    @HTMLBuilder private var versionList: [any HTML] {
        if versions.isEmpty { p { "None yet." } }
        ul(.class("rows-of")) {
            for version in versions.reversed() {
                li(.class("row")) {
                    b { version.version }
                    tag(mood(of: version), version.review.state.rawValue.replacing("_", with: " "))
                    ago(version.changedAt, visit.now)
                    if mayChange { acts(version) }
                    if let rejection = version.rejection {
                        p(.class("muted")) {
                            "\(rejection.reason.rawValue.replacing("_", with: " ").capitalizedFirst): \(rejection.message)"
                        }
                    }
                }
            }
        }
        if mayChange {
            visit.form(path + "/versions", .class("fields")) {
                FormField(
                    name: "version", label: "A new version", hint: "One to three numbers with periods, such as 1.0.2.",
                    isRequired: true
                ).element
                button { "Enter it" }
            }
        }
    }

    private func mood(of version: AppVersion) -> Mood {
        switch version.review.state {
        case .approved: .good
        case .rejected: .bad
        case .prepareForSubmission: .calm
        default: .warn
        }
    }

    @HTMLBuilder private func acts(_ version: AppVersion) -> [any HTML] {
        let place = "\(path)/versions/\(version.version)"
        switch version.review.state {
        case .prepareForSubmission:
            visit.form("\(place)/\(VersionAct.submission.rawValue)") { button { "Submit \(version.version)" } }
            visit.form("\(place)/\(VersionAct.removal.rawValue)") {
                button(.class("quiet")) { "Take \(version.version) back" }
            }
        case .rejected, .developerRejected:
            visit.form("\(place)/\(VersionAct.submission.rawValue)") {
                button { "Submit \(version.version) again" }
            }
        default:
            asking("Withdraw \(version.version)…", "Its developer rejects it, also one that was approved.") {
                visit.form("\(place)/\(VersionAct.withdrawal.rawValue)") {
                    button(.class("danger")) { "Withdraw it" }
                }
            }
        }
    }

    @HTMLBuilder private var profile: [any HTML] {
        p {
            "By its profile the app finds \(visit.environment). It is no secret, and lies beside the executable of the app."
        }
        p { a(.class("button"), .href(visit.link(path + "/profile")), .isDownload) { "Download the profile" } }
    }

    @HTMLBuilder private var files: [any HTML] {
        if visit.may(.secrets, .both) {
            p {
                a(.class("button"), .href(visit.link(path + "/export/catalogue")), .isDownload) { "Catalogue file" }
                // No app asks StoreKit for items of the storefront, nor has a profile.
                if !app.isShelf {
                    " "
                    a(.class("button"), .href(visit.link(path + "/export/storekit")), .isDownload) { "File for Xcode" }
                }
            }
        }
        if mayChange { p { a(.class("button"), .href(visit.link(path + "/import"))) { "Bring it up to a file" } } }
    }
}

/// The address of a page of the store, ready to be opened and copied.
func storeLink(_ path: String, _ visit: ConsoleVisit) -> [any HTML] {
    let whole = (visit.services.address(.production)?.description ?? "") + path
    guard let link = Link(path: path) else { return [span(.class("id")) { path }, " ", copyButton(whole)] }
    return [a(.href(link), .class("id")) { parted(path, after: "?") }, " ", copyButton(whole)]
}

import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// The keys with which servers of developers ask the App Store Server API of an environment.
struct APIKeysSection: ConsoleSection {
    let services: ConsoleServices

    var routes: [Route] {
        [
            page("/api-keys", for: .secrets, .here, list),
            newKey,
            form("/api-keys/revocation", for: .secrets, .here) { visit, input in
                _ = try await visit.editing.revokeAPIKey(input["key"])
                return visit.link("/api-keys", done: .changed)
            } else: {
                try await list($0)
            },
        ]
    }

    /// A key is shown once: on the page that answers its form.
    private var newKey: Route {
        shown("/api-keys", for: .secrets, .here) { visit, input in
            let team = try input["team"].isEmpty ? nil : TeamID(parsing: input["team"])
            let made = try await visit.editing.addAPIKey(
                input["name"], for: input["reach"] == "both" ? nil : visit.environment, of: team,
                visit.services.random)
            return try await list(visit, made: made)
        } else: {
            try await list($0)
        }
    }

    private func list(_ visit: ConsoleVisit) async throws -> HTTPResponse { try await list(visit, made: nil) }

    private func list(
        _ visit: ConsoleVisit, made: (entry: APIKeys.Entry, privateKey: String)?
    ) async throws -> HTTPResponse {
        let keys = try await visit.editing.apiKeys(of: nil).filter { $0.reaches(visit.environment) }
        var page = ConsolePage(visit: visit, title: "Keys of servers", place: .keys)
        page.lede =
            "Servers of developers ask the App Store Server API of \(visit.environment) with tokens that they sign with a key of "
            + "their team."
        page.exported = "api-keys"
        page.alternatives = [
            .init(command: "api-key list", request: "/api-keys"), .init(command: "api-key create NAME"),
        ]
        return try await page.response {
            if let made {
                once("The private half of the key \(made.entry.id). It is shown this once:", made.privateKey)
            }
            table(of: keys, visit)
            if visit.may(.secrets, change: true) { newKeyForm(visit) }
        }
    }

    private func table(of keys: [APIKeys.Entry], _ visit: ConsoleVisit) -> [any HTML] {
        DataTable(
            title: "Keys",
            columns: [.text("Key"), .optional("Issuer"), .text("State"), .text("")],
            rows: keys.map { key in
                [
                    whatItIs(key, visit), name(key.issuer),
                    [key.revokedAt == nil ? tag(.good, "good") : tag(.calm, "revoked")],
                    [key.revokedAt == nil && mayRevoke(key, visit) ? revocation(of: key, visit) : ""],
                ]
            }, empty: [p { "No key yet; without one no server can ask." }]
        ).element
    }

    /// Its id and name, and in small what a narrow window has no columns for.
    @HTMLBuilder private func whatItIs(_ key: APIKeys.Entry, _ visit: ConsoleVisit) -> [any HTML] {
        name(key.id)
        p { key.name }
        p(.class("faint")) {
            "of \(key.team), opens \(key.environment?.rawValue ?? "both"), "
            if let usedAt = key.usedAt {
                "last used "
                ago(usedAt, visit.now)
            } else {
                "never used"
            }
        }
    }

    /// A key of both environments is of production too.
    private func mayRevoke(_ key: APIKeys.Entry, _ visit: ConsoleVisit) -> Bool {
        key.environment == nil
            ? visit.may(.secrets, change: true, .production) : visit.may(.secrets, change: true)
    }

    private func revocation(of key: APIKeys.Entry, _ visit: ConsoleVisit) -> Element {
        asking(
            "Revoke…",
            "Servers that use \(key.id), which is called “\(key.name)”, are refused at once, and it cannot be given back."
        ) {
            visit.form("/api-keys/revocation") {
                hidden("key", key.id)
                button(.class("danger")) { "Revoke \(key.id)" }
            }
        }
    }

    private func newKeyForm(_ visit: ConsoleVisit) -> Element {
        details(.class("card make")) {
            summary { "Make a key" }
            visit.form("/api-keys", .class("fields")) {
                field("name", "What it is for", isRequired: true)
                field("team", "Team; empty for the only one")
                div {
                    label(.for("reach")) { "Opens" }
                    select(.id("reach"), .name("reach")) {
                        option(.value("")) { "\(visit.environment)" }
                        if visit.may(.secrets, change: true, .production) {
                            option(.value("both")) { "both environments" }
                        }
                    }
                }
                button(.class("primary")) { "Make it" }
            }
        }
    }
}

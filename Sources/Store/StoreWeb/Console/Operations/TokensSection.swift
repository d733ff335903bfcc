import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

/// Who may come in by a program, and the secrets with which servers of developers have receipts verified.
struct TokensSection: ConsoleSection {
    let services: ConsoleServices

    /// Apps whose secrets are shown.
    private static let mostSecrets = 100

    var routes: [Route] {
        [
            page("/tokens", for: .teams, .here, list),
            form("/tokens/revocation", for: .teams, .here) { visit, input in
                try await visit.editing.revokeToken(named: input["name"])
                return visit.link("/tokens", done: .changed)
            } else: {
                try await list($0)
            },
            newToken,
            form("/secrets/{bundleId}", for: .teams, .here) { visit, _ in
                _ = try await visit.editing.makeSharedSecret(
                    of: visit.request[ConsolePath.bundle], in: visit.environment, visit.services.random)
                return visit.link("/tokens", done: .made)
            } else: {
                try await list($0)
            },
        ]
    }

    /// A token is shown once: on the page that answers its form.
    private var newToken: Route {
        shown("/tokens", for: .teams, .here) { visit, input in
            let role: OperatorTokens.Role = input["role"].isEmpty ? .operator : .init(rawValue: input["role"])
            let token = try await visit.editing.makeToken(
                named: input["name"], for: visit.environment, role: role, visit.services.random)
            return try await list(visit, made: token)
        } else: {
            try await list($0)
        }
    }

    private func list(_ visit: ConsoleVisit) async throws -> HTTPResponse { try await list(visit, made: nil) }

    private func list(_ visit: ConsoleVisit, made: String?) async throws -> HTTPResponse {
        let shown = try await visit.editing.tokensAndSecrets(in: visit.environment, limit: Self.mostSecrets)
        let secrets = shown.secrets
        var page = ConsolePage(visit: visit, title: "Tokens and secrets", place: .tokens)
        page.lede = "A token lets a program do what its role may, in one environment. The store keeps only its hash."
        page.exported = "tokens"
        page.alternatives = [.init(command: "control-token list"), .init(command: "control-token create NAME")]
        return try await page.response {
            if let made { once("Your token. It is shown this once:", made) }
            table(of: shown.tokens, visit)
            if visit.actor.keepsStore {
                newTokenForm(visit)
            } else {
                p(.class("muted")) { "Whoever opens the console with the link of till console makes and revokes them." }
            }
            h2 { "Shared secrets of apps in \(visit.environment)" }
            DataTable(
                title: "Shared secrets", columns: [.text("App"), .text("Secret"), .text("")],
                rows: shown.apps.map { app in
                    [
                        [a(.href(visit.link("/apps/\(app.bundleID)"))) { app.name }],
                        secrets[app.id].map { secret in
                            [
                                details {
                                    summary { "Show it" }
                                    p { StoreWeb.name(secret) }
                                }
                            ]
                        } ?? ["none"],
                        [
                            secrets[app.id] == nil
                                ? newSecret(visit, app, "Make one")
                                : asking(
                                    "Make another…", "Servers that send the former one are refused from then on."
                                ) { newSecret(visit, app, "Make another") }
                        ],
                    ]
                },
                empty: [
                    p {
                        "There is no app yet. "
                        a(.href(visit.link("/apps"))) { "Three ways to get one" }
                    }
                ]
            ).element
            p(.class("muted")) {
                "Servers send it as password to verifyReceipt of \(visit.environment), for receipts with subscriptions; the other "
                "environment has its own. Another one ends the former at once."
            }
        }
    }

    private func newTokenForm(_ visit: ConsoleVisit) -> Element {
        details(.class("card make")) {
            summary { "Make a token for \(visit.environment)" }
            visit.form("/tokens", .class("fields")) {
                field("name", "What it is called", isRequired: true)
                div {
                    label(.for("role")) { "Role" }
                    select(.id("role"), .name("role")) {
                        option(.value("")) { "operator: everything" }
                        option(.value("reviewer")) { "reviewer" }
                        option(.value("support")) { "support" }
                    }
                }
                button(.class("primary")) { "Make it" }
            }
        }
    }

    /// By what tokens are sorted; there are few.
    // Closed: each has its comparison.
    private enum TokenColumn: String {
        case name, role, environment, used, state

        func areInOrder(_ one: OperatorTokens.Entry, _ other: OperatorTokens.Entry) -> Bool {
            switch self {
            case .name: one.name < other.name
            case .role: (one.role.rawValue, one.name) < (other.role.rawValue, other.name)
            case .environment: (one.environment.rawValue, one.name) < (other.environment.rawValue, other.name)
            case .used: (order(one.lastUsedAt), one.name) < (order(other.lastUsedAt), other.name)
            case .state: (end(one), one.name) < (end(other), other.name)
            }
        }

        /// Those that were never used are before all others.
        private func order(_ instant: Instant?) -> Int64 { instant?.millisecondsSinceEpoch ?? .min }

        /// When it ends or has ended.
        private func end(_ entry: OperatorTokens.Entry) -> Int64 {
            min(entry.expiresAt, entry.revokedAt ?? entry.expiresAt).millisecondsSinceEpoch
        }
    }

    private func table(of entries: [OperatorTokens.Entry], _ visit: ConsoleVisit) -> [any HTML] {
        let (now, order) = (visit.now, TableOrder<TokenColumn>(visit.query, standard: .name))
        func heading(_ column: TokenColumn) -> DataTable.Sorting {
            order.heading(column, descendingFirst: column == .used) { visit.link("/tokens", $0) }
        }
        return DataTable(
            title: "Tokens",
            columns: [
                .text("Name", heading(.name)), .text("Role", heading(.role)),
                .optional("Environment", heading(.environment)), .optional("Made by"),
                .optional("Last used", heading(.used)),
                .text("State", heading(.state)), .text(""),
            ],
            rows: order.sorted(entries, after: nil, order.column.areInOrder).map { entry in
                let isOver = entry.revokedAt != nil || entry.expiresAt <= now
                return [
                    [entry.name], [entry.role.rawValue + (entry.team.map { " of \($0)" } ?? "")],
                    ["\(entry.environment)"], [entry.madeBy.map { Actor.words(of: $0) } ?? "unknown"],
                    [entry.lastUsedAt.map { ago($0, now) } ?? "never"],
                    [
                        entry.revokedAt != nil
                            ? tag(.calm, "revoked")
                            : isOver
                                ? tag(.calm, "over") : tag(.good, "until \(entry.expiresAt.rfc3339.prefix(10))")
                    ], [isOver || !visit.actor.keepsStore ? "" : revocation(visit, entry.name)],
                ]
            },
            empty: [p { "No token yet. Programs and tests need one; commands on the machine of the store do not." }]
        ).element
    }

    private func newSecret(_ visit: ConsoleVisit, _ app: CatalogueApp, _ text: String) -> Element {
        visit.form("/secrets/\(app.bundleID)") {
            button { text }
        }
    }

    private func revocation(_ visit: ConsoleVisit, _ name: String) -> Element {
        asking("Revoke…", "Whoever uses it is refused at once, and it cannot be given back.") {
            visit.form("/tokens/revocation") {
                hidden("name", name)
                button(.class("danger")) { "Revoke it" }
            }
        }
    }
}

import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning

/// Who may come in by a program, and the secrets with which servers of developers have receipts verified.
extension ConsoleRoutes {
    /// Apps whose secrets are shown.
    private static let mostSecrets = 100

    var tokenRoutes: [Route] {
        [
            page("/tokens", for: .teams, .here) { try await Self.tokens($0) },
            form("/tokens/revocation", for: .teams, .here) { visit, input in
                let (cause, name) = (visit.catalogueCause, input["name"])
                try await visit.desk.catalogue.write { transaction in
                    guard try Self.entries(visit, in: transaction).contains(where: { $0.name == name }) else {
                        throw CatalogueError(.nameUnknown, "there is no token of this name", field: "name")
                    }
                    try OperatorTokens.revoke(name: name, cause, in: transaction)
                }
                return visit.link("/tokens", done: .changed)
            } else: {
                try await Self.tokens($0)
            },
            newToken,
            form("/secrets/{bundleId}", for: .teams, .here) { visit, _ in
                let (id, secret) = (
                    try visit.request[Self.bundle],
                    SharedSecrets.secret(of: try visit.desk.random(SharedSecrets.byteCount))
                )
                let cause = visit.catalogueCause
                try await visit.desk.catalogue.write { transaction in
                    guard let app = try Catalogue.app(id, in: transaction) else {
                        throw CatalogueError(.appUnknown, "there is no app of this bundle id", field: "bundleId")
                    }
                    try SharedSecrets.set(secret, of: app.id, in: visit.environment, cause, transaction)
                }
                return visit.link("/tokens", done: .made)
            } else: {
                try await Self.tokens($0)
            },
        ]
    }

    /// A token is shown once: on the page that answers its form.
    private var newToken: Route {
        shown("/tokens", for: .teams, .here) { visit in
            let (cause, environment, input) = (visit.catalogueCause, visit.environment, try FormInput(visit.request))
            let token = OperatorTokens.token(of: try visit.desk.random(OperatorTokens.byteCount))
            let role: OperatorTokens.Role = input["role"].isEmpty ? .operator : .init(rawValue: input["role"])
            _ = try await visit.desk.catalogue.write { transaction in
                try OperatorTokens.add(
                    token, name: input["name"], for: environment, role: role, cause, in: transaction)
            }
            return try await Self.tokens(visit, made: token)
        } else: {
            try await Self.tokens($0)
        }
    }

    /// The tokens that somebody may look after: with a token of an environment those of this environment.
    private static func entries(
        _ visit: ConsoleVisit, in transaction: any ReadTransaction
    ) throws -> [OperatorTokens.Entry] {
        let own = visit.actor.environment
        return try OperatorTokens.all(in: transaction).filter { own == nil || $0.environment == own }
    }

    private static func tokens(_ visit: ConsoleVisit, made: String? = nil) async throws -> HTTPResponse {
        let (entries, apps, secrets) = try await visit.desk.catalogue.read { transaction in
            (
                try Self.entries(visit, in: transaction), try Catalogue.apps(limit: mostSecrets, in: transaction),
                try SharedSecrets.all(in: visit.environment, transaction)
            )
        }
        var page = ConsolePage(visit: visit, title: "Tokens and secrets", place: .tokens)
        page.lede = "A token lets a program do what its role may, in one environment. The store keeps only its hash."
        page.alternatives = [.init(command: "control-token list"), .init(command: "control-token create NAME")]
        return try await page.response {
            if let made { once("Your token. It is shown this once:", made) }
            table(of: entries, visit)
            if visit.actor.kind == .owner {
                newTokenForm(visit)
            } else {
                p(.class("muted")) { "Whoever opens the console with the link of till console makes and revokes them." }
            }
            h2 { "Shared secrets of apps in \(visit.environment)" }
            DataTable(
                title: "Shared secrets", columns: [.text("App"), .text("Secret"), .text("")],
                rows: apps.map { app in
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

    private static func newTokenForm(_ visit: ConsoleVisit) -> Element {
        details(.class("card make"), visit.problem == nil ? nil : .isOpen) {
            summary { "Make a token for \(visit.environment)" }
            StoreWeb.form(.isPost, .class("fields"), .action(visit.link("/tokens"))) {
                input(.type("hidden"), .name(ConsoleVisit.proof), .value(visit.proof))
                field("name", "What it is called", visit, isRequired: true)
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
            case .used: (Self.order(one.lastUsedAt), one.name) < (Self.order(other.lastUsedAt), other.name)
            case .state: (Self.end(one), one.name) < (Self.end(other), other.name)
            }
        }

        /// Those that were never used are before all others.
        private static func order(_ instant: Instant?) -> Int64 { instant?.millisecondsSinceEpoch ?? .min }

        /// When it ends or has ended.
        private static func end(_ entry: OperatorTokens.Entry) -> Int64 {
            min(entry.expiresAt, entry.revokedAt ?? entry.expiresAt).millisecondsSinceEpoch
        }
    }

    private static func table(of entries: [OperatorTokens.Entry], _ visit: ConsoleVisit) -> [any HTML] {
        let (now, order) = (visit.now, TableOrder<TokenColumn>(visit.query, standard: .name))
        func heading(_ column: TokenColumn) -> DataTable.Sorting {
            order.heading(column, descendingFirst: column == .used) { visit.link("/tokens", $0) }
        }
        return DataTable(
            title: "Tokens",
            columns: [
                .text("Name", heading(.name)), .text("Role", heading(.role)),
                .optional("Environment", heading(.environment)), .optional("Last used", heading(.used)),
                .text("State", heading(.state)), .text(""),
            ],
            rows: order.sorted(entries, after: nil, order.column.areInOrder).map { entry in
                let isOver = entry.revokedAt != nil || entry.expiresAt <= now
                return [
                    [entry.name], [entry.role.rawValue + (entry.team.map { " of \($0)" } ?? "")],
                    ["\(entry.environment)"], [entry.lastUsedAt.map { ago($0, now) } ?? "never"],
                    [
                        entry.revokedAt != nil
                            ? tag(.calm, "revoked")
                            : isOver
                                ? tag(.calm, "over") : tag(.good, "until \(entry.expiresAt.rfc3339.prefix(10))")
                    ], [isOver || visit.actor.kind != .owner ? "" : revocation(visit, entry.name)],
                ]
            },
            empty: [p { "No token yet. Programs and tests need one; commands on the machine of the store do not." }]
        ).element
    }

    private static func newSecret(_ visit: ConsoleVisit, _ app: CatalogueApp, _ text: String) -> Element {
        StoreWeb.form(.isPost, .action(visit.link("/secrets/\(app.bundleID)"))) {
            input(.type("hidden"), .name(ConsoleVisit.proof), .value(visit.proof))
            button { text }
        }
    }

    private static func revocation(_ visit: ConsoleVisit, _ name: String) -> Element {
        asking("Revoke…", "Whoever uses it is refused at once, and it cannot be given back.") {
            StoreWeb.form(.isPost, .action(visit.link("/tokens/revocation"))) {
                input(.type("hidden"), .name(ConsoleVisit.proof), .value(visit.proof))
                input(.type("hidden"), .name("name"), .value(name))
                button(.class("danger")) { "Revoke it" }
            }
        }
    }
}

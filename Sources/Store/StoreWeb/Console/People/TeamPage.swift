import StoreCatalogue
import StoreModel
import StoreRules
import StoreService

/// What the page of a team shows.
struct TeamPage {
    let visit: ConsoleVisit
    let details: TeamDetails
    private let people: PeopleDetails
    private let sales: TeamSales
    private let texts: [AgreementText]
    /// Nil for those who see no bank data.
    private let finance: TeamFinance?

    private var id: TeamID { details.team.id }
    private var path: String { "/teams/\(id)" }

    init(visit: ConsoleVisit, _ id: TeamID) async throws {
        self.visit = visit
        let editing = visit.editing
        details = try await editing.team(id)
        people = try await editing.people(of: id)
        sales = try await editing.salesOfTeam(id)
        texts = [try await editing.agreementText(.free), try await editing.agreementText(.paid)]
        finance = visit.may(.finance, .production) ? try await editing.finance(of: id) : nil
    }

    var tag: Element {
        if details.team.suspendedAt != nil { return StoreWeb.tag(.bad, "suspended") }
        return hasAgreed(.paid) ? StoreWeb.tag(.good, "sells") : StoreWeb.tag(.warn, "has not agreed")
    }

    var lede: String {
        let count = details.members.count
        let members = "\(count) \(count == 1 ? "member" : "members")"
        if let reason = details.team.suspensionReason {
            return "Suspended: \(reason). It sells nothing new; what was bought stays, and is restored and refunded."
        }
        let sold = "\(sales.products) \(sales.products == 1 ? "product" : "products") in production"
        return hasAgreed(.paid)
            ? "\(members), \(sales.apps) \(sales.apps == 1 ? "app" : "apps"), \(sold)."
            : "\(members). Nothing of StoreKit works in its apps before it has accepted the paid agreement."
    }

    var alternatives: [ConsolePage.Alternative] {
        var all: [ConsolePage.Alternative] = [.init(command: "teams show \(id)", request: "/teams/\(id)")]
        if visit.may(.members, change: true, .production) {
            all.append(
                .init(
                    command: "members invite \(id) ada@example.com --name Ada --role developer",
                    request: "POST /teams/\(id)/invitations",
                    body: #"{"email":"ada@example.com","name":"Ada","role":"developer"}"#))
        }
        if visit.may(.teams, change: true, .production) {
            all.append(
                details.team.suspendedAt == nil
                    ? .init(
                        command: "teams suspend \(id) --because 'complaints of customers'",
                        request: "PUT /teams/\(id)/suspension", body: #"{"reason":"complaints of customers"}"#)
                    : .init(command: "teams reinstate \(id)", request: "DELETE /teams/\(id)/suspension"))
        }
        return all
    }

    private func hasAgreed(_ kind: AgreementKind) -> Bool {
        details.agreements.contains { $0.kind == kind && $0.isValid(at: visit.now) }
    }

    var content: Element {
        div(.class("two")) {
            div(.class("stack")) {
                PeopleCards(
                    visit: visit, people: people, roles: OperatorTokens.Role.ofMembers, path: path,
                    members: details.members.map { .init(email: $0.email, name: $0.name, role: $0.role) },
                    mayChange: visit.may(.members, change: true, .production)
                ).content
            }
            div(.class("stack")) {
                card("Agreements") { for kind in [AgreementKind.free, .paid] { agreement(kind) } }
                financeCard
                if visit.may(.teams, change: true, .production) { selling }
            }
        }
    }

    // MARK: Cards

    @HTMLBuilder private func agreement(_ kind: AgreementKind) -> [any HTML] {
        let found = details.agreements.first { $0.kind == kind }
        let text = texts.first { $0.kind == kind }
        div(.class("agreed")) {
            p {
                a(.href(visit.link("/agreements/\(kind.rawValue)"))) { "The \(kind.rawValue) agreement" }
                " "
                if let found, found.isValid(at: visit.now) {
                    StoreWeb.tag(.good, "accepted")
                } else {
                    StoreWeb.tag(.warn, found == nil ? "not accepted" : "ended")
                }
            }
            if let found {
                p(.class("faint")) { Self.acceptance(of: found) }
            }
            if visit.may(.finance, change: true, .production), let text { acceptance(kind, text) }
            if hasAgreed(kind), visit.may(.teams, change: true, .production) { ending(kind) }
        }
    }

    private static func acceptance(of agreement: Agreement) -> String {
        var words = "By \(agreement.acceptedBy), \(agreement.acceptedAt.rfc3339.prefix(10))"
        if let version = agreement.textVersion { words += ", text \(version)" }
        if let end = agreement.endsAt { words += ", until \(end.rfc3339.prefix(10))" }
        if let reason = agreement.endedReason { words += ": \(reason)" }
        return words
    }

    private func acceptance(_ kind: AgreementKind, _ text: AgreementText) -> Element {
        StoreWeb.details {
            summary { hasAgreed(kind) ? "Read it, or accept it anew" : "Read and accept it" }
            div(.class("agreement"), .isFocusable, .role("region"), .label("The \(kind.rawValue) agreement")) {
                paragraphs(text.body)
            }
            visit.form("\(path)/agreements", .class("stacked")) {
                hidden("kind", kind.rawValue)
                hidden("version", "\(text.version)")
                label(.for("by-\(kind.rawValue)")) { "Who agrees for the team" }
                input(.id("by-\(kind.rawValue)"), .name("by"), .isRequired, .longest(Teams.longestName))
                fieldset {
                    legend(.class("unseen")) { "Consent to the \(kind.rawValue) agreement" }
                    label {
                        input(.type("checkbox"), .name("agreed"), .value("yes"), .isRequired)
                        " The team agrees"
                    }
                }
                button(.class("primary")) { "Accept text \(text.version)" }
            }
        }
    }

    private func ending(_ kind: AgreementKind) -> Element {
        asking("End it…", "\(sales.products) products are sold no more, and nothing is restored in its apps.") {
            visit.form("\(path)/agreements/end") {
                hidden("kind", kind.rawValue)
                label {
                    "Reason: "
                    input(.name("reason"), .isRequired, .longest(Teams.longestReason))
                }
                button(.class("danger")) { "End the \(kind.rawValue) agreement" }
            }
        }
    }

    private var financeCard: Element? {
        guard let finance else { return nil }
        let shown = finance.masked
        return card("Bank and tax") {
            facts([
                ("Account holder", [shown.accountHolder ?? "missing"]), ("IBAN", [shown.iban ?? "missing"]),
                ("Legal name", [shown.legalName ?? "missing"]), ("Tax number", [shown.taxId ?? "missing"]),
            ])
            p { a(.class("button"), .href(visit.link("\(path)/finance"))) { "Look after it" } }
        }
    }

    /// Whether it sells, with what a change of that does.
    private var selling: Element {
        card("The store’s decision") {
            if details.team.suspendedAt == nil {
                suspension(
                    "Suspend the team…",
                    "\(sales.apps) apps with \(sales.products) products in production and \(sales.items) items are sold no "
                        + "more. What was bought stays, and subscriptions run to the end of what was paid.",
                    "Suspend \(id)")
            } else {
                visit.form("\(path)/reinstatement") {
                    button(.class("primary")) { "Let \(id) sell again" }
                }
                suspension("Say another reason…", "It stays suspended, and reads the other reason.", "Say this one")
            }
        }
    }

    private func suspension(_ text: String, _ consequence: String, _ title: String) -> Element {
        asking(text, consequence) {
            visit.form("\(path)/suspension") {
                label {
                    "Reason, which the team reads: "
                    input(.name("reason"), .isRequired, .longest(Teams.longestReason))
                }
                button(.class("danger")) { title }
            }
        }
    }
}

import StoreCatalogue
import StoreHTTP
import StoreModel

/// Where a team is paid, and who it is to the tax office: for its owner and finance, and for the store's finance.
struct TeamFinancePage {
    let services: ConsoleServices

    private static var fields: [(name: String, text: String, value: WritableKeyPath<TeamFinance, String?>)] {
        [
            ("accountHolder", "Whose account it is", \.accountHolder), ("iban", "IBAN", \.iban), ("bic", "BIC", \.bic),
            ("legalName", "Name for the tax office", \.legalName),
            ("taxCountry", "Its country, three letters", \.taxCountry), ("taxId", "Number there", \.taxId),
        ]
    }

    func show(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let team = try visit.request[TeamSection.team]
        let finance = try await visit.editing.finance(of: team)
        var page = ConsolePage(
            visit: visit, title: "Bank and tax", place: visit.actor.team == nil ? .teams : .team)
        page.crumbs = [(team.text, visit.link("/teams/\(team)"))]
        page.lede =
            finance.missing.isEmpty
            ? "Complete. Nothing is paid out yet: this store makes no payouts."
            : "\(finance.missing.count) of 7 values are missing before anything could be paid out."
        page.alternatives = [
            .init(command: "teams finance \(team)", request: "/teams/\(team)/finance"),
            .init(
                command: "teams finance \(team) --iban DE89370400440532013000", request: "PUT /teams/\(team)/finance",
                body: #"{"iban":"DE89370400440532013000"}"#),
        ]
        return try await page.response {
            if visit.problem != nil { asItIs(finance) }
            if visit.may(.finance, change: true, .production) {
                form(finance, team, visit)
            } else {
                asItIs(finance)
            }
        }
    }

    /// What is there, beside a form that was refused.
    private func asItIs(_ finance: TeamFinance) -> Element {
        card("As it is now") {
            facts(
                Self.fields.map { ($0.text, [finance[keyPath: $0.value] ?? "missing"]) }
                    + [("Address", [finance.address ?? "missing"])])
        }
    }

    private func form(_ finance: TeamFinance, _ team: TeamID, _ visit: ConsoleVisit) -> Element {
        section(.class("card")) {
            div(.class("in")) {
                visit.edit("/teams/\(team)/finance", .class("fields")) {
                    hidden("revision", "\(finance.revision)")
                    for field in Self.fields {
                        div {
                            label(.for(field.name)) { field.text }
                            input(
                                .id(field.name), .name(field.name), .longest(140), .autocomplete("off"),
                                .isUnspelled, .value(finance[keyPath: field.value] ?? ""))
                        }
                    }
                    div {
                        label(.for("address")) { "Address" }
                        textarea(.id("address"), .name("address"), .rows(3), .longest(400)) { finance.address ?? "" }
                    }
                    button(.class("primary")) { "Keep it" }
                    p(.class("muted")) { "An empty field takes a value away. The audit has it masked." }
                }
            }
        }
    }

    func change(_ visit: ConsoleVisit, _ input: FormInput, _ team: TeamID) async throws {
        // A form without a revision was made before there was one.
        let revision = Int(input["revision"]) ?? -1
        var wanted = TeamFinance()
        for field in Self.fields { wanted[keyPath: field.value] = input.text(field.name) }
        wanted.address = input.text("address")
        let new = wanted
        _ = try await visit.editing.setFinance(of: team) { _ in
            var finance = new
            finance.revision = revision
            return finance
        }
    }
}

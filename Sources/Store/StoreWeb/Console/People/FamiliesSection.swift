import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// Families: who is in them, who asks whom, and what waits for a yes.
struct FamiliesSection: ConsoleSection {
    let services: ConsoleServices

    private static let path = "/families"
    private static let customer = PathParameter<String>(
        "customer", rule: "the number or the e-mail address of an account"
    ) {
        $0.isEmpty ? nil : $0
    }

    var routes: [Route] {
        [
            page(Self.path, for: .customers, .here) { try await list($0) },
            form(Self.path, for: .customers, .here) { visit, input in
                let made = try await FamilyMembership(visit.store).create(by: input["organiser"], visit.cause)
                return visit.link("\(Self.path)/\(made.family.organiser)", done: .made)
            } else: {
                try await list($0)
            },
            page("/families/{customer}", for: .customers, .here) { try await show($0) },
            changing("members") { visit, input, name in
                _ = try await FamilyMembership(visit.store).add(
                    input["member"], as: Family.Role(rawValue: input["role"]), toFamilyOf: name, visit.cause)
            },
            changing("asking") { visit, input, _ in
                _ = try await Accounts(visit.store).change(
                    input["member"], .init(asksToBuy: input["value"] == "on"), visit.cause)
            },
            changing("decision") { visit, input, _ in
                _ = try await AskToBuy(visit.store).decide(
                    named: input["purchase"], isApproved: input["value"] == "yes", visit.cause)
            },
            form("/families/{customer}/removal", for: .customers, .here) { visit, input in
                let name = try visit.request[Self.customer]
                try await FamilyMembership(visit.store).remove(input["member"], fromFamilyOf: name, visit.cause)
                // Whoever is still in it shows how it is; where nobody is, the list does.
                let isThere = try? await FamilyMembership(visit.store).family(of: name)
                return visit.link(isThere == nil ? Self.path : "\(Self.path)/\(name)", done: .changed)
            } else: {
                try await show($0)
            },
        ]
    }

    private func changing(
        _ act: String, _ change: @escaping @Sendable (ConsoleVisit, FormInput, String) async throws -> Void
    ) -> Route {
        form("/families/{customer}/\(act)", for: .customers, .here) { visit, input in
            let name = try visit.request[Self.customer]
            try await change(visit, input, name)
            return visit.link("\(Self.path)/\(PercentEncoding.encode(name))", done: .changed)
        } else: {
            try await show($0)
        }
    }

    // MARK: The list

    private func list(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let after = visit.query["after"].flatMap { FamilyID($0) }
        let found = try await FamilyMembership(visit.store).listed(after: after, limit: ListLimits.rows + 1)
        let requests = found.reduce(0) { $0 + $1.requests }
        var page = ConsolePage(visit: visit, title: "Families", place: .families)
        page.lede =
            requests == 0
            ? "People who share what they buy. No child waits for a yes."
            : "\(requests) \(requests == 1 ? "request" : "requests") of children wait for a yes."
        let option = visit.environment == .sandbox ? "" : " --environment \(visit.environment)"
        page.alternatives = [
            .init(command: "family list" + option, request: "/families"),
            .init(
                command: "family create ada@example.com" + option, request: "POST /families",
                body: #"{"organiser":"ada@example.com"}"#),
        ]
        return try await page.response {
            DataTable(
                title: "Families",
                columns: [.text("Organiser"), .text("Members"), .optional("Children who ask"), .text("Waiting")],
                rows: found.prefix(ListLimits.rows).map { row($0, visit) },
                empty: [p { "There is no family yet. The form below makes one, of an account that is there." }],
                next: found.count > ListLimits.rows
                    ? visit.link(Self.path, ("after", found[ListLimits.rows - 1].family.id.description)) : nil
            ).element
            if visit.may(.customers, change: true) {
                details(.class("card make")) {
                    summary { "Make a family" }
                    visit.form(Self.path, .class("fields")) {
                        field("organiser", "E-mail or number of who pays for the children", isRequired: true)
                        button(.class("primary")) { "Make it" }
                    }
                }
            }
        }
    }

    private func row(_ listed: FamilyMembership.Listed, _ visit: ConsoleVisit) -> [[any HTML]] {
        let family = listed.family
        let organiser = family[family.organiser]?.email ?? "\(family.organiser)"
        return [
            [a(.href(visit.link("\(Self.path)/\(family.organiser)"))) { organiser }],
            ["\(family.members.count) of \(Family.limit)"], ["\(family.members.count(where: \.asksToBuy))"],
            [listed.requests == 0 ? "" : tag(.warn, "\(listed.requests) to decide")],
        ]
    }

    // MARK: One of them

    private func show(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let membership = FamilyMembership(visit.store)
        let family = try await membership.family(of: visit.request[Self.customer])
        let requests = try await membership.requests(in: family)
        let organiser = family[family.organiser]?.email ?? "\(family.organiser)"
        var page = ConsolePage(visit: visit, title: "Family of \(organiser)", place: .families)
        page.crumbs = [("Families", visit.link(Self.path))]
        let asking = family.members.filter(\.asksToBuy)
        page.lede =
            asking.isEmpty
            ? "\(family.members.count) of at most \(Family.limit) people. Nobody asks before buying."
            : "\(asking.map(\.email).joined(separator: ", ")) \(asking.count == 1 ? "asks" : "ask") \(organiser), who pays."
        let option = visit.environment == .sandbox ? "" : " --environment \(visit.environment)"
        page.alternatives = [
            .init(command: "family show \(family.organiser)" + option, request: "/families/\(family.organiser)"),
            .init(
                command: "family add \(family.organiser) tim@example.com --child" + option,
                request: "POST /families/\(family.organiser)/members",
                body: #"{"customer":"tim@example.com","role":"child"}"#),
        ]
        return try await page.response {
            if !requests.isEmpty {
                section {
                    h2 { "Waits for a yes" }
                    requestTable(requests, family, visit)
                }
            }
            section {
                h2 { "Who is in it" }
                memberTable(family, visit)
            }
            if visit.may(.customers, change: true), family.members.count < Family.limit { joining(family, visit) }
        }
    }

    private func requestTable(
        _ requests: [StoredPurchase], _ family: Family, _ visit: ConsoleVisit
    ) -> [any HTML] {
        let mayDecide = visit.may(.customers, change: true)
        return DataTable(
            title: "Waits for a yes",
            columns: [.text("Purchase"), .text("Who asks"), .optional("Until"), .amount("Price"), .text("")],
            rows: requests.map { purchase in
                [
                    [
                        a(.href(visit.link("/purchases/\(purchase.id)"))) {
                            purchase.item.product.text
                        }
                    ],
                    [purchase.customer.flatMap { family[$0]?.email } ?? ""], [ago(purchase.expiresAt, visit.now)],
                    [visit.text(purchase.total)],
                    mayDecide
                        ? [
                            div(.class("buttons")) {
                                decision("yes", "Say yes", purchase, family, visit)
                                decision("no", "Say no", purchase, family, visit)
                            }
                        ] : [],
                ]
            }, empty: []
        ).element
    }

    private func decision(
        _ value: String, _ title: String, _ purchase: StoredPurchase, _ family: Family, _ visit: ConsoleVisit
    ) -> Element {
        visit.form("\(Self.path)/\(family.organiser)/decision") {
            hidden("purchase", "\(purchase.id)")
            hidden("value", value)
            button { title }
        }
    }

    private func memberTable(_ family: Family, _ visit: ConsoleVisit) -> [any HTML] {
        DataTable(
            title: "Members", columns: [.text("Who"), .text("As"), .optional("Since"), .text("Asks"), .text("")],
            rows: family.members.map { member in
                [
                    [a(.href(visit.link("/customers/\(member.customer)"))) { member.email }],
                    [member.role.rawValue], [ago(member.joinedAt, visit.now)],
                    [
                        member.role != .child
                            ? "" : member.asksToBuy ? tag(.warn, "asks the organiser") : tag(.calm, "does not ask")
                    ], visit.may(.customers, change: true) ? changes(of: member, family, visit) : [],
                ]
            }, empty: []
        ).element
    }

    @HTMLBuilder private func changes(
        of member: Family.Member, _ family: Family, _ visit: ConsoleVisit
    ) -> [any HTML] {
        let isOrganiser = member.customer == family.organiser
        if member.role == .child {
            visit.form("\(Self.path)/\(family.organiser)/asking") {
                hidden("member", "\(member.customer)")
                hidden("value", member.asksToBuy ? "off" : "on")
                button { member.asksToBuy ? "Let it buy without asking" : "Let it ask" }
            }
        }
        asking(
            isOrganiser ? "End the family…" : "Take out…",
            isOrganiser
                ? "\(family.members.count - 1) others lose what is shared with them."
                : "\(member.email) loses what the family shares, and the family what it has of \(member.email)."
        ) {
            visit.form("\(Self.path)/\(family.organiser)/removal") {
                hidden("member", "\(member.customer)")
                button(.class("danger")) { isOrganiser ? "End it" : "Take \(member.email) out" }
            }
        }
    }

    private func joining(_ family: Family, _ visit: ConsoleVisit) -> Element {
        details(.class("card make")) {
            summary { "Take somebody in" }
            visit.form("\(Self.path)/\(family.organiser)/members", .class("fields")) {
                field("member", "E-mail or number", isRequired: true)
                div {
                    label(.for("role")) { "As" }
                    select(.id("role"), .name("role")) {
                        option(.value("adult")) { "adult" }
                        option(.value("child")) { "child, who asks before it buys" }
                    }
                }
                button(.class("primary")) { "Take in" }
            }
        }
    }
}

import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// The groups of an app's subscriptions: their names, and how their subscriptions rank.
struct GroupsSection: ConsoleSection {
    let services: ConsoleServices

    private static let group = PathParameter<SubscriptionGroupID>("groupId", rule: "the id of a group") {
        SubscriptionGroupID($0)
    }

    var routes: [Route] {
        let groups = "/apps/{bundleId}/groups"
        return [
            page(groups, for: .catalogue, .both, GroupsPage.response),
            form(groups, for: .catalogue, .both, add) { try await GroupsPage.response($0) },
            form(groups + "/{groupId}", for: .catalogue, .both, limits: .catalogue, change) {
                try await GroupsPage.response($0)
            },
            form(groups + "/{groupId}/levels", for: .catalogue, .both, limits: .catalogue, rank) {
                try await GroupsPage.response($0)
            },
            form(groups + "/{groupId}/removal", for: .catalogue, .both) { visit, _ in
                let bundle = try visit.request[ConsolePath.bundle]
                try await visit.editing.remove(visit.request[Self.group], of: bundle)
                return visit.link("/apps/\(bundle)/groups", done: .removed)
            } else: {
                try await GroupsPage.response($0)
            },
        ]
    }

    private func add(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let bundle = try visit.request[ConsolePath.bundle]
        let id: SubscriptionGroupID = try input.id("groupId")
        guard try await !visit.editing.groups(of: bundle).contains(where: { $0.id == id }) else {
            throw CatalogueError(.nameTaken, "there is a group of this id", field: "groupId")
        }
        let name = input.trimmed("referenceName")
        _ = try await visit.editing.put(
            SubscriptionGroupDraft(name: name.isEmpty ? id.text : name, texts: [:], levels: [:]), as: id, of: bundle)
        return visit.link("/apps/\(bundle)/groups", done: .entered)
    }

    private func change(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let bundle = try visit.request[ConsolePath.bundle]
        var texts: [String: SubscriptionGroupText] = [:]
        for item in input.items.all where item.name.hasPrefix("texts.") && item.name.hasSuffix(".name") {
            let language = String(item.name.dropFirst("texts.".count).dropLast(".name".count))
            texts[language] = SubscriptionGroupText(
                name: input.trimmed(item.name), appName: input.text("texts.\(language).appName"))
        }
        let (language, name) = (input["newLanguage"], input.trimmed("newName"))
        if !name.isEmpty { texts[language] = SubscriptionGroupText(name: name, appName: nil) }
        _ = try await visit.editing.put(
            SubscriptionGroupDraft(name: input.trimmed("referenceName"), texts: texts, levels: [:]),
            as: visit.request[Self.group], of: bundle)
        return visit.link("/apps/\(bundle)/groups", done: .changed)
    }

    /// Moves one subscription by its button, or sets the levels that were typed.
    private func rank(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let (bundle, group) = (try visit.request[ConsolePath.bundle], try visit.request[Self.group])
        let button = input["move"].split(separator: ":", maxSplits: 1).map(String.init)
        if button.count == 2 {
            guard let move = LevelMove(rawValue: button[0]), let product = ProductID(button[1]) else {
                throw CatalogueError(.valueInvalid, "it is up or down, and a subscription", field: "move")
            }
            _ = try await visit.editing.move(product, move, in: group, of: bundle)
            return visit.link("/apps/\(bundle)/groups", ("done", Notice.moved.rawValue), ("moved", input["move"]))
        }
        var levels: [String: Int] = [:]
        for item in input.items.all where item.name.hasPrefix("levels.") {
            levels[String(item.name.dropFirst("levels.".count))] = try input.number(item.name)
        }
        _ = try await visit.editing.put(
            SubscriptionGroupDraft(name: nil, texts: [:], levels: levels), as: group, of: bundle)
        return visit.link("/apps/\(bundle)/groups", done: .changed)
    }
}

/// The page of all groups of an app.
struct GroupsPage {
    let visit: ConsoleVisit
    let app: CatalogueApp
    let groups: [SubscriptionGroup]
    /// What developers call the subscriptions; one that is not among them is named by its id.
    let names: [ProductID: String]

    /// Groups that a page shows, and subscriptions of each.
    private static let (shown, shownMembers) = (50, 100)
    /// Products of an app that are asked for their names.
    private static let named = 1_000

    @Sendable static func response(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let app = try await visit.editing.app(visit.request[ConsolePath.bundle])
        let products = try await visit.editing.products(of: app.bundleID, after: nil, limit: named)
        return try await GroupsPage(
            visit: visit, app: app, groups: visit.editing.groups(of: app.bundleID),
            names: Dictionary(products.map { ($0.product.productID, $0.product.referenceName) }) { $1 }
        ).response()
    }

    private var path: String { "/apps/\(app.bundleID)/groups" }
    private var mayChange: Bool { visit.may(.catalogue, change: true, .both) }

    private func response() async throws -> HTTPResponse {
        var page = ConsolePage(visit: visit, title: "Groups of \(app.name)", place: .apps)
        page.crumbs = [("Apps", visit.link("/apps")), (app.name, visit.link("/apps/\(app.bundleID)"))]
        page.lede =
            "A customer has one subscription of a group at a time. Level 1 is the highest service: to move up takes effect at "
            + "once, to move down with the next period."
        let group = groups.first?.id.text ?? "club"
        let member = groups.first?.members.first?.productId.text ?? "\(app.bundleID).gold"
        page.alternatives = [
            .init(command: "groups list \(app.bundleID)", request: path),
            .init(
                command: "groups move \(app.bundleID) \(group) \(member) up", request: "POST \(path)/\(group)/moves",
                body: #"{"productId":"\#(member)","direction":"up"}"#),
            .init(
                command: "groups set \(app.bundleID) \(group) --text en-US=Club", request: "PUT \(path)/\(group)",
                body: #"{"texts":{"en-US":{"name":"Club"}}}"#),
        ]
        return try await page.response {
            if groups.isEmpty { div(.class("card empty")) { p { "No group yet." } } }
            for (index, group) in groups.prefix(Self.shown).enumerated() { part(group, index) }
            if mayChange { adding }
        }
    }

    private func part(_ group: SubscriptionGroup, _ index: Int) -> Element {
        card(group.referenceName) {
            if group.referenceName != group.id.text { p(.class("muted")) { group.id.text } }
            levels(of: group, index)
            if mayChange {
                names(of: group, index)
                if group.members.isEmpty {
                    asking("Remove \(group.referenceName)…", "It has no subscriptions. Its id may be used again.") {
                        visit.form("\(path)/\(group.id)/removal") {
                            button(.class("danger")) { "Remove it" }
                        }
                    }
                }
            } else {
                p {
                    group.texts.sorted { $0.key < $1.key }
                        .map { "\(LanguageNames.name(of: $0.key)): \($0.value.name)" }.joined(separator: ", ")
                }
            }
        }
    }

    @HTMLBuilder private func levels(of group: SubscriptionGroup, _ index: Int) -> [any HTML] {
        if group.members.isEmpty {
            p(.class("muted")) { "No subscription yet: a new product of the kind auto-renewable joins it." }
        } else {
            let rows = group.members.prefix(Self.shownMembers).enumerated().map { place, member in
                row(member, of: group, index, place)
            }
            visit.form("\(path)/\(group.id)/levels") {
                unseenDefault()
                div(.class("scroll")) {
                    table {
                        thead {
                            tr {
                                th(.scope("col")) { "Level" }
                                th(.scope("col")) { "Subscription" }
                                th(.scope("col")) { span(.class("unseen")) { "Move" } }
                            }
                        }
                        tbody { rows }
                    }
                }
                if mayChange { p { button { "Set the levels" } } }
            }
        }
    }

    private func row(
        _ member: SubscriptionGroup.Member, of group: SubscriptionGroup, _ index: Int, _ place: Int
    ) -> Element {
        let name = "levels.\(member.productId)"
        let title = names[member.productId] ?? member.productId.text
        return tr {
            td {
                if mayChange {
                    input(
                        .name(name), .id("g\(index)-\(name)"), .type("number"), .class("short"),
                        .value(member.level.map(String.init) ?? ""), .label("Level of \(title)"))
                } else {
                    member.level.map(String.init) ?? "none"
                }
            }
            td {
                a(.href(visit.link("/apps/\(app.bundleID)/products/\(member.productId)"))) { title }
                small(.class("muted")) { dotted(member.productId.text) }
            }
            td(.class("num")) {
                if mayChange {
                    if place > 0 { mover(.up, member.productId, title, "↑") }
                    if place + 1 < group.members.count { mover(.down, member.productId, title, "↓") }
                }
            }
        }
    }

    /// The button keeps the focus after it was pressed, so that a subscription moves as far as one presses.
    private func mover(_ move: LevelMove, _ product: ProductID, _ title: String, _ sign: String) -> Element {
        let value = "\(move.rawValue):\(product)"
        return button(
            .name("move"), .value(value), .label("Move \(title) \(move.rawValue)"),
            visit.query["moved"] == value ? .hasAutofocus : nil
        ) { sign }
    }

    private func names(of group: SubscriptionGroup, _ index: Int) -> Element {
        let known = group.texts.sorted { $0.key < $1.key }
        let fields = known.flatMap { language, text -> [any HTML] in
            let name = LanguageNames.name(of: language)
            return [
                FormField(
                    name: "texts.\(language).name", label: name, id: "g\(index)-\(language)-name", value: text.name,
                    hint: "Empty: the text is taken away.", limit: SubscriptionGroups.longestName, isCounted: true,
                    language: language
                ).element,
                FormField(
                    name: "texts.\(language).appName", label: "The app is called, \(name)",
                    id: "g\(index)-\(language)-app", value: text.appName ?? "",
                    limit: SubscriptionGroups.longestAppName, isCounted: true, language: language
                ).element,
            ]
        }
        return details(.class("make")) {
            summary {
                switch known.count {
                case 0: "Give it a name that customers read"
                case 1: "Its name in \(LanguageNames.name(of: known[0].key)), and further ones"
                default: "Its names in \(known.count) languages, and further ones"
                }
            }
            visit.edit("\(path)/\(group.id)") {
                div(.class("form")) {
                    FormField(
                        name: "referenceName", label: "Your name for it", id: "g\(index)-reference",
                        value: group.referenceName, width: "s6", limit: CatalogueLimits.referenceName, isCounted: true
                    ).element
                    fields
                    choice(
                        "newLanguage", "One more language", id: "g\(index)-new-language",
                        LanguageNames.choices(without: group.texts.keys, first: app.primaryLanguage),
                        chosen: app.primaryLanguage)
                    FormField(name: "newName", label: "Its name there", id: "g\(index)-new-name").element
                }
                p { button { "Change the names of \(group.referenceName)" } }
            }
        }
    }

    private var adding: Element {
        details(.class("card make")) {
            summary { "Enter a group" }
            visit.form(path, .class("fields")) {
                FormField(name: "groupId", label: "Id", hint: "Letters, digits, periods, hyphens.", isRequired: true)
                    .element
                FormField(name: "referenceName", label: "Your name for it").element
                button { "Enter it" }
            }
        }
    }
}

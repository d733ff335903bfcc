import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// What the storefront shows, as it is prepared: items, their facts, prices and files, and what the home page begins with.
struct ItemsSection: ConsoleSection {
    let services: ConsoleServices

    static let path = "/items"
    private static let one = "/items/{storeId}"
    static let storeID = PathParameter<Int64>("storeId", rule: "the store id of an item")
    private static let role = PathParameter<ItemFile.Role>("role", rule: "what a file of an item is for") {
        let role = ItemFile.Role(rawValue: $0)
        return role.isKnown ? role : nil
    }
    private static let position = PathParameter<Int>("position", rule: "the place of a file, from 1 on") {
        Int($0).flatMap { $0 > 0 ? $0 : nil }
    }

    var routes: [Route] {
        pageRoutes + fileRoutes + featureRoutes
    }

    private var pageRoutes: [Route] {
        return [
            page(Self.path, for: .catalogue, .both, list),
            page(Self.path + "/new", for: .catalogue, .both, new),
            form(Self.path, for: .catalogue, .both, add, else: new),
            page(Self.one, for: .catalogue, .both, show),
            page(Self.one + "/facts", for: .catalogue, .both, facts),
            form(Self.one + "/facts", for: .catalogue, .both, change, else: facts),
            form(Self.one + "/price", for: .catalogue, .both, setPrice, else: show),
            form(Self.one + "/removal", for: .catalogue, .both) { visit, _ in
                try await visit.editing.removeItem(visit.request[Self.storeID])
                return visit.link(Self.path, done: .changed)
            } else: {
                try await show($0)
            },
        ]
    }

    private var fileRoutes: [Route] {
        let uploads = ["/files/{role}/{position}", "/versions/{version}/package/{position}"].map {
            upload(
                Self.one + $0, for: .catalogue, .both, limit: Int(ItemFileLimits.packageBytes), receive,
                else: showFile)
        }
        return uploads + [
            page(Self.one + "/files/{role}/{position}", for: .catalogue, .both, showFile),
            page(Self.one + "/versions/{version}/package/{position}", for: .catalogue, .both, showFile),
        ]
    }

    // MARK: All of them

    private func list(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let kind = visit.query["kind"].map { ItemKind(rawValue: $0) }.flatMap { $0.isKnown ? $0 : nil }
        let after = visit.query["after"].flatMap { Int64($0) } ?? 0
        let found = try await visit.editing.items(of: kind, after: after, limit: visit.rows + 1)
        var page = ConsolePage(visit: visit, title: "Items", place: .items)
        page.lede = "What the storefront shows on pages of its own, the same in both environments."
        page.exported = "items"
        page.alternatives = [
            .init(command: "items list", request: "/items"),
            .init(command: "items create film --name NAME --artist NAME --genre 4406", request: nil),
        ]
        return try await page.response {
            nav(.class("row"), .label("Kinds")) {
                a(.class("button"), .href(visit.link(Self.path)), kind == nil ? .isCurrent : nil) { "All" }
                for one in ItemKind.all {
                    a(
                        .class("button"), .href(visit.link(Self.path, ("kind", one.rawValue))),
                        one == kind ? .isCurrent : nil
                    ) { one.rawValue }
                }
            }
            table(of: found, visit, kind)
            if visit.may(.catalogue, change: true, .both) { beginnings(visit) }
        }
    }

    private func table(of found: [ItemStanding], _ visit: ConsoleVisit, _ kind: ItemKind?) -> [any HTML] {
        DataTable(
            title: "Items",
            columns: [
                .text("Item"), .text("Kind"), .optional("By"), .amount("Price"), .text("State"), .optional("Store id"),
            ],
            rows: found.prefix(visit.rows).map { entry in
                [
                    [a(.href(visit.link("\(Self.path)/\(entry.item.storeID)"))) { entry.item.facts.name }],
                    [entry.item.kind.rawValue], [entry.artist.name],
                    [entry.product.basePrice.map { "\($0)" } ?? ""], [state(of: entry.product)],
                    [span(.class("id")) { "\(entry.item.storeID)" }],
                ]
            },
            empty: [p { "Nothing yet. Choose below what you want to enter." }],
            next: found.count > visit.rows
                ? visit.link(
                    Self.path, ("kind", kind?.rawValue), ("after", "\(found[visit.rows - 1].item.storeID)"))
                : nil
        ).element
    }

    private func beginnings(_ visit: ConsoleVisit) -> Element {
        card("Enter an item") {
            div(.class("buttons")) {
                for kind in ItemKind.all {
                    a(.class("button"), .href(visit.link(Self.path + "/new", ("kind", kind.rawValue)))) {
                        kind.rawValue
                    }
                }
            }
        }
    }

    func state(of product: CatalogueProduct) -> Element {
        let word = product.state.rawValue.replacing("_", with: " ")
        return tag(product.state == .approved ? .good : product.review.isLive ? .calm : .warn, word)
    }

    // MARK: Entering

    private func new(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let asked = ItemKind(rawValue: visit.query["kind"] ?? visit.sent?.items["kind"] ?? "film")
        let kind = asked.isKnown ? asked : .film
        var page = ConsolePage(visit: visit, title: "Enter an item: \(kind.rawValue)", place: .items)
        page.crumbs = [("Items", visit.link(Self.path))]
        page.lede = "It is shown in the sandbox once it is complete, in production once it is approved."
        page.alternatives = [
            .init(
                command: "items create \(kind.rawValue) --name NAME --artist NAME"
                    + (Genre.all(of: kind).first.map { " --genre \($0.id)" } ?? ""))
        ]
        return try await page.response { ItemForm(visit: visit, kind: kind, details: nil).element }
    }

    private func add(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let made = try await visit.editing.addItem(ItemForm.item(input))
        return visit.link("\(Self.path)/\(made.storeID)", done: .made)
    }

    // MARK: One of them

    private func show(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let details = try await visit.editing.itemDetails(visit.request[Self.storeID])
        return try await ItemConsolePage(visit: visit, details: details).response()
    }

    private func facts(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let details = try await visit.editing.itemDetails(visit.request[Self.storeID])
        var page = ConsolePage(visit: visit, title: "Facts", place: .items)
        page.crumbs = [
            ("Items", visit.link(Self.path)),
            (details.item.facts.name, visit.link("\(Self.path)/\(details.storeID)")),
        ]
        page.lede = "Production goes on showing what was approved until a change is approved too."
        page.alternatives = [.init(command: "items change \(details.storeID) --name NAME")]
        return try await page.response {
            ItemForm(visit: visit, kind: details.item.kind, details: details).element
        }
    }

    private func change(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let id = try visit.request[Self.storeID]
        _ = try await visit.editing.changeItem(id, ItemForm.change(input))
        return visit.link("\(Self.path)/\(id)", done: .changed)
    }

    /// Sets the price of a storefront, or that of all which have none of their own.
    private func setPrice(_ visit: ConsoleVisit, _ input: FormInput) async throws -> Link {
        let id = try visit.request[Self.storeID]
        let path = try await visit.editing.itemPath(id)
        guard let storefront = StorefrontRecord.storefront(alpha3: input["storefront"]) else {
            throw ServiceError(.valueInvalid, "there is no such storefront", parameter: "storefront")
        }
        let price = try ItemForm.money(input["amount"], storefront.currency)
        if input["where"] == "everywhere" {
            _ = try await visit.editing.setBasePrice(price, of: path)
        } else {
            _ = try await visit.editing.setPrice(.own(price), of: path, in: storefront)
        }
        return visit.link("\(Self.path)/\(id)", done: .changed)
    }

    // MARK: Files

    private static func place(_ visit: ConsoleVisit) throws -> ItemFilePlace {
        let (version, position) = (visit.request.parameters.text("version"), try visit.request[Self.position])
        if let version { return ItemFilePlace(.package, position: position, version: version) }
        return try ItemFilePlace(visit.request[Self.role], position: position)
    }

    private func showFile(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let place = try Self.place(visit)
        let details = try await visit.editing.itemDetails(visit.request[Self.storeID])
        return try await ItemFilePage(visit: visit, details: details, place: place).response()
    }

    /// Takes in a file that a form sends, and looks at it.
    private func receive(_ visit: ConsoleVisit, _ input: inout UploadInput) async throws -> Link {
        let (id, place) = (try visit.request[Self.storeID], try Self.place(visit))
        let file = NewItemFile(place, called: input.fileName)
        _ = try await visit.editing.putFile(file, of: id, in: visit.services.blobs) { try await input.next() }
        return visit.link("\(Self.path)/\(id)", done: .changed)
    }

    // MARK: The home page

    private var featureRoutes: [Route] {
        [
            page("/features", for: .teams, .production, showFeatures),
            form("/features", for: .teams, .production) { visit, input in
                let ids = try input["items"].split(whereSeparator: { $0.isWhitespace || $0 == "," }).map { word in
                    guard let id = Int64(word) else {
                        throw ServiceError(.valueInvalid, "\(word) is no store id", parameter: "items")
                    }
                    return id
                }
                _ = try await visit.editing.setFeatures(ids)
                return visit.link("/features", done: .changed)
            } else: {
                try await showFeatures($0)
            },
        ]
    }

    private func showFeatures(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let chosen = try await visit.editing.features()
        var page = ConsolePage(visit: visit, title: "Home page", place: .features)
        page.lede =
            chosen.isEmpty
            ? "The newest items begin the home page, because nothing was chosen."
            : "The home page begins with these, as far as they are shown."
        page.alternatives = [
            .init(command: "items features", request: "/features"),
            .init(command: "items feature", request: "PUT /features", body: #"{"items":[]}"#),
        ]
        return try await page.response {
            table(of: chosen, visit, nil)
            visit.edit("/features", .class("fields stacked")) {
                label(.for("items")) { "Store ids in the order of the page, at most \(ItemLimits.features)" }
                input(
                    .id("items"), .name("items"), .longest(254),
                    .value(chosen.map { "\($0.item.storeID)" }.joined(separator: " ")))
                button(.class("primary")) { "Let the page begin with these" }
            }
        }
    }
}

import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// An item as those see it who prepare it, with what it lacks in its first line.
struct ItemConsolePage {
    let visit: ConsoleVisit
    let details: ItemDetails

    private var item: CatalogueItem { details.item }
    private var product: CatalogueProduct { details.product.product }
    private var path: String { "\(ItemsSection.path)/\(details.storeID)" }
    private var mayChange: Bool { visit.may(.catalogue, change: true, .both) }

    /// The page of the item in the storefront.
    private var address: String {
        let page = item.link(in: StorefrontRecord.storefront(alpha3: "USA"), parent: details.parent).path
        return (visit.services.address(visit.environment)?.description ?? "") + page
    }

    func response() async throws -> HTTPResponse {
        var page = ConsolePage(visit: visit, title: item.facts.name, place: .items)
        page.crumbs = [("Items", visit.link(ItemsSection.path))]
        page.tag = ItemsSection(services: visit.services).state(of: product)
        page.lede = lede
        page.actions = actions
        page.alternatives = [
            .init(command: "items show \(details.storeID)", request: "/items/\(details.storeID)/details"),
            .init(command: "items submit \(details.storeID)", request: "POST /items/\(details.storeID)/submission"),
        ]
        let place = try item.path
        let checklist = try await visit.editing.checklist(of: place)
        return try await page.response {
            div(.class("two")) {
                div(.class("stack")) {
                    card("Files") { files }
                    card("Texts") { texts }
                    card("Price") { price }
                }
                div(.class("stack")) {
                    card("Facts") { facts }
                    card("Review") {
                        ReviewCard(
                            visit: visit, app: place.app, product: product, path: place.link, checklist: checklist,
                            content: nil
                        ).element
                    }
                }
            }
        }
    }

    private var lede: String {
        if let obstacle = details.teamObstacle { return "Nothing of its team is sold: \(obstacle.explanation)." }
        if !details.missing.isEmpty { return "It lacks \(details.missing.joined(separator: ", "))." }
        if details.shownFacts != nil { return "Production shows former facts until these are approved." }
        return "Nothing is missing."
    }

    @HTMLBuilder private var actions: [any HTML] {
        if visit.may(.review) {
            a(.class("button"), .href(visit.link(path + "/reviews"))) { "What customers say" }
        }
        if mayChange {
            a(.class("button"), .href(visit.link(path + "/facts"))) { "Change the facts" }
            asking("Remove it…", "Nobody can buy it any more. Those keep it who have it.") {
                visit.form(path + "/removal") { button(.class("danger")) { "Remove it" } }
            }
        }
    }

    private var facts: Element {
        var entries: [(name: String, value: [any HTML])] = [
            ("Store id", StoreWeb.name(details.storeID)), ("Page", StoreWeb.name(address)),
            ("Kind", [item.kind.rawValue]), ("By", [details.artist.name]), ("Genre", [item.facts.genre?.name ?? ""]),
            ("Came out", [String(item.facts.releasedAt.rfc3339.prefix(10))]), ("Team", ["\(item.teamID)"]),
        ]
        if let parent = details.parent {
            let link = visit.link("\(ItemsSection.path)/\(parent.storeID)")
            entries.append(("Part of", [a(.href(link)) { parent.facts.name }]))
        }
        if let rating = item.facts.rating { entries.append(("Rated", [rating])) }
        if let copyright = item.facts.copyright { entries.append(("Copyright", [copyright])) }
        if let length = item.facts.milliseconds { entries.append(("Plays for", ["\(length / 1000) seconds"])) }
        return StoreWeb.facts(entries)
    }

    // MARK: Files

    @HTMLBuilder private var files: [any HTML] {
        DataTable(
            title: "Files", columns: [.text("For"), .text("File"), .optional("Is"), .amount("Bytes"), .text("State")],
            rows: details.files.map { file in
                [
                    [a(.href(visit.link(link(to: file)))) { "\(file.role) \(file.position)" }],
                    [file.fileName, file.version.map { " of version \($0)" } ?? ""], [file.mediaType],
                    ["\(file.bytes)"], [file.isDraft ? tag(.calm, "in review") : tag(.good, "shown")],
                ]
            },
            empty: [p { "It has no files yet." }]
        ).element
        if mayChange {
            div(.class("buttons")) {
                for place in free {
                    a(.class("button"), .href(visit.link(place.link))) { "Add: \(place.text)" }
                }
            }
        }
    }

    private func link(to file: ItemFile) -> String {
        file.version.map { "\(path)/versions/\(PercentEncoding.encode($0))/package/\(file.position)" }
            ?? "\(path)/files/\(file.role)/\(file.position)"
    }

    /// Where another file may stand.
    private var free: [(link: String, text: String)] {
        item.kind.roles.flatMap { role -> [(link: String, text: String)] in
            let isOfVersion = role == .package && item.kind == .app
            let versions = isOfVersion ? details.versions.suffix(1).map { Optional($0.version) } : [String?.none]
            return versions.compactMap { version -> (link: String, text: String)? in
                let used = details.files.filter { $0.role == role && $0.version == version }.map(\.position)
                let next = (used.max() ?? 0) + 1
                guard next <= role.most(of: item.kind) else { return nil }
                guard let version else { return ("\(path)/files/\(role)/\(next)", "\(role)") }
                return (
                    "\(path)/versions/\(PercentEncoding.encode(version))/package/\(next)",
                    "package of version \(version)"
                )
            }
        }
    }

    // MARK: Texts and prices

    private var texts: Element {
        ul {
            for (language, text) in details.product.newestTexts.sorted(by: { $0.key < $1.key }) {
                li {
                    b { "\(language): \(text.title)" }
                    p { text.description }
                }
            }
        }
    }

    @HTMLBuilder private var price: [any HTML] {
        p {
            product.basePrice.map { "\($0), or what that comes to in other currencies." }
                ?? "It has no price, and is not sold by itself."
        }
        if mayChange {
            visit.edit(path + "/price", .class("fields")) {
                storefrontChoice(id: "price-storefront")
                field("amount", "Amount in the currency of the storefront", isRequired: true)
                div {
                    label(.for("where")) { "Holds" }
                    select(.id("where"), .name("where")) {
                        option(.value("everywhere")) { "everywhere, or what it comes to" }
                        option(.value("there")) { "there only" }
                    }
                }
                button { "Set the price" }
            }
        }
    }
}

/// A place for a file of an item: what stands there, and the form that sends another.
struct ItemFilePage {
    let visit: ConsoleVisit
    let details: ItemDetails
    let place: ItemFilePlace

    func response() async throws -> HTTPResponse {
        let item = "\(ItemsSection.path)/\(details.storeID)"
        let version = place.version.map { " of version \($0)" } ?? ""
        var page = ConsolePage(visit: visit, title: "\(place.role) \(place.position)\(version)", place: .items)
        page.crumbs = [("Items", visit.link(ItemsSection.path)), (details.item.facts.name, visit.link(item))]
        page.lede = "What a file is, its bytes say. Production goes on with the former one until this one is approved."
        page.alternatives = [
            .init(
                command: "items file \(details.storeID) \(place.role) FILE --position \(place.position)"
                    + (place.version.map { " --version \($0)" } ?? ""))
        ]
        let path =
            place.version.map { "\(item)/versions/\(PercentEncoding.encode($0))/package/\(place.position)" }
            ?? "\(item)/files/\(place.role)/\(place.position)"
        let there = details.files.filter {
            $0.role == place.role && $0.position == place.position && $0.version == place.version
        }
        return try await page.response {
            for file in there {
                card(file.isDraft ? "What waits for a review" : "What is shown") {
                    facts([
                        ("File", [file.fileName]), ("Is", [file.mediaType]), ("Bytes", ["\(file.bytes)"]),
                        ("SHA-256", StoreWeb.name(file.digest)),
                    ])
                }
            }
            if visit.may(.catalogue, change: true, .both) {
                card("Send one") {
                    visit.upload(
                        path, "At most \(ItemFileLimits.bytes(of: place.role) >> 20) MB", button: "Send it",
                        accepting: "*/*")
                }
            }
        }
    }
}

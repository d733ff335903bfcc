import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreService

/// The way to anything by a word of its name, or by the beginning of its id; and the keys of the console.
struct SearchSection: ConsoleSection {
    let services: ConsoleServices

    var routes: [Route] { [page("/search", for: .catalogue, .here, search)] }

    /// Leads to the only thing that was meant, or shows what there is, kind by kind.
    private func search(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let text = (visit.query["q"] ?? "").prefix(FoundThing.longestText).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        let groups = try await finder(visit).find(text)
        let all = groups.flatMap(\.found)
        // An id or an address that is whole means what has it, also where others begin so.
        let exact = all.filter { [$0.id, $0.title, $0.detail].contains { $0.lowercased() == text.lowercased() } }
        if let only = all.count == 1 ? all.first : exact.count == 1 ? exact.first : nil {
            return redirect(to: link(to: only, visit))
        }
        var page = ConsolePage(visit: visit, title: "Search", place: .overview)
        page.lede = lede(text, groups, visit)
        page.status = text.isEmpty || !groups.isEmpty ? .ok : .notFound
        let words = text.isEmpty ? "WORDS" : ShellWord.quoted(text)
        page.alternatives = [.init(command: "find \(words)", request: "/find?q=\(PercentEncoding.encode(text))")]
        return try await page.response {
            for group in groups { element(group, visit) }
            p(.class("muted")) {
                "A receipt, a signed text or a profile is looked at by "
                a(.href(visit.link("/inspect"))) { "Inspect" }
                "."
            }
        }
    }

    private func finder(_ visit: ConsoleVisit) -> StoreFinder {
        StoreFinder(
            visit.editing, by: visit.actor, in: visit.store, history: visit.services.histories[visit.environment])
    }

    private func lede(_ text: String, _ groups: [FoundThing.Group], _ visit: ConsoleVisit) -> String {
        if text.isEmpty {
            return
                "The beginnings of words: of a name, a title or an e-mail address, of the id of an app, a product, a "
                + "transaction, a device, a notification or a request; or a whole code."
        }
        guard !groups.isEmpty else {
            return "Nothing in \(visit.environment) has words that begin like “\(text)”."
        }
        let count = groups.map(\.found.count).reduce(0, +)
        return
            "\(count)\(groups.contains(where: \.isCut) ? " and more" : "") that fit “\(text)” in \(visit.environment)."
    }

    private func element(_ group: FoundThing.Group, _ visit: ConsoleVisit) -> Element {
        section(.class("card found")) {
            h2(.id("found-\(group.kind.rawValue)")) { Self.heading(group.kind, visit.environment) }
            ul(.labelledBy("found-\(group.kind.rawValue)")) {
                for thing in group.found {
                    li {
                        a(.href(link(to: thing, visit))) { thing.title.isEmpty ? [thing.id] : [thing.title] }
                        if !thing.title.isEmpty { span(.class("id")) { dotted(thing.id) } }
                        if !thing.detail.isEmpty { span(.class("muted")) { dotted(thing.detail) } }
                    }
                }
                if group.isCut { li(.class("muted")) { "There are more: say more of the word." } }
            }
        }
    }

    private static func heading(_ kind: FoundThing.Kind, _ environment: StoreEnvironment) -> String {
        switch kind {
        case .app: "Apps"
        case .product: "Products"
        case .item: "Items"
        case .team: "Teams"
        case .member: "Members of teams"
        case .person: "People of the store"
        case .customer: environment == .sandbox ? "Testers" : "Customers"
        case .family: "Families"
        case .device: "Devices"
        case .transaction: "Transactions"
        case .purchase: "Purchases"
        case .subscription: "Subscriptions"
        case .notification: "Notifications"
        case .request: "Requests"
        case .apiKey: "Keys of servers"
        }
    }

    /// The page of something that was found.
    private func link(to thing: FoundThing, _ visit: ConsoleVisit) -> Link {
        let id = PercentEncoding.encode(thing.id)
        let app = "/apps/\(thing.app.map { PercentEncoding.encode($0.text) } ?? "")"
        let path =
            switch thing.kind {
            case .app: app
            case .product: "\(app)/products/\(id)"
            case .item: "/items/\(id)"
            case .team, .member: "/teams/\(thing.team?.text ?? "")"
            case .person: "/people"
            case .customer: "/customers/\(id)"
            case .family: "/families/\(id)"
            case .device: "/devices/\(id)"
            case .transaction: "/transactions/\(id)"
            case .purchase: "/purchases/\(id)"
            case .subscription: "/subscriptions/\(id)"
            case .notification: "\(app)/notifications/\(id)"
            case .request: "/requests/\(id)"
            case .apiKey: "/api-keys"
            }
        return visit.link(path)
    }
}

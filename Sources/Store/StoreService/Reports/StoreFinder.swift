package import StoreCatalogue
import StoreDatabase
import StoreModel

/// Finds whatever an operator knows a word, or the beginning of a word, of: in the catalogue and in one environment.
///
/// Words are those of names, titles and addresses (``NameWords``); ids are found by their beginnings. What the actor may not
/// see is not found. However much there is, it makes as many statements.
package struct StoreFinder: Sendable {
    private let editing: CatalogueEditing
    private let actor: Actor
    private let store: EnvironmentStore?
    private let history: RequestHistory?

    /// - Parameters:
    ///   - store: the environment at work; nil where nothing is sold.
    ///   - history: the newest requests of its listener.
    package init(
        _ editing: CatalogueEditing, by actor: Actor, in store: EnvironmentStore?, history: RequestHistory?
    ) {
        self.editing = editing
        self.actor = actor
        self.store = store
        self.history = history
    }

    /// What there is, kind by kind: people first, then what is sold, then what was.
    package func find(_ text: String, limit: Int = FoundThing.usualLimit) async throws -> [FoundThing.Group] {
        let text = String(text.prefix(FoundThing.longestText)).split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
        guard !text.isEmpty else { return [] }
        var groups = try await editing.find(text, limit: limit)
        if let store {
            let scope = Actor.Scope.environment(store.environment)
            if actor.may(.customers, change: false, in: scope), actor.team == nil {
                groups += try await store.database.read { transaction in
                    try SaleFinder(text: text, limit: limit, environment: store.environment, transaction: transaction)
                        .groups()
                }
                groups += await requests(text, limit).map { [$0] } ?? []
            }
            if actor.may(.secrets, change: false, in: scope) {
                groups += try await notifications(text, limit, store).map { [$0] } ?? []
                groups += try await keys(text, limit, store.environment).map { [$0] } ?? []
            }
        }
        let order = FoundThing.Kind.allCases
        return groups.sorted {
            (order.firstIndex(of: $0.kind) ?? 0) < (order.firstIndex(of: $1.kind) ?? 0)
        }
    }

    private func requests(_ text: String, _ limit: Int) async -> FoundThing.Group? {
        guard text.utf8.count >= Self.shortestID, let history else { return nil }
        let found = await history.list(limit: limit + 1) { $0.id.hasPrefix(text) }
        return FoundThing.Group(
            .request,
            found.map { FoundThing(.request, $0.id, "\($0.method) \($0.path)", detail: "answered \($0.status)") },
            limit: limit)
    }

    /// Fewer characters of an id that was drawn say nothing.
    private static let shortestID = 3

    private func notifications(_ text: String, _ limit: Int, _ store: EnvironmentStore) async throws -> FoundThing
        .Group?
    {
        let beginning = text.lowercased()
        guard beginning.utf8.count >= Self.shortestID, beginning.allSatisfy({ $0.isHexDigit || $0 == "-" }) else {
            return nil
        }
        let ids = try await store.database.read { transaction in
            try transaction.query(
                "SELECT uuid FROM notification WHERE uuid >= $1 AND uuid < $2 ORDER BY uuid LIMIT $3", beginning,
                beginning + "\u{10FFFF}", limit + 1
            ) { try $0.value(0, as: NotificationID.self) }
        }
        var found: [FoundThing] = []
        for id in ids {
            // It says itself whether it is the actor's.
            guard let listed = try? await NotificationLists(store).show(id, by: actor).notification else { continue }
            let app = try listed.told.bundleId
            found.append(FoundThing(.notification, "\(id)", "\(listed.type)", detail: "\(app)", app: app))
        }
        return FoundThing.Group(.notification, found, limit: limit)
    }

    private func keys(_ text: String, _ limit: Int, _ environment: StoreEnvironment) async throws -> FoundThing.Group? {
        let keys = try await editing.apiKeys(of: nil).filter { key in
            key.reaches(environment)
                && (key.id.lowercased().hasPrefix(text.lowercased())
                    || text.split(separator: " ").allSatisfy { NameWords.hasWord(beginning: String($0), in: key.name) })
        }
        return FoundThing.Group(
            .apiKey, keys.prefix(limit + 1).map { FoundThing(.apiKey, $0.id, $0.name, detail: "of \($0.team)") },
            limit: limit)
    }
}

extension Accounts {
    /// How many accounts are written in one step of a rebuilding.
    private static let namesPerStep = 500

    /// Writes the words of the names of all accounts anew, step by step.
    package func reindexNames() async throws {
        var last: Int64? = 0
        while let start = last {
            last = try await store.database.write { transaction in
                let ids = try transaction.query(
                    "SELECT id FROM customer WHERE id > $1 ORDER BY id LIMIT $2", start, Self.namesPerStep
                ) { try $0.value(0, as: CustomerID.self) }
                for customer in try Customers.find(all: ids, in: transaction).values {
                    try Customers.putWords(of: customer, in: transaction)
                }
                return ids.last?.number
            }
        }
    }
}

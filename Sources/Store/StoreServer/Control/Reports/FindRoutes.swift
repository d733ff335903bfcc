import StoreCatalogue
import StoreHTTP
package import StoreModel
import StoreService

/// Finds whatever a word, or the beginning of one, is of.
struct FindRoutes: Sendable {
    let store: ControlStore

    var routes: [Route] {
        [
            .get("/control/v1/find") { request in
                let finder = StoreFinder(
                    store.editing(request), by: request.actor, in: store.sales, history: store.history)
                let text = request.target.query["q"] ?? ""
                guard text.count <= FoundThing.longestText else {
                    throw APIError(
                        .valueInvalid, "it has at most \(FoundThing.longestText) characters", parameter: "q")
                }
                return try .json(FindAnswer(try await finder.find(text)))
            }
            .described(
                "find", "What has words that begin so: names, titles, e-mail addresses and ids.",
                description: """
                    Of several words each has to be the beginning of one. Case and accents make no difference. An id with \
                    dots is several words; a number is found by its first digits. What the token may not see is not found.
                    """,
                tag: "reports",
                parameters: [.query("q", "The words.", schema: .string(lengths: 0...FoundThing.longestText))],
                answers: [.init(.ok, "What there is, kind by kind.", .of(FindAnswer.self))])
        ]
    }
}

/// What was found, kind by kind.
package struct FindAnswer: Codable, Hashable, Sendable {
    /// One that was found.
    package struct Thing: Codable, Hashable, Sendable {
        /// As its command and its path name it.
        package var id: String
        /// What it is called; missing where its id says it all.
        package var title: String?
        /// What distinguishes it from others of the same name.
        package var detail: String?
        package var bundleId: BundleID?
        package var teamId: TeamID?
    }

    /// Those of one kind.
    package struct Group: Codable, Hashable, Sendable {
        /// What they are, such as `customer`.
        package var kind: String
        package var found: [Thing]
        /// Whether there are more than these.
        package var isCut: Bool
    }

    package var groups: [Group]
}

extension FindAnswer {
    init(_ groups: [FoundThing.Group]) {
        self.groups = groups.map { group in
            Group(
                kind: group.kind.rawValue,
                found: group.found.map { thing in
                    Thing(
                        id: thing.id, title: thing.title.isEmpty ? nil : thing.title,
                        detail: thing.detail.isEmpty ? nil : thing.detail, bundleId: thing.app, teamId: thing.team)
                }, isCut: group.isCut)
        }
    }
}

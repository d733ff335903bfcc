package import StoreModel

/// Something that a search of an operator has found, in the words of a list.
package struct FoundThing: Hashable, Sendable {
    /// What it is.
    package enum Kind: String, CaseIterable, Sendable {
        // Closed: each has its page, and its heading in a list.
        case app, product, item, team, member, person, customer, family, device, transaction, purchase, subscription
        case notification, request
        case apiKey = "api-key"
    }

    package let kind: Kind
    /// As its command and its page name it.
    package let id: String
    /// What it is called; empty where its id says it all.
    package let title: String
    /// What distinguishes it from others of the same name.
    package let detail: String
    /// The app that it belongs to.
    package let app: BundleID?
    /// The team that it belongs to.
    package let team: TeamID?

    package init(
        _ kind: Kind, _ id: String, _ title: String = "", detail: String = "", app: BundleID? = nil,
        team: TeamID? = nil
    ) {
        self.kind = kind
        self.id = id
        self.title = title
        self.detail = detail
        self.app = app
        self.team = team
    }

    /// Those of one kind, and whether there are more.
    package struct Group: Hashable, Sendable {
        package let kind: Kind
        package let found: [FoundThing]
        package let isCut: Bool

        /// - Parameter found: one more than the limit where there are more; nil where none was found.
        package init?(_ kind: Kind, _ found: [FoundThing], limit: Int) {
            guard !found.isEmpty else { return nil }
            self.kind = kind
            self.found = Array(found.prefix(limit))
            isCut = found.count > limit
        }
    }

    /// How many of a kind are shown.
    package static let usualLimit = 8
    /// The characters of what is looked for.
    package static let longestText = 200
}

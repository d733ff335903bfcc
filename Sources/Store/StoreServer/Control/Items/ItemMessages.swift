import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreRules
import StoreService

/// What an item of the storefront is to be. What is left out stays; an empty text takes away what may be missing.
package struct ItemRequest: Codable, Hashable, Sendable {
    /// What it is called in the language of its maker.
    package var name: String?
    /// Who made it; an artist of this name is entered if the team has none.
    package var artist: String?
    package var artistId: Int64?
    package var genreId: Int?
    /// The store id of the album of a song, of the season of an episode.
    package var parent: Int64?
    package var disc: Int?
    package var number: Int?
    package var releasedAt: Instant?
    package var explicitness: String?
    package var rating: String?
    package var copyright: String?
    package var supportAddress: String?
    package var makerAddress: String?
    package var privacyAddress: String?
    package var milliseconds: Int64?
    package var isbn: String?
    package var upc: String?
    package var languages: [String]?
    /// By language; those that are left out stay.
    package var texts: [String: ItemTextRequest]?
    /// What it costs by itself. Something that never had a price is not sold by itself.
    package var price: BasePrice?
    package var isFamilyShareable: Bool?
    /// The numbers that are taken away: parent, disc, number, milliseconds.
    package var without: [String]?

    package init() {}

    /// What the catalogue takes.
    func draft() throws -> ItemDraft {
        var draft = ItemDraft()
        (draft.name, draft.artist, draft.artistID, draft.genreID) = (name, artist, artistId, genreId)
        draft.parent = parent.map { .some($0) }
        draft.disc = disc.map { .some($0) }
        draft.number = number.map { .some($0) }
        draft.releasedAt = releasedAt
        draft.explicitness = explicitness.map { Explicitness(rawValue: $0) }
        draft.rating = rating.map { .some($0) }
        draft.copyright = copyright.map { .some($0) }
        draft.supportAddress = supportAddress.map { .some($0) }
        draft.makerAddress = makerAddress.map { .some($0) }
        draft.privacyAddress = privacyAddress.map { .some($0) }
        draft.milliseconds = milliseconds.map { .some($0) }
        draft.isbn = isbn.map { .some($0) }
        draft.upc = upc.map { .some($0) }
        draft.languages = languages
        draft.texts = (texts ?? [:]).mapValues { ItemTextDraft(title: $0.title, description: $0.description) }
        draft.basePrice = try price.map { try CatalogueRoutes.money($0.amount, $0.currency, field: "price") }
        draft.isFamilyShareable = isFamilyShareable
        for name in without ?? [] { try Self.takeAway(name, from: &draft) }
        return draft
    }

    private static func takeAway(_ name: String, from draft: inout ItemDraft) throws {
        switch name {
        case "parent": draft.parent = .some(nil)
        case "disc": draft.disc = .some(nil)
        case "number": draft.number = .some(nil)
        case "milliseconds": draft.milliseconds = .some(nil)
        default:
            throw CatalogueError(
                .valueInvalid, "it is one of \(numbers.joined(separator: ", "))", field: "without")
        }
    }

    fileprivate static let numbers = ["parent", "disc", "number", "milliseconds"]
}

extension ItemRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "explicitness": .string(among: Explicitness.known.map(\.rawValue).sorted()),
            "rating": .string("For whom it is.", example: "12+"),
            "texts": .dictionary(of: .of(ItemTextRequest.self), description: "By language."),
            "without": .array(
                of: .string(among: numbers), description: "What is taken away.", lengths: 0...numbers.count),
        ]
    }
}

/// What customers are to read of an item in a language. What is left out stays.
package struct ItemTextRequest: Codable, Hashable, Sendable {
    /// The name of the item, if it never had another.
    package var title: String?
    package var description: String?

    package init(title: String? = nil, description: String? = nil) {
        (self.title, self.description) = (title, description)
    }
}

/// An item that is entered.
package struct NewItemRequest: Codable, Hashable, Sendable {
    /// It never changes.
    package var kind: String
    /// The number that it brings; the next of the store, if it is left out. An app has its own.
    package var storeId: Int64?
    /// The app that it is, and nothing else is.
    package var bundleId: BundleID?
    /// Whose it is; the team of whoever asks.
    package var teamId: TeamID?
    package var facts: ItemRequest

    package init(kind: String, facts: ItemRequest) {
        (self.kind, self.facts) = (kind, facts)
    }

    func item() throws -> NewItem {
        var new = try NewItem(ItemKind(rawValue: kind), facts.draft())
        (new.storeID, new.app, new.team) = (storeId, bundleId, teamId)
        return new
    }
}

extension NewItemRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] { ["kind": .string(among: ItemKind.all.map(\.rawValue))] }
}

/// An item in a list.
package struct ItemMessage: Codable, Hashable, Sendable {
    package let storeId: Int64
    package let kind: String
    package let name: String
    package let artistId: Int64
    package let artist: String
    package let genreId: Int
    package let genre: String
    /// The store id of the album of a song, of the season of an episode.
    package let parent: Int64?
    package let state: String
    /// What it costs by itself; missing if it is not sold by itself.
    package let price: BasePrice?
    package let teamId: TeamID
    /// Under these two, prices, taxes and reviews of it are found among the products.
    package let bundleId: BundleID
    package let productId: ProductID
    package let createdAt: Instant
    package let changedAt: Instant
    /// Where customers find it.
    package let link: String

    init(_ standing: ItemStanding, _ store: ControlStore) throws {
        try self.init(standing.item, standing.product, standing.artist, partOf: nil, store)
    }

    init(
        _ item: CatalogueItem, _ product: CatalogueProduct, _ artist: Artist, partOf parent: CatalogueItem?,
        _ store: ControlStore
    ) throws {
        storeId = item.storeID
        kind = item.kind.rawValue
        name = item.facts.name
        artistId = artist.storeID
        self.artist = artist.name
        genreId = item.facts.genreID
        genre = item.facts.genre?.name ?? ""
        self.parent = item.facts.parent
        state = product.state.rawValue
        price = product.basePrice.map(BasePrice.init)
        teamId = item.teamID
        let path = try item.path
        (bundleId, productId) = (path.app, path.product)
        createdAt = item.createdAt
        changedAt = item.changedAt
        let page = item.link(in: StorefrontRecord.storefront(alpha3: "USA"), parent: parent)
        let own = store.profiles?.storeAddress
        // What was never approved is in the sandbox alone.
        let address = product.review.isLive ? own : store.sandboxAddress() ?? own
        link = (address?.description ?? "") + page.path
    }
}

extension ItemMessage: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "kind": .string(among: ItemKind.all.map(\.rawValue)), "price": .nullable(.of(BasePrice.self)),
            "state": .string("From ready_to_submit on the sandbox shows it, production what was approved."),
            "link": .string(
                "Where customers find it, in the sandbox until it is approved; a path alone if the address is not known."
            ),
        ]
    }
}

/// A file of an item.
package struct ItemFileMessage: Codable, Hashable, Sendable {
    package let role: String
    /// The version of the app that it is a package of.
    package let version: String?
    /// Its place among those of its role, from 1.
    package let position: Int
    /// Whether production shows it only after a review.
    package let awaitsApproval: Bool
    /// The SHA-256 of its bytes.
    package let digest: String
    package let mediaType: String
    package let bytes: Int64
    package let width: Int?
    package let height: Int?
    package let milliseconds: Int64?
    package let alternativeText: String?
    package let fileName: String
    package let addedAt: Instant

    init(_ file: ItemFile) {
        role = file.role.rawValue
        (version, position, awaitsApproval, digest) = (file.version, file.position, file.isDraft, file.digest)
        (mediaType, bytes, width, height) = (file.mediaType, file.bytes, file.width, file.height)
        (milliseconds, alternativeText) = (file.milliseconds, file.alternativeText)
        (fileName, addedAt) = (file.fileName, file.addedAt)
    }
}

/// An artist.
package struct ArtistMessage: Codable, Hashable, Sendable {
    package let artistId: Int64
    package let name: String
    package let kind: String
    package let teamId: TeamID
    package let createdAt: Instant

    init(_ artist: Artist) {
        (artistId, name, kind) = (artist.storeID, artist.name, artist.kind.rawValue)
        (teamId, createdAt) = (artist.teamID, artist.createdAt)
    }
}

/// An artist that is entered.
package struct ArtistRequest: Codable, Hashable, Sendable {
    package let name: String
    /// What the artist makes.
    package let kind: String
    /// The number that the artist brings.
    package let artistId: Int64?
    package let teamId: TeamID?

    package init(name: String, kind: String, artistId: Int64? = nil, teamId: TeamID? = nil) {
        (self.name, self.kind, self.artistId, self.teamId) = (name, kind, artistId, teamId)
    }
}

extension ArtistRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["kind": .string(among: ArtistKind.known.map(\.rawValue).sorted())]
    }
}

/// Another name.
package struct ArtistNameRequest: Codable, Hashable, Sendable {
    package let name: String

    package init(name: String) {
        self.name = name
    }
}

/// What is said to the reviewer of an item.
package struct ItemSubmissionRequest: Codable, Hashable, Sendable {
    package let note: String?

    package init(note: String? = nil) {
        self.note = note
    }
}

/// What is new in a version of an app.
package struct VersionNoteRequest: Codable, Hashable, Sendable {
    package let note: String

    package init(note: String) {
        self.note = note
    }
}

/// What the home page begins with.
package struct FeaturesRequest: Codable, Hashable, Sendable {
    /// Store ids in the order of the page.
    package let items: [Int64]

    package init(items: [Int64]) {
        self.items = items
    }
}

extension FeaturesRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "items": .array(
                of: .integer(minimum: 1),
                description: "Store ids in the order of the page; none lets the newest begin.",
                lengths: 0...ItemLimits.features)
        ]
    }
}

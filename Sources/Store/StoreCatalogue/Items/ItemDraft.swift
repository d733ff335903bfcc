import Foundation
import StoreDatabase
package import StoreModel
import StoreRules

/// What somebody wants an item to be; what is nil stays as it is, and of what may be missing `.some(nil)` takes it away.
package struct ItemDraft: Hashable, Sendable {
    /// What it is called in the language of its maker.
    package var name: String?
    /// Who made it, by name; an artist of this name is entered if the team has none.
    package var artist: String?
    /// Who made it, by number.
    package var artistID: Int64?
    package var genreID: Int?
    /// The store id of the album of a song, of the season of an episode.
    package var parent: Int64??
    package var disc: Int??
    package var number: Int??
    package var releasedAt: Instant?
    package var explicitness: Explicitness?
    package var rating: String??
    package var copyright: String??
    package var supportAddress: String??
    package var makerAddress: String??
    package var privacyAddress: String??
    package var milliseconds: Int64??
    package var isbn: String??
    package var upc: String??
    package var languages: [String]?
    /// By language; the texts of other languages stay.
    package var texts: [String: ItemTextDraft] = [:]
    /// What it costs by itself. Something that never had a price is not sold by itself.
    package var basePrice: Money?
    package var isFamilyShareable: Bool?

    package init() {}
}

/// What customers are to read of an item in a language; what is nil stays as it is.
package struct ItemTextDraft: Hashable, Sendable {
    package var title: String?
    package var description: String?

    package init(title: String? = nil, description: String? = nil) {
        (self.title, self.description) = (title, description)
    }

    /// The text as the draft wants it; what never had a title is called by the name of the item.
    func applied(to text: ProductText?, named name: String) -> ProductText {
        ProductText(title: title ?? text?.title ?? name, description: description ?? text?.description ?? "")
    }
}

/// An item that somebody enters.
package struct NewItem: Hashable, Sendable {
    package let kind: ItemKind
    /// The number that it brings; nil for the next of the store. An app has its own.
    package var storeID: Int64?
    /// The app that it is.
    package var app: BundleID?
    /// Whose it is; an actor with a team of its own enters it for no other.
    package var team: TeamID?
    package var draft: ItemDraft

    package init(_ kind: ItemKind, _ draft: ItemDraft) {
        (self.kind, self.draft) = (kind, draft)
    }
}

extension ItemDraft {
    /// The product that is charged, as the draft wants it.
    ///
    /// - Parameter known: the product as it is; nil if it is new.
    func product(
        _ id: ProductID, named name: String, _ texts: [String: ProductText], known: CatalogueProduct?
    ) throws -> ProductDraft {
        try ProductDraft(
            id, .nonConsumable, referenceName: Self.referenceName(of: name),
            isFamilyShareable: isFamilyShareable ?? known?.isFamilyShareable ?? false, texts: texts,
            longestDescription: ItemLimits.description, longestTitle: ItemLimits.name, basePrice: basePrice)
    }

    /// As much of a name as the name has that a developer knows a product by.
    private static func referenceName(of name: String) -> String {
        let scalars = String.UnicodeScalarView(name.unicodeScalars.prefix(CatalogueLimits.referenceName))
        return String(scalars).trimmingCharacters(in: .whitespaces)
    }

    /// The facts of an item as the draft wants them.
    ///
    /// - Parameter artist: the number of who made it, where the draft says who.
    func applied(to facts: ItemFacts, artist: Int64?, of kind: ItemKind) throws -> ItemFacts {
        var facts = facts
        if let name { facts.name = try CatalogueText.line(name, atMost: ItemLimits.name, field: "name") }
        if let artist { facts.artistID = artist }
        if let genreID { facts.genreID = genreID }
        if let parent { facts.parent = parent }
        if let disc { facts.disc = disc }
        if let number { facts.number = number }
        if let releasedAt { facts.releasedAt = releasedAt }
        if let explicitness { facts.explicitness = explicitness }
        if let rating { facts.rating = try line(rating, ItemLimits.rating, "rating") }
        if let copyright { facts.copyright = try line(copyright, ItemLimits.copyright, "copyright") }
        if let supportAddress { facts.supportAddress = try address(supportAddress, "supportAddress") }
        if let makerAddress { facts.makerAddress = try address(makerAddress, "makerAddress") }
        if let privacyAddress { facts.privacyAddress = try address(privacyAddress, "privacyAddress") }
        if let milliseconds { facts.milliseconds = milliseconds }
        if let isbn { facts.isbn = try digits(isbn, [13], "isbn") }
        if let upc { facts.upc = try digits(upc, [12, 13], "upc") }
        if let languages {
            guard languages.count <= ItemLimits.languages else {
                throw CatalogueError(
                    .limitReached, "it has more than \(ItemLimits.languages) languages", field: "languages")
            }
            facts.languages = try languages.map { try CatalogueText.language($0, field: "languages") }
        }
        try check(facts, of: kind)
        return facts
    }

    private func check(_ facts: ItemFacts, of kind: ItemKind) throws(CatalogueError) {
        guard facts.genre?.root == kind.rootGenre, facts.genreID != kind.rootGenre else {
            throw CatalogueError(
                .valueInvalid,
                "\(facts.genreID) is no genre of \(kind.withArticle); there are "
                    + Genre.all(of: kind).map { "\($0.id) (\($0.name))" }.joined(separator: ", "), field: "genreId")
        }
        guard facts.explicitness.isKnown else {
            let known = Explicitness.known.map(\.rawValue).sorted().joined(separator: ", ")
            throw CatalogueError(.valueInvalid, "it is one of \(known)", field: "explicitness")
        }
        try range(facts.disc.map(Int64.init), 1...100, "disc")
        try range(facts.number.map(Int64.init), 0...10_000, "number")
        try range(facts.milliseconds, 1...ItemLimits.milliseconds, "milliseconds")
        let earliest = Instant(millisecondsSinceEpoch: -62_135_596_800_000)
        let latest = Instant(millisecondsSinceEpoch: 4_102_444_800_000)
        guard (earliest..<latest).contains(facts.releasedAt) else {
            throw CatalogueError(.valueInvalid, "it is a time of the years 1 to 2099", field: "releasedAt")
        }
        guard facts.isbn == nil || kind == .book else {
            throw CatalogueError(.valueInvalid, "only a book has an ISBN", field: "isbn")
        }
    }

    private func range(_ number: Int64?, _ range: ClosedRange<Int64>, _ field: String) throws(CatalogueError) {
        guard let number, !range.contains(number) else { return }
        throw CatalogueError(
            .valueInvalid, "it is a number from \(range.lowerBound) to \(range.upperBound)", field: field)
    }

    private func line(_ text: String?, _ limit: Int, _ field: String) throws -> String? {
        guard let text, !text.isEmpty else { return nil }
        return try CatalogueText.line(text, atMost: limit, field: field)
    }

    /// An address that a page may link to: of the web, without a password in it.
    private func address(_ text: String?, _ field: String) throws -> String? {
        guard let text, !text.isEmpty else { return nil }
        let address = try CatalogueText.line(text, atMost: ItemLimits.address, field: field)
        let rest = ["https://", "http://"].first { address.hasPrefix($0) }.map { address.dropFirst($0.count) }
        let host = rest.map { $0.prefix { !["/", "?", "#"].contains($0) } } ?? ""
        let isPlain = address.unicodeScalars.allSatisfy {
            $0.isASCII && $0.value > 0x20 && !"<>\"\\^`{|}".unicodeScalars.contains($0)
        }
        guard isPlain, host.contains("."), !host.contains("@") else {
            throw CatalogueError(
                .valueInvalid, "it is an address of the web, as in https://www.example.com/help", field: field)
        }
        return address
    }

    /// A number of so many digits whose last one is the check digit of the others.
    private func digits(_ text: String?, _ counts: [Int], _ field: String) throws -> String? {
        guard let text, !text.isEmpty else { return nil }
        let plain = text.filter { $0 != "-" && $0 != " " }
        let digits = plain.compactMap { $0.isASCII ? $0.wholeNumberValue : nil }
        // The last digit counts once, the one before it three times, and so on.
        let sum = digits.reversed().enumerated().reduce(0) { $0 + $1.element * ($1.offset.isMultiple(of: 2) ? 1 : 3) }
        guard digits.count == plain.count, counts.contains(digits.count), sum.isMultiple(of: 10) else {
            let list = counts.map(String.init).joined(separator: " or ")
            throw CatalogueError(
                .valueInvalid, "it has \(list) digits, the last of which checks the others", field: field)
        }
        return plain
    }
}

/// What was changed of items that production shows, until it is approved.
enum ItemDrafts {
    /// The facts of these items that wait for a review.
    static func facts(
        of ids: some Sequence<Int64>, in transaction: any ReadTransaction
    ) throws -> [Int64: ItemFacts] {
        let found = try transaction.query(
            "SELECT store_id, facts FROM item_change WHERE store_id IN \(.numbers)", of: ids
        ) { row in
            var cells = row.cells
            return try (cells.next(as: Int64.self), ItemFacts(json: cells.next()))
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    /// Notes facts; those of what production shows wait.
    static func set(
        _ facts: ItemFacts, of item: CatalogueItem, isLive: Bool, _ change: CatalogueChange
    ) throws {
        if isLive, facts != item.facts {
            try change.transaction.insertOrUpdate(
                "item_change", ["facts": facts.json], key: ["store_id": item.storeID])
        } else {
            try forget(item, change)
            if !isLive { try write(facts, of: item, change) }
        }
        try change.transaction.update("item", ["changed_at": change.at], where: ["store_id": item.storeID])
    }

    /// Shows production the facts that waited, because they are approved.
    static func publish(_ item: CatalogueItem, _ change: CatalogueChange) throws {
        guard let facts = try facts(of: [item.storeID], in: change.transaction)[item.storeID] else { return }
        try write(facts, of: item, change)
        try forget(item, change)
    }

    private static func write(_ facts: ItemFacts, of item: CatalogueItem, _ change: CatalogueChange) throws {
        try change.transaction.update("item", facts.row, where: ["store_id": item.storeID])
    }

    static func forget(_ item: CatalogueItem, _ change: CatalogueChange) throws {
        try change.transaction.execute("DELETE FROM item_change WHERE store_id = $1", item.storeID)
    }
}

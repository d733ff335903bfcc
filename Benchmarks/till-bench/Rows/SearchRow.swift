import CBenchReference
import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService

/// A search over 100 000 items, one after the other, against FTS5 alone.
struct SearchRow: BenchmarkRow {
    let name = "search"
    let summary =
        "The first 50 results of a term, of 100 000 items in SQLite on the disk, one after the other: the median."
    let reference = "C: FTS5 over the same words, the first 50 by its rank"

    private static let items = 100_000

    func prepare() throws -> Contest {
        let folder = try TemporaryFolder()
        try FirstThread.wait { [path = folder.path] in
            let databases = try await StoreDatabases.sqlite(in: path, .current())
            try await Self.fill(databases.catalogue)
            await databases.close()
        }
        let ours = try SearchContestant(folder)
        return Contest(ours: ours, reference: try SearchReference(folder))
    }

    /// Enters one item, and so many more like it with other words.
    private static func fill(_ catalogue: any Database) async throws {
        var draft = ItemDraft()
        (draft.name, draft.artist, draft.genreID) = ("First of all", "Marrow & Vane", 9031)
        draft.texts = ["en-US": ItemTextDraft(title: "First of all", description: "")]
        let editing = CatalogueEditing(catalogue, by: .owner, request: nil, now: BenchClock.now)
        let first = try await editing.addItem(NewItem(.book, draft))
        try await catalogue.write { transaction in
            for number in 1...Int64(items) { try enter(number, like: first, transaction) }
        }
        _ = try await editing.reindex()
    }

    private static func enter(_ number: Int64, like first: ItemDetails, _ transaction: any WriteTransaction) throws {
        let id = 2_000_000_000 + number
        let words = SearchWords(seed: number)
        let name = words.text(3)
        try transaction.insert(
            into: "product",
            [
                "item_id": id, "app_id": first.product.product.appID, "product_id": "item.\(id)",
                "kind": first.product.product.kind, "reference_name": name, "state": "approved",
                "is_cleared_for_sale": true, "is_family_shareable": false, "created_at": BenchClock.start,
                "changed_at": BenchClock.start, "is_live": true, "hosts_content": false,
            ])
        try transaction.insert(
            into: "product_text",
            ["item_id": id, "language": "en-US", "title": name, "description": words.text(20)])
        try transaction.insert(
            into: "item",
            [
                "store_id": id, "item_id": id, "team_id": first.item.teamID, "kind": first.item.kind,
                "artist_id": first.artist.storeID, "genre_id": 9031, "name": name,
                "released_at": BenchClock.start + .seconds(number), "explicitness": "notExplicit",
                "created_at": BenchClock.start, "changed_at": BenchClock.start,
            ])
    }
}

/// Words that are made up, some of them far more common than others.
struct SearchWords {
    private static let syllables = [
        "ka", "ro", "min", "tel", "sha", "vu", "or", "bel", "nia", "ost", "quin", "dra", "lo", "pem", "zi", "ur", "fen",
        "gal", "hy", "wex",
    ]
    private var state: UInt64

    init(seed: Int64) {
        state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
    }

    private mutating func next(below limit: UInt64) -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) % limit
    }

    /// A word by its number, below 8000.
    static func word(_ number: Int) -> String {
        let count = syllables.count
        return syllables[number % count] + syllables[number / count % count] + syllables[number / count / count % count]
    }

    /// So many words: the product of two numbers is seldom high.
    func text(_ count: Int) -> String {
        var words = self
        return (0..<count).map { _ in Self.word(Int(words.next(below: 90) * words.next(below: 88))) }
            .joined(separator: " ")
    }

    /// What is searched for: common words and rare ones, alone and in pairs.
    static let terms: [[String]] = (1...64).map { number in
        let first = word(number * 61 % 90 * 44)
        return number.isMultiple(of: 2) ? [first, word(number * 7)] : [first]
    }
}

/// Searches in the store's own way, and takes the time of each.
private final class SearchContestant: Contestant {
    private let folder: TemporaryFolder
    private let databases: StoreDatabases
    private var index = 0

    init(_ folder: TemporaryFolder) throws {
        self.folder = folder
        databases = try FirstThread.wait { [path = folder.path] in try await .sqlite(in: path, .current()) }
    }

    func run(seconds: Double) throws -> Rate {
        let (first, catalogue) = (index, databases.catalogue)
        guard let storefront = StorefrontRecord.storefront(alpha3: "USA") else {
            throw BenchmarkError("no storefront USA")
        }
        let times = try FirstThread.wait {
            let clock = ContinuousClock()
            let end = clock.now.advanced(by: .seconds(seconds))
            var (times, number): ([Duration], Int) = ([], first)
            while clock.now < end {
                let terms = SearchWords.terms[number % SearchWords.terms.count]
                let request = ItemSearch.Request(terms.joined(separator: " "), in: .production, storefront)
                let start = clock.now
                let found = try await catalogue.lookUp { try ItemSearch.find(request, limit: 50, in: $0) }
                times.append(clock.now - start)
                guard terms.count > 1 || !found.matches.isEmpty else { throw BenchmarkError("nothing was found") }
                number += 1
            }
            return times
        }
        index += times.count
        return Rate(medianOf: times)
    }
}

/// Searches as C does with FTS5 alone.
private final class SearchReference: Contestant {
    private let folder: TemporaryFolder
    private let pointer: OpaquePointer
    private var index = 0

    init(_ folder: TemporaryFolder) throws {
        self.folder = folder
        guard
            let pointer = till_search_reference_new(
                folder.path + "/catalogue.sqlite", folder.path + "/reference.sqlite")
        else { throw BenchmarkError("the C reference cannot read \(folder.path)") }
        self.pointer = pointer
    }

    deinit {
        till_search_reference_free(pointer)
    }

    func run(seconds: Double) throws -> Rate {
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: .seconds(seconds))
        var times: [Duration] = []
        while clock.now < end {
            let terms = SearchWords.terms[index % SearchWords.terms.count]
            let expression = terms.map { "\"\($0)\" *" }.joined(separator: " AND ")
            let start = clock.now
            guard till_search_reference_run(pointer, expression) >= 0 else {
                throw BenchmarkError("the C reference does not search")
            }
            times.append(clock.now - start)
            index += 1
        }
        return Rate(medianOf: times)
    }
}

extension Rate {
    /// So many operations, as if each had taken the median.
    fileprivate init(medianOf times: [Duration]) {
        let sorted = times.sorted()
        let median = sorted.isEmpty ? 1 : sorted[sorted.count / 2] / .seconds(1)
        self.init(operations: times.count, seconds: median * Double(times.count))
    }
}

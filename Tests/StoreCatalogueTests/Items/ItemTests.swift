import StoreDatabase
import StoreModel
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreCatalogue

@Suite("Items of the storefront", .bounded)
struct ItemTests {
    @Test("R7.7: An item of each kind is entered, and lies under one number", arguments: StoreEngine.allCases)
    func kinds(engine: StoreEngine) async throws {
        try await ItemScene.with(engine) { scene in
            _ = try await CatalogueSample.make(in: scene.catalogue, id: 77)
            for kind in ItemKind.all {
                let genre = try #require(Genre.all(of: kind).first)
                let parent = try await scene.editing.items(of: kind.parent ?? kind, limit: 1).first?.item.storeID
                var new = NewItem(
                    kind,
                    try ItemScene.draft("The \(kind)", genre: genre.id, parent: kind.parent == nil ? nil : parent))
                if kind == .app { new.app = try BundleID(parsing: CatalogueSample.bundleID) }
                let made = try await scene.editing.addItem(new)
                #expect(made.storeID == (kind == .app ? 77 : made.item.itemID.number))
                #expect(made.item.kind == kind && made.artist.kind == kind.artist)
                #expect(made.item.facts.genre == genre && made.item.name == "The \(kind)")
                let path = try made.item.path
                #expect(try await scene.editing.product(path).itemID == made.item.itemID)
            }
            let all = try await scene.editing.items(limit: 100)
            #expect(Set(all.map(\.item.kind)) == ItemKind.known && all.count == 8)
        }
    }

    @Test("R1.12: An entry brings its store id, which nothing else has and which the series passes over")
    func storeIDs() async throws {
        try await ItemScene.with { scene in
            var brought = try ItemScene.book()
            brought.storeID = 364_709_193
            #expect(try await scene.editing.addItem(brought).storeID == 364_709_193)
            #expect(try await ItemScene.refusal { _ = try await scene.editing.addItem(brought) } == .nameTaken)
            let artist = try #require(try await scene.editing.artists(limit: 1).first)
            for taken in [artist.storeID, 0, -5, StoreNumbers.highestBrought + 1] {
                var other = try ItemScene.book("Another")
                other.storeID = taken
                let refusal = try await ItemScene.refusal { _ = try await scene.editing.addItem(other) }
                #expect(refusal == (taken == artist.storeID ? .nameTaken : .valueInvalid))
            }
            // The numbers that the series would give out next are taken before it comes to them.
            let last = try await scene.catalogue.write { try Numbers.draw(.items, in: $0) }
            for number in (last + 1)...(last + 25) {
                var next = try ItemScene.book("Book \(number)")
                next.storeID = number
                _ = try await scene.editing.addItem(next)
            }
            #expect(try await scene.editing.addItem(ItemScene.book("Free")).storeID > last + 25)
            let app = try await scene.editing.addApp(
                BundleID(parsing: "com.example.new"), name: "New", primaryLanguage: nil, team: nil)
            #expect(app.app.id.number > last + 25)
        }
    }

    @Test("What a draft says is checked, and the refusal names the field")
    func rules() async throws {
        try await ItemScene.with { scene in
            let cases: [(String, (inout NewItem) -> Void)] = [
                ("genreId", { $0.draft.genreID = 34 }), ("genreId", { $0.draft.genreID = 38 }),
                ("name", { $0.draft.name = "" }), ("name", { $0.draft.name = "a\u{202E}b" }),
                ("supportAddress", { $0.draft.supportAddress = "javascript:alert(1)" }),
                ("makerAddress", { $0.draft.makerAddress = "https://user:secret@example.com" }),
                ("privacyAddress", { $0.draft.privacyAddress = "https://example.com/\"><script>" }),
                ("isbn", { $0.draft.isbn = "9783161484101" }), ("upc", { $0.draft.upc = "12345" }),
                ("parent", { $0.draft.parent = .some(1) }), ("number", { $0.draft.number = .some(-1) }),
                ("bundleId", { $0.app = BundleID("com.example.app") }),
                ("explicitness", { $0.draft.explicitness = Explicitness(rawValue: "rude") }),
                ("languages", { $0.draft.languages = ["not a tag"] }),
                ("milliseconds", { $0.draft.milliseconds = .some(ItemLimits.milliseconds + 1) }),
                ("releasedAt", { $0.draft.releasedAt = Instant(millisecondsSinceEpoch: 5_000_000_000_000) }),
            ]
            for (field, spoil) in cases {
                var new = try ItemScene.book()
                spoil(&new)
                let spoilt = new
                let error = await #expect(throws: CatalogueError.self) { try await scene.editing.addItem(spoilt) }
                #expect(error?.parameter == field, "\(field): \(error?.message ?? "")")
            }
            #expect(try await scene.editing.items(limit: 10).isEmpty)
            var good = try ItemScene.book()
            (good.draft.isbn, good.draft.supportAddress) = ("978-3-16-148410-0", "https://example.com/help?q=1")
            #expect(try await scene.editing.addItem(good).item.isbn == "9783161484100")
        }
    }

    @Test("A part of a text that a draft leaves out stays; what never had a title is called by its name")
    func texts() {
        let known = ProductText(title: "On Tides", description: "Of tides.")
        let cases: [(draft: ItemTextDraft, known: ProductText?, title: String, description: String)] = [
            (ItemTextDraft(title: "Ebb"), known, "Ebb", "Of tides."),
            (ItemTextDraft(description: "Of ebb."), known, "On Tides", "Of ebb."),
            (ItemTextDraft(description: ""), known, "On Tides", ""),
            (ItemTextDraft(description: "Of ebb."), nil, "A Book", "Of ebb."),
            (ItemTextDraft(title: "Ebb"), nil, "Ebb", ""),
        ]
        for (draft, known, title, description) in cases {
            let expected = ProductText(title: title, description: description)
            #expect(draft.applied(to: known, named: "A Book") == expected, "\(draft)")
        }
    }

    @Test("A song lies on an album of its own team, and an artist is entered once")
    func parents() async throws {
        try await ItemScene.with { scene in
            let (one, two) = (try await scene.developer(of: "one"), try await scene.developer(of: "two"))
            let album = try await scene.editing(by: one).addItem(
                NewItem(.album, ItemScene.draft("Album", genre: 21)))
            let song = NewItem(.song, try ItemScene.draft("Song", genre: 21, price: nil, parent: album.storeID))
            let added = try await scene.editing(by: one).addItem(song)
            #expect(added.parent?.storeID == album.storeID && added.artist == album.artist)
            #expect(
                try await ItemScene.refusal { _ = try await scene.editing(by: two).addItem(song) } == .nameUnknown)
            // Nor is it entered for another team than its own, by whatever name that is asked for.
            var elsewhere = try ItemScene.book()
            elsewhere.team = try TeamID(parsing: "two")
            let refused = elsewhere
            #expect(
                try await ItemScene.refusal { _ = try await scene.editing(by: one).addItem(refused) } == .teamUnknown)
            let foreign = try await scene.editing(by: two).addArtist("Maker", .musician)
            #expect(foreign.storeID != album.artist.storeID)
            let again = try await ItemScene.refusal {
                _ = try await scene.editing(by: two).addArtist("Maker", .musician)
            }
            #expect(again == .nameTaken)
        }
    }

    @Test("A team sees and changes its own items only (R12)")
    func teams() async throws {
        try await ItemScene.with { scene in
            let (one, two) = (try await scene.developer(of: "one"), try await scene.developer(of: "two"))
            let id = try await scene.editing(by: one).addItem(ItemScene.book()).storeID
            let other = scene.editing(by: two)
            let draft = try ItemScene.draft("Mine", genre: 9031)
            let place = ItemFilePlace(.artwork)
            let calls: [() async throws -> Void] = [
                { _ = try await other.itemDetails(id) }, { _ = try await other.itemPath(id) },
                { _ = try await other.changeItem(id, draft) }, { _ = try await other.submitItem(id) },
                { try await other.removeItem(id) }, { _ = try await other.removeFile(at: place, of: id) },
                { _ = try await scene.put(.artwork, "dot.artwork.png", of: id, by: two) },
            ]
            for (index, call) in calls.enumerated() {
                #expect(try await ItemScene.refusal(call) == .nameUnknown, "call \(index)")
            }
            #expect(try await other.items(limit: 10).isEmpty)
            #expect(try await other.artists(limit: 10).isEmpty)
            #expect(try await scene.editing(by: one).items(limit: 10).map(\.item.storeID) == [id])
            let artist = try #require(try await scene.editing(by: one).artists(limit: 1).first)
            let renamed = try await ItemScene.refusal { _ = try await other.renameArtist(artist.storeID, to: "X") }
            #expect(renamed == .nameUnknown)
        }
    }

    @Test("A shelf is no app: no list, profile, device or file for Xcode has it")
    func shelves() async throws {
        try await ItemScene.with { scene in
            _ = try await scene.editing.addItem(ItemScene.book())
            let shelf = try ItemShelf.bundleID(of: Teams.first)
            #expect(try await scene.editing.standings(after: nil, limit: 100).isEmpty)
            #expect(try await scene.editing.apps(after: nil, limit: 100, in: .sandbox).isEmpty)
            #expect(try await scene.editing.outline(apps: 100).apps.isEmpty)
            #expect(
                try await ItemScene.refusal { _ = try await scene.editing.exportForXcode(shelf, in: nil) }
                    == .appUnknown)
            let taken = try await ItemScene.refusal {
                _ = try await scene.editing.addApp(
                    BundleID(parsing: "till.shelf.other"), name: "App", primaryLanguage: nil, team: nil)
            }
            #expect(taken == .valueInvalid)
        }
    }

    @Test("A removed item stays with its number, and is gone from lists")
    func removal() async throws {
        try await ItemScene.with { scene in
            let book = try await scene.completeBook()
            try await scene.editing.removeItem(book.storeID)
            #expect(try await scene.editing.items(limit: 10).isEmpty)
            #expect(try await scene.listing(book.storeID, .sandbox) == nil)
            let view = try ItemScene.view(.sandbox)
            let kept = try await scene.catalogue.read {
                try ItemShelf.listings([book.storeID], for: view, isKept: true, in: $0)
            }
            #expect(kept.first?.files(.package).first?.bytes == book.files.first { $0.role == .package }?.bytes)
            var again = try ItemScene.book()
            again.storeID = book.storeID
            #expect(try await ItemScene.refusal { _ = try await scene.editing.addItem(again) } == .nameTaken)
        }
    }
}

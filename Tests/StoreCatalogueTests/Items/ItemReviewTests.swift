import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreCatalogue

@Suite("The review of items", .bounded)
struct ItemReviewTests {
    @Test(
        "R7.7: Production shows an item once it is approved, with its files and its price",
        arguments: StoreEngine.allCases)
    func approval(engine: StoreEngine) async throws {
        try await ItemScene.with(engine) { scene in
            let developer = try await scene.developer(of: "team")
            let own = scene.editing(by: developer)
            let id = try await own.addItem(ItemScene.book()).storeID
            #expect(try await own.itemDetails(id).missing == ["its artwork", "its file"])
            #expect(try await ItemScene.refusal { _ = try await own.submitItem(id) } == .stateWrong)
            #expect(try await scene.listing(id, .sandbox) == nil)
            _ = try await scene.put(.artwork, "dot.artwork.png", of: id, by: developer)
            _ = try await scene.put(.package, "dot.epub", of: id, by: developer)
            #expect(try await scene.listing(id, .sandbox)?.price?.description == "0.99 USD")
            #expect(try await scene.listing(id) == nil)
            let submitted = try await own.submitItem(id, note: "A short one")
            #expect(submitted.product.product.state == .waitingForReview)
            let path = try submitted.item.path
            #expect(try await ItemScene.refusal { _ = try await own.beginReview(of: path) } == .notAllowed)
            #expect(try await scene.editing.waitingForReview(limit: 10).map(\.product.productID) == [path.product])
            _ = try await scene.editing.beginReview(of: path)
            _ = try await scene.editing.decide(.approve, about: path)
            let shown = try #require(try await scene.listing(id))
            #expect(shown.title == "A Book" && shown.price?.description == "0.99 USD" && shown.obstacle == nil)
            #expect(Set(shown.files.map(\.role)) == [.artwork, .package])
            #expect(try await scene.listing(id, in: "JPN")?.price?.currency == .jpy)
        }
    }

    @Test("Facts, texts and files of what production shows wait for a review, and go live together")
    func drafts() async throws {
        try await ItemScene.with { scene in
            let book = try await scene.completeBook()
            let (id, path) = (book.storeID, try book.item.path)
            _ = try await scene.editing.approve(path)
            let first = try #require(try await scene.listing(id))
            var draft = ItemDraft()
            (draft.name, draft.genreID, draft.rating) = ("Another Name", 9010, .some("9+"))
            let changed = try await scene.editing.changeItem(id, draft)
            #expect(changed.item.name == "Another Name" && changed.shownFacts?.name == "A Book")
            _ = try await scene.put(.artwork, "night-bus.artwork.png", of: id)
            let (production, sandbox) = (try await scene.listing(id), try await scene.listing(id, .sandbox))
            #expect(production?.title == "A Book" && production?.files == first.files)
            #expect(production?.item.facts.rating == nil && production?.price == first.price)
            #expect(sandbox?.title == "Another Name" && sandbox?.item.facts.genreID == 9010)
            #expect(sandbox?.artwork?.blob != first.artwork?.blob)
            _ = try await scene.editing.submitItem(id)
            _ = try await scene.editing.beginReview(of: path)
            _ = try await scene.editing.decide(.reject(.metadata, message: "No"), about: path)
            #expect(try await scene.listing(id)?.title == "A Book")
            draft.rating = .some(nil)
            _ = try await scene.editing.changeItem(id, draft)
            _ = try await scene.editing.submitItem(id)
            _ = try await scene.editing.beginReview(of: path)
            _ = try await scene.editing.decide(.approve, about: path)
            let last = try #require(try await scene.listing(id))
            #expect(last.title == "Another Name" && last.item.facts.genreID == 9010 && last.item.facts.rating == nil)
            #expect(last.artwork?.blob == sandbox?.artwork?.blob && last.files.count == 2)
            #expect(try await scene.editing.itemDetails(id).shownFacts == nil)
        }
    }

    @Test("A token of the sandbox prepares a change of what production shows, and brings nothing about there")
    func sandboxTokens() async throws {
        try await ItemScene.with { scene in
            let developer = try await scene.developer(of: "team", in: .sandbox)
            let own = scene.editing(by: developer)
            let id = try await own.addItem(ItemScene.book()).storeID
            _ = try await scene.put(.artwork, "dot.artwork.png", of: id, by: developer)
            _ = try await scene.put(.package, "dot.epub", of: id, by: developer)
            let path = try await own.itemPath(id)
            _ = try await scene.editing.approve(path)
            var draft = ItemDraft()
            draft.copyright = "Mine"
            #expect(try await own.changeItem(id, draft).item.copyright == "Mine")
            #expect(try await scene.listing(id)?.item.facts.copyright == nil)
            let removed = try await ItemScene.refusal {
                _ = try await own.removeFile(at: ItemFilePlace(.artwork), of: id)
            }
            #expect(removed == .productionRequired)
            let publishing = own.publishing()
            #expect(try await ItemScene.refusal { try await publishing.removeItem(id) } == .productionRequired)
            var price = ItemDraft()
            price.basePrice = try Money(decimal: "0.10", currency: .usd)
            #expect(
                try await ItemScene.refusal { _ = try await publishing.changeItem(id, price) } == .productionRequired)
            let before = try await scene.listing(id)?.price
            _ = try await own.changeItem(id, price)
            #expect(try await scene.listing(id)?.price == before)
            try await own.removeItem(id)
            #expect(try await scene.listing(id)?.price == before)
        }
    }

    @Test("What was changed of an item is listed with the drafts, and is taken back before it is approved")
    func listedDrafts() async throws {
        try await ItemScene.with { scene in
            let id = try await scene.editing.addItem(ItemScene.book()).storeID
            _ = try await scene.put(.artwork, "dot.artwork.png", of: id)
            _ = try await scene.put(.package, "dot.epub", of: id)
            let path = try await scene.editing.itemPath(id)
            _ = try await scene.editing.approve(path)
            var draft = ItemDraft()
            draft.copyright = "Mine"
            _ = try await scene.editing.changeItem(id, draft)
            let found = try #require(try await scene.editing.draft(of: path))
            #expect(found.differences.isEmpty && found.reviewed.map(\.kind) == [.facts])
            #expect(found.reviewed.first?.after.contains("Mine") == true)
            try await scene.editing.discard("facts", of: path)
            let details = try await scene.editing.itemDetails(id)
            #expect(details.item.facts.copyright == nil && details.product.product.state == .approved)
            #expect(try await scene.editing.draft(of: path) == nil)
        }
    }

    @Test("What has no price is approved and shown, and not sold by itself")
    func albumOnly() async throws {
        try await ItemScene.with { scene in
            let album = try await scene.editing.addItem(NewItem(.album, ItemScene.draft("Album", genre: 21)))
            let song = try await scene.editing.addItem(
                NewItem(.song, ItemScene.draft("Song", genre: 21, price: nil, parent: album.storeID)))
            #expect(try await scene.editing.itemDetails(album.storeID).missing == ["its artwork", "its songs"])
            #expect(
                try await ItemScene.refusal { _ = try await scene.editing.submitItem(album.storeID) } == .stateWrong)
            _ = try await scene.put(.package, "rows.wav", of: song.storeID)
            let early = try await ItemScene.refusal { _ = try await scene.editing.approve(album.item.path) }
            #expect(early == .stateWrong, "nobody sells what has no file")
            _ = try await scene.put(.artwork, "low-tide.artwork.png", of: album.storeID)
            #expect(try await scene.editing.itemDetails(album.storeID).missing == [])
            _ = try await scene.editing.approve(album.item.path)
            // Nobody pays for an album of which nothing is approved.
            #expect(try await scene.listing(album.storeID)?.obstacle == .empty)
            _ = try await scene.editing.approve(song.item.path)
            #expect(try await scene.listing(album.storeID)?.price != nil)
            let shown = try #require(try await scene.listing(song.storeID))
            #expect(shown.price == nil && shown.obstacle == .notInStorefront)
            #expect(shown.parent?.item.storeID == album.storeID && shown.parent?.childCount == 1)
            #expect(shown.link(in: nil).item == song.storeID && shown.link(in: nil).storeID == album.storeID)
            #expect(shown.files(.package).first?.milliseconds == 4000)
        }
    }

    @Test("R1.11: The package of an app is that of a version, and stays as it is once that is approved")
    func packages() async throws {
        try await ItemScene.with { scene in
            let sample = try await CatalogueSample.make(in: scene.catalogue)
            var new = NewItem(.app, try ItemScene.draft("An App", genre: 7012, price: "0.00"))
            new.app = sample.app.bundleID
            let app = try await scene.editing.addItem(new)
            #expect(app.storeID == sample.app.id.number)
            _ = try await scene.put(.artwork, "monkeycredits.artwork.png", of: app.storeID)
            _ = try await scene.editing.approve(app.item.path)
            let put = { (version: String?) in
                try await ItemScene.refusal {
                    _ = try await scene.put(.package, "monkeycredits.deb", of: app.storeID, version: version)
                }
            }
            #expect(try await put(nil) == .valueMissing)
            #expect(try await put("1.0") == .nameUnknown)
            _ = try await scene.editing.addVersion("1.0", of: sample.app.bundleID)
            _ = try await scene.editing.setNote("New", in: "en-US", ofVersion: "1.0", of: app.storeID)
            #expect(try await put("1.0") == nil)
            #expect(try await scene.listing(app.storeID)?.files(.package) == [])
            #expect(try await scene.listing(app.storeID, .sandbox)?.version?.packages.count == 1)
            for event in [AppVersionReview.Event.submitted, .begun] {
                _ = try await scene.editing.advance("1.0", of: sample.app.bundleID, by: event)
                #expect(try await put("1.0") == .stateWrong)
            }
            _ = try await scene.editing.advance("1.0", of: sample.app.bundleID, by: .approved)
            let version = try #require(try await scene.listing(app.storeID)?.version)
            #expect(version.version.version == "1.0" && version.note == "New")
            let digest = try BlobID(of: ItemScene.file("monkeycredits.deb"))
            #expect(version.packages.map(\.blob) == [digest])
            // A version that nobody can fetch yet is not promised.
            _ = try await scene.editing.addVersion("1.1", of: sample.app.bundleID)
            #expect(try await scene.listing(app.storeID, .sandbox)?.version?.version.version == "1.0")
            #expect(try await put("1.0") == .stateWrong)
            let removed = try await ItemScene.refusal {
                _ = try await scene.editing.removeFile(at: ItemFilePlace(.package, version: "1.0"), of: app.storeID)
            }
            #expect(removed == .stateWrong)
        }
    }

    @Test("A package that comes after the approval of its version waits for a review of the item")
    func latePackages() async throws {
        try await ItemScene.with { scene in
            let sample = try await CatalogueSample.make(in: scene.catalogue)
            var new = NewItem(.app, try ItemScene.draft("An App", genre: 7012, price: "0.00"))
            new.app = sample.app.bundleID
            let id = try await scene.editing.addItem(new).storeID
            let path = try await scene.editing.itemPath(id)
            _ = try await scene.put(.artwork, "monkeycredits.artwork.png", of: id)
            _ = try await scene.editing.approve(path)
            _ = try await scene.editing.addVersion("1.0", of: sample.app.bundleID)
            for event in [AppVersionReview.Event.submitted, .begun, .approved] {
                _ = try await scene.editing.advance("1.0", of: sample.app.bundleID, by: event)
            }
            let waiting = try await scene.put(.package, "monkeycredits.deb", of: id, version: "1.0")
            #expect(waiting.product.product.state == .readyToSubmit)
            #expect(try await scene.listing(id)?.version?.packages == [])
            _ = try await scene.editing.approve(path)
            #expect(try await scene.listing(id)?.version?.packages.count == 1)
        }
    }

    @Test("Each change of an item and of an artist is in the audit, with who made it")
    func audit() async throws {
        try await ItemScene.with { scene in
            let developer = try await scene.developer(of: "team")
            let own = scene.editing(by: developer)
            let id = try await own.addItem(ItemScene.book()).storeID
            _ = try await scene.put(.artwork, "dot.artwork.png", of: id, by: developer)
            var draft = ItemDraft()
            draft.rating = .some("12+")
            _ = try await own.changeItem(id, draft)
            // The same again changes nothing.
            _ = try await own.changeItem(id, draft)
            let artist = try #require(try await own.artists(limit: 1).first)
            _ = try await own.renameArtist(artist.storeID, to: "Other")
            let entries = try await scene.catalogue.read {
                try CatalogueAudit.list(of: nil, team: TeamID(parsing: "team"), before: nil, limit: 20, in: $0)
            }
            let made = entries.filter { $0.actor == developer.text }.map { "\($0.subject) \($0.action)" }.reversed()
            let product = "product/\(id)"
            #expect(
                Array(made).filter { !$0.hasPrefix("app/") } == [
                    "artist/\(artist.storeID) entered", "\(product) entered", "\(product) artwork file",
                    "\(product) changed", "artist/\(artist.storeID) renamed",
                ])
        }
    }
}

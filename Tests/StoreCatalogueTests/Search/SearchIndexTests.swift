import StoreDatabase
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreCatalogue

@Suite("The index of the search")
struct SearchIndexTests {
    private func editing(_ databases: StoreDatabases) -> CatalogueEditing {
        CatalogueEditing(databases.catalogue, by: .owner, request: nil) { CatalogueSample.now }
    }

    @Test("It follows each change in the transaction that makes it", arguments: StoreEngine.allCases)
    func follows(engine: StoreEngine) async throws {
        try await engine.withStore { databases in
            let sample = try await SearchSample(in: databases.catalogue)
            let editing = editing(databases)
            var draft = ItemDraft()
            draft.name = "Wallaby Tales"
            draft.texts = ["en-US": ItemTextDraft(title: "Wallaby Tales", description: "About wallabies.")]
            _ = try await editing.changeItem(SearchSample.kangarooBook, draft)
            // Production goes on showing what was approved, and so it goes on being found.
            #expect(try await sample.names("wallaby", in: .sandbox) == ["Wallaby Tales"])
            #expect(try await sample.names("wallaby", in: .production, changing: { $0.corrects = false }) == [])
            let term = "dot and the kangaroo"
            #expect(try await sample.names(term, kinds: .books, in: .production).count == 1)
            #expect(try await sample.names(term, kinds: .books, in: .sandbox, changing: { $0.corrects = false }) == [])
            let artist = try #require(
                try await databases.catalogue.read { try ItemShelf.item(SearchSample.books, in: $0) })
            _ = try await editing.renameArtist(artist.facts.artistID, to: "Orchard")
            #expect(try await sample.names("orchard ibooks") == ["iBooks"])
            #expect(try await sample.names("orchard", kinds: .developers) == ["Orchard"])
            // A removal that waits for its publication is one of the sandbox alone.
            try await editing.removeItem(SearchSample.books)
            #expect(try await sample.names("ibooks", in: .sandbox, changing: { $0.corrects = false }) == [])
            #expect(try await sample.names("ibooks", in: .production) == ["iBooks"])
            _ = try await editing.publish(CatalogueDrafts.Choice())
            #expect(try await sample.names("ibooks", changing: { $0.corrects = false }) == [])
            #expect(try await sample.names("orchard", kinds: .developers, changing: { $0.corrects = false }) == [])
        }
    }

    @Test("A song is found by the new name of its album", arguments: StoreEngine.usual)
    func albums(engine: StoreEngine) async throws {
        try await engine.withStore { databases in
            let sample = try await SearchSample(in: databases.catalogue)
            var draft = ItemDraft()
            draft.name = "Morning Tram"
            let album = try #require(sample.ids["Night Bus"])
            _ = try await editing(databases).changeItem(album, draft)
            #expect(try await sample.names("morning tram", kinds: .songs, in: .sandbox).count == 2)
            #expect(try await sample.names("night bus", kinds: .songs, in: .production).count == 2)
        }
    }

    @Test(
        "What nobody has approved is found in the sandbox alone, once it is complete", arguments: StoreEngine.usual)
    func drafts(engine: StoreEngine) async throws {
        try await engine.withStore { databases in
            let sample = try await SearchSample(in: databases.catalogue)
            var draft = ItemDraft()
            (draft.name, draft.artist, draft.genreID) = ("Quokka", "Dot Marsh", 9019)
            draft.texts = ["en-US": ItemTextDraft(title: "Quokka", description: "")]
            let item = try await editing(databases).addItem(NewItem(.book, draft))
            #expect(try await sample.names("quokka", in: .sandbox, changing: { $0.corrects = false }) == [])
            try await databases.catalogue.write { transaction in
                try transaction.execute(
                    "UPDATE product SET state = 'ready_to_submit' WHERE item_id = $1", item.item.itemID)
                try SearchIndex.refresh([item.storeID], transaction)
            }
            #expect(try await sample.names("quokka", in: .sandbox) == ["Quokka"])
            #expect(try await sample.names("quokka", in: .production, changing: { $0.corrects = false }) == [])
        }
    }

    @Test("An index that was damaged is found to be, and made whole", arguments: StoreEngine.allCases)
    func rebuilding(engine: StoreEngine) async throws {
        try await engine.withStore { databases in
            let sample = try await SearchSample(in: databases.catalogue)
            func problems() async throws -> [String] {
                try await databases.catalogue.read { try SearchIndex.problems(in: $0) }
            }
            #expect(try await problems() == [])
            try await databases.catalogue.write { transaction in
                try transaction.execute("DELETE FROM search_text")
                try transaction.execute("DELETE FROM search_entry WHERE kinds = 1")
                try transaction.execute("DELETE FROM search_word")
            }
            let found = try await problems()
            #expect(found.count == 2)
            #expect(found.allSatisfy { $0.contains("till database reindex") })
            #expect(try await sample.names("ibooks") == [])
            #expect(try await editing(databases).reindex() == SearchSample.entries.count)
            #expect(try await problems() == [])
            #expect(try await sample.names("ibokos") == ["iBooks"])
            #expect(try await sample.names("beyonce", kinds: .artists) == ["Beyoncé"])
        }
    }

    @Test("Only those mend the index who look after the whole store")
    func rights() async throws {
        try await StoreEngine.memory.withStore { databases in
            let stranger = CatalogueEditing(databases.catalogue, by: .nobody, request: nil) { CatalogueSample.now }
            await #expect(throws: CatalogueError.self) { try await stranger.reindex() }
        }
    }
}

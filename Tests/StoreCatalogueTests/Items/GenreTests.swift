import Testing

@testable import StoreCatalogue

@Suite("Genres")
struct GenreTests {
    @Test(
        "The public numbers mean what the documents say (R7.5)",
        arguments: [
            (36, "App Store", nil), (6014, "Games", 36), (6002, "Utilities", 36), (6015, "Finance", 36),
            (34, "Music", nil), (21, "Rock", 34), (7012, "Puzzle", 6014), (9031, "Fiction & Literature", 38),
        ] as [(Int, String, Int?)])
    func numbers(id: Int, name: String, parent: Int?) {
        #expect(Genre.find(id) == Genre(id: id, name: name, parent: parent))
    }

    @Test("Each genre has one number, a name, and a medium above it")
    func table() {
        #expect(Set(Genre.all.map(\.id)).count == Genre.all.count && Genre.all.count > 160)
        let roots = Set(ItemKind.all.map(\.rootGenre))
        for genre in Genre.all {
            #expect(roots.contains(genre.root) && !genre.name.isEmpty, "\(genre.id)")
        }
        for kind in ItemKind.all { #expect(Genre.all(of: kind).count > 5, "\(kind)") }
        #expect(Genre.within(6014).count == 19 && Genre.within(36).contains(7012))
        #expect(Genre.find(7012)?.path == [7012, 6014, 36])
    }
}

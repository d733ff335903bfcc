import Foundation
import Testing

@testable import StoreKit

/// What an app keeps of content, version by version.
@Suite("The content that an app keeps")
struct ContentLibraryTests {
    private static let chapter = "com.example.book.chapter1"

    private func withLibrary(_ body: (ContentLibrary, URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("till-library-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(try ContentLibrary(at: folder.appendingPathComponent("documents")), folder)
    }

    private func files(_ text: String, in folder: URL) throws -> URL {
        let files = folder.appendingPathComponent(UUID().uuidString)
        let pictures = files.appendingPathComponent("pictures")
        try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: files.appendingPathComponent("chapter.txt"))
        try Data("picture \(text)".utf8).write(to: pictures.appendingPathComponent("island.jpg"))
        return files
    }

    private func text(_ folder: URL?) throws -> String {
        let folder = try #require(folder)
        return try String(contentsOf: folder.appendingPathComponent("chapter.txt"), encoding: .utf8)
    }

    @Test("R6.9: a newer version takes the place of an older one, although the file exists")
    func versions() throws {
        try withLibrary { library, folder in
            #expect(library.currentVersion(of: Self.chapter) == nil && library.folder(of: Self.chapter) == nil)
            let saved = try library.save(try files("old", in: folder), as: "1.9", of: Self.chapter)
            #expect(saved.path == library.root.path + "/com.example.book.chapter1/1.9")
            #expect(try text(library.folder(of: Self.chapter)) == "old")
            try library.save(try files("new", in: folder), as: "1.10", of: Self.chapter)
            #expect(library.currentVersion(of: Self.chapter) == "1.10")
            #expect(try text(library.folder(of: Self.chapter)) == "new")
            let left = try FileManager.default.contentsOfDirectory(atPath: library.root.path + "/" + Self.chapter)
            #expect(Set(left) == ["1.10", "current"])
            #expect(BackupExclusion.isMarked(library.root))
            // Another launch of the app finds the same.
            #expect(try ContentLibrary(at: library.root).currentVersion(of: Self.chapter) == "1.10")
            try library.remove(Self.chapter)
            #expect(library.folder(of: Self.chapter) == nil)
        }
    }

    @Test("R6.9: what a killed app left of a save is no version, and goes with the next one")
    func drafts() throws {
        try withLibrary { library, folder in
            let place = library.root.path + "/" + Self.chapter
            try FileManager.default.createDirectory(atPath: place + "/draft-1", withIntermediateDirectories: true)
            try FileManager.default.createDirectory(atPath: place + "/mine", withIntermediateDirectories: true)
            #expect(library.currentVersion(of: Self.chapter) == nil)
            try library.save(try files("new", in: folder), as: "1.0", of: Self.chapter)
            // What the app itself has put there is its own.
            let left = try FileManager.default.contentsOfDirectory(atPath: place)
            #expect(Set(left) == ["1.0", "current", "mine"])
            // A current version whose folder somebody has removed is none.
            try FileManager.default.removeItem(atPath: place + "/1.0")
            #expect(library.currentVersion(of: Self.chapter) == nil)
        }
    }

    @Test("The cached files may go once they are saved")
    func independent() throws {
        try withLibrary { library, folder in
            let files = try files("text", in: folder)
            try library.save(files, as: "1.0", of: Self.chapter)
            try FileManager.default.removeItem(at: files)
            #expect(try text(library.folder(of: Self.chapter)) == "text")
        }
    }

    @Test(
        "Names that lead elsewhere name nothing",
        arguments: [("..", "1.0"), (".", "1.0"), ("a/b", "1.0"), ("", "1.0"), ("a", ".."), ("a", "1/2"), ("a", "")])
    func names(product: String, version: String) throws {
        try withLibrary { library, folder in
            let files = try files("text", in: folder)
            #expect(throws: (any Error).self) { try library.save(files, as: version, of: product) }
            #expect(library.folder(of: product) == nil)
            #expect(try FileManager.default.contentsOfDirectory(atPath: library.root.path) == ["CACHEDIR.TAG"])
        }
    }

    @Test("R6.4, R6.9: a newer version is told by its numbers, and only of what is kept")
    func newer() throws {
        #expect(ContentLibrary.isVersion("1.10", newerThan: "1.9"))
        #expect(!ContentLibrary.isVersion("1.0", newerThan: "1"))
        #expect(!ContentLibrary.isVersion("1.9", newerThan: "1.10"))
        #expect(!ContentLibrary.isVersion("", newerThan: "1.0") && ContentLibrary.isVersion("1.0", newerThan: ""))
        try withLibrary { library, folder in
            var record = ProductRecord(identifier: Self.chapter, title: "", text: "", price: 1, priceLocale: "en_US")
            record.contentVersion = "1.10"
            record.contentLengths = [7]
            let product = SKProduct(record: record)
            #expect(product.isDownloadable && !library.hasNewer(product))
            try library.save(try files("old", in: folder), as: "1.9", of: Self.chapter)
            #expect(library.hasNewer(product))
            try library.save(try files("new", in: folder), as: "1.10", of: Self.chapter)
            #expect(!library.hasNewer(product))
        }
    }
}

import Foundation
import TestSupport
import Testing

@testable import StoreKit

@Suite("Watching a folder", .bounded)
struct FolderWatchTests {
    @Test(
        "A file that is written is heard of; where the system has no room for a watch, something is told all the same",
        arguments: [true, false])
    func written(hears: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("till-watch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (changes, told) = AsyncStream<Void>.makeStream()
        let watch = try #require(FolderWatch(folder.path, hears: hears) { told.yield() })
        try Data("news".utf8).write(to: folder.appendingPathComponent("changes"))
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next() != nil)
        withExtendedLifetime(watch) {}
    }

    @Test("Of the file that is one's own nothing is told, of any other each time")
    func own() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("till-watch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (changes, told) = AsyncStream<Int>.makeStream()
        let written = Shared(0)
        let watch = try #require(FolderWatch(folder.path, except: "own") { told.yield(written.value) })
        var iterator = changes.makeAsyncIterator()
        for number in 1...20 {
            for _ in 1...number { try Data().write(to: folder.appendingPathComponent("own")) }
            written.set(number)
            try Data().write(to: folder.appendingPathComponent("owner"))
            // Had the file of its own been told of, that would have been before this number.
            #expect(await iterator.next() == number)
        }
        withExtendedLifetime(watch) {}
    }
}

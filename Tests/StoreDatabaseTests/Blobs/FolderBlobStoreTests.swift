import Foundation
import StoreDatabase
import TestSupport
import Testing

@Suite("Blobs in a folder", .bounded)
struct FolderBlobStoreTests {
    private func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
        let folder = NSTemporaryDirectory() + "till-blobs-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try body(folder)
    }

    private func files(in folder: String) -> [String] {
        (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? [])
            .filter { (try? FileManager.default.contentsOfDirectory(atPath: folder + "/" + $0)) == nil }.sorted()
    }

    @Test("A content is kept under its SHA-256, and read back whole or in part")
    func keeping() throws {
        try withFolder { folder in
            let blobs = try FolderBlobStore(folder: folder)
            let id = try blobs.keep(Array("abc".utf8))
            // The digest of "abc" stands in FIPS 180-4.
            #expect(id.text == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
            #expect(try blobs.byteCount(of: id) == 3)
            #expect(try blobs.read(id, 0..<3) == Array("abc".utf8))
            #expect(try blobs.read(id, 1..<2) == Array("b".utf8))
            #expect(try blobs.read(id, 3..<3) == [])
            try blobs.verify(id)
            #expect(try FolderBlobStore(folder: folder).read(id, 0..<3) == Array("abc".utf8))
        }
    }

    @Test("Pieces make one content, however it is cut")
    func pieces() throws {
        try withFolder { folder in
            let blobs = try FolderBlobStore(folder: folder)
            var random = RandomizedRun.generator(named: "pieces of blobs")
            for _ in 0..<20 {
                let content = random.bytes(Int.random(in: 0...5000, using: &random))
                let draft = try blobs.begin()
                var rest = content[...]
                while !rest.isEmpty {
                    let count = Int.random(in: 1...rest.count, using: &random)
                    try draft.append(rest.prefix(count))
                    rest = rest.dropFirst(count)
                }
                let id = try draft.keep()
                #expect(id == (try BlobID(of: content)), "TILL_SEED=\(RandomizedRun.seed)")
                #expect(try blobs.read(id, 0..<Int64(content.count)) == content)
            }
        }
    }

    @Test("The same content is there once, also when many keep it at once")
    func sameContent() async throws {
        let folder = NSTemporaryDirectory() + "till-blobs-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let blobs = try FolderBlobStore(folder: folder)
        let ids = try await withThrowingTaskGroup(of: BlobID.self) { group in
            for _ in 0..<20 { group.addTask { try blobs.keep([UInt8](repeating: 1, count: 10_000)) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(files(in: folder).count == 1)
    }

    @Test("A draft that is not kept leaves nothing, and one that is kept or given up takes nothing more")
    func drafts() throws {
        try withFolder { folder in
            let blobs = try FolderBlobStore(folder: folder)
            do {
                let forgotten = try blobs.begin()
                try forgotten.append([1])
            }
            let discarded = try blobs.begin()
            try discarded.append([2])
            discarded.discard()
            #expect(files(in: folder) == [])
            #expect(failure { try discarded.append([3]) } == .ended)
            let kept = try blobs.begin()
            _ = try kept.keep()
            #expect(failure { _ = try kept.keep() } == .ended)
            #expect(files(in: folder).count == 1)
        }
    }

    @Test("A content that is not what was announced, or too long, is not kept")
    func refused() throws {
        try withFolder { folder in
            var limits = BlobLimits()
            limits.bytesPerBlob = 10
            let blobs = try FolderBlobStore(folder: folder, limits: limits)
            let draft = try blobs.begin()
            try draft.append([1, 2, 3])
            let other = try BlobID(of: [1, 2])
            #expect(failure { _ = try draft.keep(expecting: other) } == .damaged)
            let long = try blobs.begin()
            try long.append([UInt8](repeating: 0, count: 10))
            #expect(failure { try long.append([0]) } == .tooLarge)
            #expect(failure { _ = try long.keep() } == .ended)
            #expect(files(in: folder) == [])
        }
    }

    @Test("What is not there, or lies outside, is said so")
    func missing() throws {
        try withFolder { folder in
            var limits = BlobLimits()
            limits.bytesPerRead = 4
            let blobs = try FolderBlobStore(folder: folder, limits: limits)
            let id = try blobs.keep([1, 2, 3, 4, 5])
            let nobody = try BlobID(of: [9])
            #expect(try blobs.byteCount(of: nobody) == nil)
            #expect(failure { _ = try blobs.read(nobody, 0..<1) } == .missing)
            #expect(failure { try blobs.verify(nobody) } == .missing)
            #expect(try !blobs.delete(nobody))
            for range: Range<Int64> in [4..<6, -1..<1, 0..<5, 9..<9] {
                #expect(failure { _ = try blobs.read(id, range) } == .outOfRange, "\(range)")
            }
        }
    }

    @Test(
        "Damage is found, and the next who keeps the content mends it: one cut short, one with a byte of another value")
    func damage() throws {
        try withFolder { folder in
            let blobs = try FolderBlobStore(folder: folder)
            let content = [UInt8](repeating: 5, count: 3000)
            var flipped = content
            flipped[1500] ^= 1
            let id = try blobs.keep(content)
            for damaged in [Array(content.dropLast()), flipped] {
                try Data(damaged).write(to: URL(fileURLWithPath: blobs.path(of: id)))
                #expect(failure { try blobs.verify(id) } == .damaged)
                #expect(failure { try FolderBlobStore(examining: folder).verify(id) } == .damaged)
                #expect(try blobs.keep(content) == id)
                try blobs.verify(id)
                #expect(try blobs.content(of: id, bytes: 3000) == content)
            }
            try Data(flipped).write(to: URL(fileURLWithPath: blobs.path(of: id)))
            #expect(failure { _ = try blobs.content(of: id, bytes: 3000) } == .damaged)
            #expect(try blobs.read(id, 0..<10) == Array(content[..<10]))
        }
    }

    @Test("Blobs are listed in order, in pages, and no more once they are deleted")
    func listing() throws {
        try withFolder { folder in
            let blobs = try FolderBlobStore(folder: folder)
            let ids = try (0..<40).map { try blobs.keep([UInt8($0)]) }.sorted()
            #expect(try blobs.list(after: nil, limit: 100) == ids)
            var paged: [BlobID] = []
            while case let page = try blobs.list(after: paged.last, limit: 7), !page.isEmpty { paged += page }
            #expect(paged == ids)
            for id in ids.prefix(39) { #expect(try blobs.delete(id)) }
            #expect(try blobs.list(after: nil, limit: 100) == [ids[39]])
        }
    }

    @Test("Drafts of a process that died are gone when the folder is opened again, and blobs are not")
    func crash() throws {
        try withFolder { folder in
            let blobs = try FolderBlobStore(folder: folder)
            let id = try blobs.keep([1])
            try Data([1, 2]).write(to: URL(fileURLWithPath: folder + "/drafts/left"))
            let reopened = try FolderBlobStore(folder: folder)
            #expect(files(in: folder).count == 1)
            #expect(try reopened.read(id, 0..<1) == [1])
        }
    }

    @Test(
        "Only names that are digests are names of blobs",
        arguments: [
            "", "ab", "../../etc/passwd", String(repeating: "A", count: 64), String(repeating: "g", count: 64),
            String(repeating: "a", count: 63) + "/",
        ])
    func names(_ text: String) {
        #expect(BlobID(text) == nil)
    }

    private func failure(_ body: () throws -> Void) -> BlobError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? BlobError)?.code
        }
    }
}

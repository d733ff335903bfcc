import Foundation
import StoreModel
import StoreSigning
import TestSupport
import Testing

@testable import ContentPackage

/// Archives as the store makes them and devices unpack them.
@Suite("Delivered archives", .bounded)
struct DeliveredArchiveTests {
    private func archive(
        _ folder: ContentFolder, threshold: Int64 = .init(UInt32.max), countThreshold: Int = 0xFFFF
    ) throws -> ContentManifest {
        var bytes: [UInt8] = []
        let manifest = try DeliveredArchive.write(
            from: folder.package, limits: ContentLimits(), threshold: threshold, countThreshold: countThreshold
        ) { bytes += $0 }
        try folder.put(bytes, at: folder.archive)
        return manifest
    }

    @Test("R6.5: What was packed is unpacked again, byte for byte")
    func roundTrip() throws {
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        var random = RandomizedRun.generator(named: "round trip")
        // More than one piece, stored and deflated.
        try folder.write("Contents/noise", random.bytes(2_500_000))
            .write("Contents/long.txt", String(repeating: "There is no frigate like a book. ", count: 60_000))
        try PackageWriter().write(folder.project, to: folder.package)
        let manifest = try archive(folder)
        let unpacked = try DeliveredArchive.unpack(folder.archive, into: folder.unpacked)
        #expect(try ContentFolder.contents(of: folder.unpacked) == ContentFolder.contents(of: folder.project))
        #expect(unpacked.info.version == manifest.contentVersion)
        #expect(unpacked.files == manifest.files)
        #expect(unpacked.unpackedBytes == manifest.unpackedBytes)
        #expect(try folder.names() == ["project", "made.pkg", "made.zip", "unpacked"])
        let mode = try FileManager.default.attributesOfItem(atPath: folder.unpacked + "/Contents/noise")[
            .posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test("R6.4: The manifest has length, digests and files of the archive, which is the same each time")
    func manifest() throws {
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        var random = RandomizedRun.generator(named: "manifest")
        try folder.write("Contents/noise", random.bytes(2_500_000))
        try PackageWriter().write(folder.project, to: folder.package)
        let manifest = try archive(folder)
        let bytes = try folder.bytes(of: folder.archive)
        #expect(manifest.byteCount == Int64(bytes.count))
        #expect(manifest.digest == (try DigestAlgorithm.sha256.digest(bytes)))
        let chunks = stride(from: 0, to: bytes.count, by: 1 << 20).map { bytes[$0..<min($0 + 1 << 20, bytes.count)] }
        #expect(manifest.chunkDigests == (try chunks.flatMap { try DigestAlgorithm.sha256.digest($0) }))
        #expect(manifest.chunkLength == 1 << 20)
        #expect(manifest.product.text == "com.example.book.chapter1")
        #expect(
            manifest.files.map(\.path) == [
                "ContentInfo.plist", "Contents/1.html", "Contents/empty", "Contents/images/größe & <höhe>.txt",
                "Contents/images/whale.png", "Contents/noise",
            ])
        #expect(manifest.unpackedBytes == manifest.files.reduce(0) { $0 + $1.bytes })
        #expect(try archive(folder) == manifest)
        #expect(try folder.bytes(of: folder.archive) == bytes)
    }

    @Test("What another tool stored without need is deflated for delivery")
    func deflating() throws {
        let folder = try ContentFolder()
        defer { folder.remove() }
        let text = Array(String(repeating: "text ", count: 10_000).utf8)
        try folder.put(PackageBytes.valid([.init(name: "long.txt", bytes: text)]).bytes(), at: folder.package)
        #expect(try archive(folder).byteCount < 10_000)
        try DeliveredArchive.unpack(folder.archive, into: folder.unpacked)
        #expect(try folder.bytes(of: folder.unpacked + "/Contents/long.txt") == text)
    }

    @Test(
        "Numbers that are too large for 32 bits have their long form",
        arguments: [(0, 0xFFFF), (300, 0xFFFF), (.max, 1)])
    func zip64(_ threshold: Int64, _ countThreshold: Int) throws {
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        try PackageWriter().write(folder.project, to: folder.package)
        let plain = try archive(folder)
        #expect(try archive(folder, threshold: threshold, countThreshold: countThreshold).byteCount > plain.byteCount)
        try DeliveredArchive.unpack(folder.archive, into: folder.unpacked)
        #expect(try ContentFolder.contents(of: folder.unpacked) == ContentFolder.contents(of: folder.project))
    }

    @Test("What is there is not replaced, what a crash left is, and a cancelled one leaves nothing")
    func places() throws {
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        try PackageWriter().write(folder.project, to: folder.package)
        _ = try archive(folder)
        var calls = 0
        var error = #expect(throws: ContentError.self) {
            try DeliveredArchive.unpack(
                folder.archive, into: folder.unpacked,
                work: ContentWork(isCancelled: {
                    calls += 1
                    return calls > 1
                }))
        }
        #expect(error?.code == .cancelled)
        #expect(try folder.names() == ["project", "made.pkg", "made.zip"])
        let draft = DeliveredArchive.draft(of: folder.unpacked)
        try FileManager.default.createDirectory(atPath: draft + "/Contents", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: draft + "/Contents/1.html", withDestinationPath: folder.archive)
        try DeliveredArchive.unpack(folder.archive, into: folder.unpacked)
        #expect(try ContentFolder.contents(of: folder.unpacked) == ContentFolder.contents(of: folder.project))
        error = #expect(throws: ContentError.self) {
            try DeliveredArchive.unpack(folder.archive, into: folder.unpacked)
        }
        #expect(error?.code == .occupied)
        #expect(try ContentFolder.contents(of: folder.unpacked) == ContentFolder.contents(of: folder.project))
        #expect(try folder.names() == ["project", "made.pkg", "made.zip", "unpacked"])
    }

    @Test("Progress rises to the whole")
    func progress() throws {
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        try PackageWriter().write(folder.project, to: folder.package)
        let manifest = try archive(folder)
        var steps: [Int64] = []
        let work = ContentWork(progress: { done, total in
            steps.append(done)
            #expect(total == manifest.unpackedBytes)
        })
        try DeliveredArchive.unpack(folder.archive, into: folder.unpacked, work: work)
        #expect(steps == steps.sorted())
        #expect(steps.last == manifest.unpackedBytes)
    }

    @Test("R6.2: Content of nearly 2 GB is packed, delivered and unpacked", .enabled(if: RandomizedRun.isSoak))
    func large() throws {
        let folder = try ContentFolder.sample()
        defer { folder.remove() }
        let bytes: Int64 = 1_990_000_000
        try folder.write("Contents/film.mp4", [1, 2, 3])
        // The end is a hole, which takes no room on the disk until it is packed.
        #expect(truncate(folder.project + "/Contents/film.mp4", off_t(bytes)) == 0)
        try PackageWriter().write(folder.project, to: folder.package)
        try folder.put([], at: folder.archive)
        let archive = try #require(FileHandle(forWritingAtPath: folder.archive))
        let manifest = try DeliveredArchive.write(from: folder.package) { try archive.write(contentsOf: $0) }
        #expect(manifest.chunkDigests.count == Int((manifest.byteCount + (1 << 20) - 1) >> 20) * 32)
        try DeliveredArchive.unpack(folder.archive, into: folder.unpacked)
        let film = try FileManager.default.attributesOfItem(atPath: folder.unpacked + "/Contents/film.mp4")
        #expect(film[.size] as? Int64 == bytes)
    }
}

import Foundation
import StoreDatabase
import StoreLog
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreCatalogue
@testable import StoreService

@Suite("Damaged blobs", .bounded) struct BlobScrubTests {
    /// Another value in the middle of a file.
    private static func damage(_ blob: BlobID, in blobs: FolderBlobStore) throws {
        let path = URL(fileURLWithPath: blobs.path(of: blob))
        var bytes = try Data(contentsOf: path)
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: path)
    }

    private static func scrub(
        _ scene: ContentScene, _ limits: BlobScrub.Limits = .init(), told: Observed<[LogEntry]> = Observed([])
    ) -> BlobScrub {
        BlobScrub(
            scene.catalogue, blobs: { [blobs = scene.blobs] in blobs }, limits: limits,
            log: Log(least: .error, time: { scene.now }, sink: { entry in told.update { $0.append(entry) } }))
    }

    private static func known(_ scene: ContentScene) async throws -> [BlobDamage] {
        try await scene.catalogue.read { try BlobDamage.known(limit: 10, in: $0) }
    }

    @Test(
        "X9: Damage is found, named once, not delivered, and forgotten once it is mended",
        arguments: StoreEngine.allCases)
    func found(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let scene = try await ContentScene(store)
            let archive = try #require(try await scene.push("1.0").archive)
            let content = try scene.blobs.content(of: archive.blob, bytes: archive.bytes)
            let told = Observed<[LogEntry]>([])
            let scrub = Self.scrub(scene, told: told)
            try await scrub.begin(at: scene.now)
            #expect(try await scrub.turn(at: scene.now) == scene.now + HostingLimits.scrubPause)
            #expect(try await Self.known(scene) == [])
            try Self.damage(archive.blob, in: scene.blobs)
            for _ in 0..<2 { _ = try await scrub.turn(at: scene.now) }
            let damage = BlobDamage(archive.blob, .damaged, uses: ["content 1.0 of com.example.app.chapter"])
            #expect(try await Self.known(scene) == [damage])
            #expect(scrub.count == 1 && told.value.map(\.event) == ["blob.damaged"])
            let refused = await #expect(throws: BlobError.self) {
                try await scene.catalogue.read { try BlobDamage.requireNone(of: archive.blob, in: $0) }
            }
            #expect(refused?.code == .damaged && refused?.message.contains(archive.blob.text) == true)
            // The same bytes once more mend it; the next start sees that.
            #expect(try scene.blobs.keep(content) == archive.blob)
            let restarted = Self.scrub(scene)
            try await restarted.begin(at: scene.now)
            #expect(try await Self.known(scene) == [] && restarted.count == 0)
            try scene.blobs.delete(archive.blob)
            _ = try await restarted.turn(at: scene.now)
            #expect(try await Self.known(scene).map(\.kind) == [.missing])
            // What nobody refers to any more is deleted and not missing.
            try await scene.catalogue.write { transaction in
                _ = try transaction.execute("UPDATE content_version SET archive = NULL")
            }
            _ = try await restarted.turn(at: scene.now)
            #expect(try await Self.known(scene) == [])
        }
    }

    @Test("X9: A blob that could not be sent is looked at, and is named with what uses it before its turn comes")
    func unsent() async throws {
        try await StoreEngine.memory.withStore { store in
            let scene = try await ContentScene(store)
            let archive = try #require(try await scene.push("1.0").archive)
            try Self.damage(archive.blob, in: scene.blobs)
            let told = Observed<[LogEntry]>([])
            let scrub = Self.scrub(scene, told: told)
            await scrub.look(after: BlobError(.full, "no room is left"), at: scene.now)
            #expect(scrub.count == 0)
            let unsent = #expect(throws: BlobError.self) {
                try scene.blobs.content(of: archive.blob, bytes: archive.bytes)
            }
            for _ in 0..<2 { await scrub.look(after: try #require(unsent), at: scene.now) }
            #expect(scrub.count == 1 && told.value.map(\.event) == ["blob.damaged"])
            #expect(try await Self.known(scene).map(\.uses) == [["content 1.0 of com.example.app.chapter"]])
        }
    }

    @Test("It reads so much in a turn, waits as long as that may take, and goes on after a restart where it stopped")
    func pace() async throws {
        try await StoreEngine.memory.withStore { store in
            let scene = try await ContentScene(store)
            let parts = try (0..<2).map { seed in
                try scene.blobs.keep([UInt8](repeating: UInt8(seed), count: 9 << 20))
            }.sorted()
            let content = try await scene.change {
                try ContentUploads.begin($0, digest: parts[0], bytes: 18 << 20, $1).content
            }
            for (number, part) in parts.enumerated() {
                try await scene.change {
                    try ContentUploads.note(number + 1, part, of: content, at: $1.at, in: $1.transaction)
                }
            }
            var limits = BlobScrub.Limits()
            limits.bytes = 8 << 20
            let scrub = Self.scrub(scene, limits)
            // 8 of 9 MB, then the rest of the first and 7 of the second.
            for _ in 0..<2 { #expect(try await scrub.turn(at: scene.now) == scene.now + .seconds(2)) }
            for part in parts { try Self.damage(part, in: scene.blobs) }
            let restarted = Self.scrub(scene, limits)
            #expect(try await restarted.turn(at: scene.now) == scene.now + .seconds(2))
            #expect(try await restarted.turn(at: scene.now) == scene.now + HostingLimits.scrubPause)
            #expect(try await Self.known(scene).map(\.blob) == [parts[1]])
        }
    }

    @Test("A package of which the store has lost a part asks its developer for it once more")
    func damagedPart() async throws {
        try await StoreEngine.memory.withStore { store in
            let scene = try await ContentScene(store)
            let package = try scene.package("1.0", "text")
            let number = try await scene.upload(package)
            try Self.damage(BlobID(of: package), in: scene.blobs)
            try await scene.processing.processAll()
            #expect(try await scene.content(number).findings.map(\.rule) == ["damaged"])
            let again = try await scene.upload(package)
            try await scene.processing.processAll()
            #expect(try await scene.content(again).state == .readyToSubmit)
        }
    }
}

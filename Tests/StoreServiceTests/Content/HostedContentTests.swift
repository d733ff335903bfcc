import Foundation
import StoreDatabase
import StoreModel
import StoreRules
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreCatalogue
@testable import StoreService

@Suite(.bounded) struct HostedContentTests {
    @Test("R6.4: a package is processed once, however often its turn comes", arguments: StoreEngine.allCases)
    func processing(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let scene = try await ContentScene(store)
            #expect(try await scene.state() == .waitingForUpload)
            let number = try await scene.upload(scene.package("1.0", "text"))
            #expect(try await scene.state() == .processingContent)
            let item = try ItemID(number: 7)
            async let one: Void = scene.processing.process(number, of: item)
            async let two: Void = scene.processing.process(number, of: item)
            _ = try await (one, two)
            let done = try await scene.content(number)
            #expect(done.state == .readyToSubmit)
            let archive = try #require(done.archive)
            #expect(try scene.blobs.byteCount(of: archive.blob) == archive.bytes)
            #expect(try await scene.state() == .readyToSubmit)
            let changes = try await scene.catalogue.read {
                try $0.value(
                    "SELECT count(*) FROM catalogue_audit WHERE action = 'content 1.0 processed'", as: Int.self)
            }
            #expect(changes == 1)
            // Nothing of it is left on the way.
            #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder + "/packages").isEmpty)
        }
    }

    @Test("R6.2: parts that together are another package are refused, and so is what would exceed the quota")
    func refusals() async throws {
        try await StoreEngine.memory.withStore { store in
            let scene = try await ContentScene(store)
            let package = try scene.package("1.0", "text")
            let digest = try BlobID(of: package)
            await #expect(throws: CatalogueError.self) {
                try await scene.change {
                    try ContentUploads.begin($0, digest: digest, bytes: 10_000, quota: 9_999, $1).isNew
                }
            }
            let content = try await scene.change {
                try ContentUploads.begin($0, digest: digest, bytes: Int64(package.count), $1).content
            }
            let other = try scene.blobs.keep([UInt8](repeating: 0, count: package.count))
            try await scene.change { try ContentUploads.note(1, other, of: content, at: $1.at, in: $1.transaction) }
            try await scene.change {
                try ContentUploads.complete(content.number, of: $0, delay: .zero, $1).number
            }
            try await scene.processing.processAll()
            let done = try await scene.content(content.number)
            #expect(done.state == .failed)
            #expect(done.findings.map(\.rule) == ["digest"])
        }
    }

    @Test(
        "R6.4: a version stays as long as somebody may ask for it, and its bytes an hour longer",
        arguments: StoreEngine.allCases)
    func replacement(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let scene = try await ContentScene(store)
            let first = try await scene.push("1.0")
            try await scene.approve()
            try await scene.push("1.1")
            try await scene.approve()
            let blob = try #require(first.archive?.blob)
            let promise = { @Sendable in
                try await store.sandbox.write { transaction in
                    _ = try transaction.execute(
                        """
                        INSERT INTO content_promise (transaction_id, item_id, number, promised_at, asked_at)
                        VALUES (2000000000000001, 7, 1, 0, 0)
                        """)
                }
            }
            try await promise()
            scene.pass(HostingLimits.grace + .seconds(1))
            _ = try await scene.upkeep.turn(at: scene.now)
            #expect(try await scene.content(1).state == .approved)
            try await store.sandbox.write { _ = try $0.execute("DELETE FROM content_promise") }
            _ = try await scene.upkeep.turn(at: scene.now)
            #expect(try await scene.content(1).state == .replaced)
            #expect(try await scene.content(2).state == .approved)
            #expect(try scene.blobs.byteCount(of: blob) != nil)
            scene.pass(BlobRemoval.delay)
            _ = try await scene.upkeep.turn(at: scene.now)
            #expect(try scene.blobs.byteCount(of: blob) == nil)
            let kept = try #require(try await scene.content(2).archive)
            #expect(try scene.blobs.byteCount(of: kept.blob) == kept.bytes)
        }
    }

    @Test("Blobs that nothing refers to are found, and one that is referred to again stays")
    func garbage() async throws {
        try await StoreEngine.memory.withStore { store in
            let scene = try await ContentScene(store)
            let (orphan, again) = (try scene.blobs.keep([1]), try scene.blobs.keep([2]))
            _ = try await scene.upkeep.turn(at: scene.now)
            scene.pass(BlobRemoval.delay)
            // Somebody refers to it just before it would go.
            let content = try await scene.change {
                try ContentUploads.begin($0, digest: again, bytes: 1, $1).content
            }
            try await scene.change { try ContentUploads.note(1, again, of: content, at: $1.at, in: $1.transaction) }
            _ = try await scene.upkeep.turn(at: scene.now)
            #expect(try scene.blobs.byteCount(of: orphan) == nil)
            #expect(try scene.blobs.byteCount(of: again) == 1)
            // The upload is given up, and its part with it.
            scene.pass(HostingLimits.uploadLife + .seconds(1))
            _ = try await scene.upkeep.turn(at: scene.now)
            #expect(try await scene.content(content.number).state == .withdrawn)
            scene.pass(BlobRemoval.delay)
            _ = try await scene.upkeep.turn(at: scene.now)
            #expect(try scene.blobs.byteCount(of: again) == nil)
        }
    }

    @Test(
        "A blob that is kept again is not swept before it is noted, and one that was swept meanwhile is asked for again"
    )
    func holding() async throws {
        try await StoreEngine.memory.withStore { store in
            let scene = try await ContentScene(store)
            let blob = try scene.blobs.keep([4])
            _ = try await scene.upkeep.turn(at: scene.now)
            scene.pass(BlobRemoval.delay)
            try await BlobRemoval.hold([blob], in: scene.blobs, of: store.catalogue, at: scene.now)
            _ = try await scene.upkeep.turn(at: scene.now)
            #expect(try scene.blobs.byteCount(of: blob) == 1)
            // A sweep was faster than whoever found the bytes there already.
            try scene.blobs.delete(blob)
            await #expect(throws: ServiceError.self) {
                try await BlobRemoval.hold([blob], in: scene.blobs, of: store.catalogue, at: scene.now)
            }
        }
    }

    @Test("The parts of a form that comes for hours are there when it ends")
    func longForm() async throws {
        try await StoreEngine.memory.withStore { store in
            let scene = try await ContentScene(store)
            var receiver = try ContentReceiver(scene.blobs, of: store.catalogue, wall: { scene.now })
            for number in 1...4 {
                try await receiver.add([UInt8](repeating: UInt8(number), count: HostingLimits.partBytes))
                _ = try await scene.upkeep.turn(at: scene.now)
                scene.pass(BlobRemoval.delay - .seconds(60))
            }
            let received = try await receiver.finish()
            _ = try await scene.upkeep.turn(at: scene.now)
            #expect(received.parts.count == 4)
            for part in received.parts { #expect(try scene.blobs.byteCount(of: part) != nil) }
        }
    }

    @Test("R6.4: the newest version is the highest one, also if its upload was begun before that of a lower one")
    func overtaken() async throws {
        try await StoreEngine.memory.withStore { store in
            let scene = try await ContentScene(store)
            try await scene.push("1.0")
            let slow = try scene.package("1.2", "slow")
            let digest = try BlobID(of: slow)
            let begun = try await scene.change {
                try ContentUploads.begin($0, digest: digest, bytes: Int64(slow.count), $1).content
            }
            #expect(try await scene.push("1.1").number == begun.number + 1)
            _ = try await scene.upload(slow)
            try await scene.processing.processAll()
            #expect(try await scene.content(begun.number).state == .readyToSubmit)
            for environment in StoreEnvironment.allCases {
                let newest = try await store.catalogue.read {
                    try HostedContent.newest(of: ItemID(number: 7), in: environment, $0)
                }
                #expect(newest?.version?.text == (environment == .sandbox ? "1.2" : nil))
            }
            try await scene.approve()
            #expect(try await scene.content(begun.number).state == .approved)
            scene.pass(HostingLimits.grace + .seconds(1))
            _ = try await scene.upkeep.turn(at: scene.now)
            #expect(try await scene.content(begun.number).state == .approved)
            #expect(try await scene.content(begun.number + 1).state == .replaced)
        }
    }

    @Test("A blob whose deletion has begun cannot be referred to until it is gone")
    func deletion() async throws {
        try await StoreEngine.memory.withStore { store in
            let scene = try await ContentScene(store)
            let blob = try scene.blobs.keep([3])
            try await store.catalogue.write { transaction in
                try BlobRemoval.mark(blob, at: CatalogueSample.now, in: transaction)
                _ = try transaction.execute("UPDATE blob_removal SET is_being_deleted = 1")
            }
            let content = try await scene.change {
                try ContentUploads.begin($0, digest: blob, bytes: 1, $1).content
            }
            await #expect(throws: ServiceError.self) {
                try await scene.change { try ContentUploads.note(1, blob, of: content, at: $1.at, in: $1.transaction) }
            }
            // A sweep goes on where a crash stopped another.
            #expect(try await BlobRemoval.sweep(scene.blobs, of: store.catalogue, at: CatalogueSample.now) == 1)
            #expect(try scene.blobs.keep([3]) == blob)
            try await scene.change { try ContentUploads.note(1, blob, of: content, at: $1.at, in: $1.transaction) }
        }
    }

    @Test("R6.3: a part that breaks off goes on behind its last byte, in the next process too")
    func brokenPart() async throws {
        struct Cut: Error {}
        try await StoreEngine.memory.withStore { store in
            let scene = try await ContentScene(store)
            let package = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 >> 3) }
            let upload = try await scene.begin(package)
            #expect(upload.begun == [:])
            var arriving = [Array(package[..<300_000])]
            await #expect(throws: Cut.self) {
                try await scene.take(package, of: upload) {
                    guard let piece = arriving.popLast() else { throw Cut() }
                    return piece
                }
            }
            // Opening the blobs again is what the next process does.
            _ = try FolderBlobStore(folder: scene.folder + "/blobs")
            let again = try await scene.begin(package)
            #expect(again.content.number == upload.content.number && again.begun == [1: 300_000])
            await #expect(throws: CatalogueError.self) {
                try await scene.take(package, from: 300_001, of: upload) { nil }
            }
            var rest = [Array(package[300_000...])]
            try await scene.take(package, from: 300_000, of: upload) { rest.popLast() }
            let whole = try await scene.begin(package)
            #expect(whole.received == [1] && whole.begun == [:])
            #expect(try scene.blobs.byteCount(of: BlobID(of: package)) == 700_000)
        }
    }

    @Test("R6.3: a part whose bytes are wrong is begun anew, and what is left of an upload goes with it")
    func wrongPart() async throws {
        try await StoreEngine.memory.withStore { store in
            let scene = try await ContentScene(store)
            let package = [UInt8](repeating: 7, count: 1000)
            let upload = try await scene.begin(package)
            var wrong = [[UInt8](repeating: 8, count: 1000)]
            await #expect(throws: CatalogueError.self) {
                try await scene.take(package, of: upload) { wrong.popLast() }
            }
            #expect(try await scene.begin(package).begun == [:])
            var half = [Array(package[..<500])]
            await #expect(throws: CatalogueError.self) {
                try await scene.take(package, of: upload) { half.popLast() }
            }
            _ = try await scene.upkeep.turn(at: scene.now)
            #expect(try await scene.begin(package).begun == [1: 500])
            try await scene.editing.abandonUpload(upload.content.number, of: scene.path)
            _ = try await scene.upkeep.turn(at: scene.now)
            #expect(try FileManager.default.contentsOfDirectory(atPath: scene.blobs.drafts + "/parts") == [])
        }
    }

    @Test("R6.2: a part that the disk has no room for leaves nothing on it, and an upload that is given up neither")
    func fullDisk() async throws {
        try await StoreEngine.memory.withStore { store in
            let scene = try await ContentScene(store)
            let package = [UInt8](repeating: 7, count: 1000)
            let upload = try await scene.begin(package)
            let parts = { try FileManager.default.contentsOfDirectory(atPath: scene.blobs.drafts + "/parts") }
            func bringHalf() async {
                var half = [Array(package[..<500])]
                await #expect(throws: CatalogueError.self) {
                    try await scene.take(package, of: upload) { half.popLast() }
                }
            }
            await bringHalf()
            #expect(try parts().count == 1)
            var limits = BlobLimits()
            limits.bytesLeftFree = .max / 2
            let full = try FolderBlobStore(folder: scene.folder + "/blobs", limits: limits)
            let coming = try ComingPart(digest: DigestAlgorithm.sha256.digest(package))
            let error = await #expect(throws: BlobError.self) {
                try await scene.editing.takePart(1, coming, of: upload.content.number, scene.path, in: full) { package }
            }
            #expect(error?.code == .full)
            #expect(try parts() == [])
            await bringHalf()
            #expect(try parts().count == 1)
            try await scene.editing.abandonUpload(upload.content.number, of: scene.path, in: scene.blobs)
            #expect(try parts() == [])
        }
    }

    @Test("R6.1: hosting that is switched off and on begins anew, and a version that was only withdrawn stays used up")
    func switchedOff() async throws {
        try await StoreEngine.memory.withStore { store in
            let scene = try await ContentScene(store)
            _ = try await (scene.push("1.0"), scene.push("1.1"))
            try await scene.change { try HostedContent.withdraw(2, of: $0, $1) }
            #expect(try await scene.push("1.1", "again").state == .failed)
            for isHosted in [false, true] { try await scene.change { try Catalogue.setHosting(isHosted, of: $0, $1) } }
            #expect(try await scene.content(1).state == .unhosted)
            #expect(try await scene.push("1.0", "anew").state == .readyToSubmit)
            #expect(try await scene.push("1.0", "once more").findings.map(\.rule) == ["version_not_raised"])
        }
    }

    @Test("R6.6: an address of content that was changed anywhere is no address")
    func tickets() async throws {
        try await StoreEngine.memory.withStore { store in
            let secret = PageSecret(store.sandbox, random: RandomBytes())
            let ticket = ContentTicket(
                transaction: try TransactionID(number: 2_000_000_000_000_001), device: try DeviceID(number: 3),
                item: try ItemID(number: 7), number: 2, expiresAt: CatalogueSample.now)
            let text = try await ticket.text(by: secret)
            #expect(try await ContentTicket(text, by: secret) == ticket)
            var random = RandomizedRun.generator(named: "content tickets")
            let letters = Array("ABCDEFabcdef0123456789-_=/.~")
            for _ in 0..<RandomizedRun.cases(500) {
                var characters = Array(text)
                let place = Int(random.next() % UInt64(characters.count))
                switch random.next() % 3 {
                case 0: characters[place] = letters[Int(random.next() % UInt64(letters.count))]
                case 1: characters.remove(at: place)
                default: characters.insert(letters[Int(random.next() % UInt64(letters.count))], at: place)
                }
                guard String(characters) != text else { continue }
                let read = try await ContentTicket(String(characters), by: secret)
                // The last letter of Base64 has bits that say nothing.
                #expect(read == nil || read == ticket && characters.dropLast().elementsEqual(text.dropLast()))
            }
            #expect(try await ContentTicket(text, by: PageSecret(store.production, random: RandomBytes())) == nil)
        }
    }
}

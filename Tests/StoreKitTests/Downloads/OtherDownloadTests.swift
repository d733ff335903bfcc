import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// Content in restores, in simulators, in several processes, and from stores that have none.
@Suite("Downloads elsewhere", .bounded, .serialized)
struct OtherDownloadTests {
    private static let package = try? HostedPackage(SessionStore.jungle, length: 300_000)

    private func package() throws -> HostedPackage { try #require(Self.package) }

    @Test(
        "R3.5, R6.4: a restore brings the newest version and starts nothing; what is owned is one record, what came another"
    )
    func restore() async throws {
        let (old, new) = (try package(), try HostedPackage(SessionStore.jungle, "1.1", length: 100_000, seed: 2))
        try await DownloadScene.with(old) { scene in
            try await scene.withSession { app in
                app.session.ask(.start, of: [try await app.buyContent()])
                #expect(try await app.untilEnded().state == .finished)
                app.session.finish(try app.last(.purchased).key)
                try await app.untilFinishesAreTold()
                try await scene.store.host(new)
                // Nobody tells the app of the new version, and asking for products does.
                let product = try #require(try await app.session.products(for: [SessionStore.jungle]).products.first)
                #expect(product.contentVersion == "1.1")
                let before = scene.proxy.bytes
                app.session.restore(applicationUsername: nil)
                try await app.until("restore finished")
                let restored = try #require(try app.last(.restored).download)
                #expect(restored.state == .waiting && restored.content.version == "1.1")
                try await app.session.catchUp()
                #expect(scene.proxy.bytes == before)
                #expect(try app.session.journal.downloads().allSatisfy { $0.isOver })
                app.session.ask(.start, of: [restored])
                try await app.until { told in
                    told.contains { news in
                        guard case .downloads(let entries) = news else { return false }
                        return entries.contains { $0.content.version == "1.1" && $0.state == .finished }
                    }
                }
                #expect(try new.isIn(app.session.contentFolder(of: SessionStore.jungle)))
            }
        }
    }

    @Test("R8.5: in a simulator transactions have no downloads, and the developer is told so once")
    func simulator() async throws {
        try await DownloadScene.with(try package()) { scene in
            let usual = try await scene.withSession { app in try await app.buyContent() }
            #expect(usual.state == .waiting)
            scene.bench.preferences.set(DevicePreferences(isSimulator: true))
            try await scene.withSession { app in
                app.attach()
                #expect(app.session.entries.map(\.download) == [nil])
                app.detach()
                app.attach()
            }
            #expect(scene.bench.log.lines.count { $0.contains("no hosted content") } == 1)
        }
    }

    @Test("A second process of the app sees how the download comes, and pauses it where it is fetched")
    func processes() async throws {
        let package = try package()
        let isFree = Shared(false)
        let plan: CuttingProxy.Plan = { number, _ in isFree.value ? nil : number < 2 ? 64 << 10 : 1 }
        try await DownloadScene.with(package, plan: plan) { scene in
            try await scene.withSession { first in
                let download = try await first.buyContent()
                try await scene.withSession { second in
                    second.session.ask(.start, of: [download])
                    // The first one has the lease, and fetches what the second has asked for.
                    try await first.untilReceived(64 << 10)
                    try await second.session.journal.until {
                        try $0.download(of: download.transaction)?.received ?? 0 > 0
                    }
                    second.session.ask(.pause, of: [download])
                    try await first.until(.paused)
                    #expect(try second.session.journal.download(of: download.transaction)?.state == .paused)
                    isFree.set(true)
                    second.session.ask(.resume, of: [download])
                    #expect(try await first.untilEnded().state == .finished)
                    #expect(try package.isIn(second.session.contentFolder(of: SessionStore.jungle)))
                }
            }
        }
    }

    @Test("A store of before hosted content sells as ever, and what cannot be asked comes with the next delivery")
    func otherStores() async throws {
        for isOld in [true, false] {
            try await DownloadScene.with(try package()) { scene in
                let asked = Shared(0)
                let connection = SteeredConnection(scene.bench.connection) { request, store throws(ConnectionError) in
                    guard request.path == "/contents" else { return try await store.send(request) }
                    asked.set(asked.value + 1)
                    if isOld { throw ConnectionError(StoreAnswer(status: 404)) }
                    // More often than one delivery tries.
                    guard asked.value > SessionLimits.attempts + 1 else { throw .lost }
                    return try await store.send(request)
                }
                try await scene.withSession({ $0.connection = connection }) { app in
                    app.attach()
                    app.buy(SessionStore.jungle)
                    try await app.untilDecided()
                    let download = try app.last(.purchased).download
                    #expect((download == nil) == isOld)
                    #expect(isOld || asked.value > SessionLimits.attempts + 1)
                }
            }
        }
    }

    @Test("Deleted content is gone, and comes again while its transaction is unfinished")
    func deleted() async throws {
        let package = try package()
        try await DownloadScene.with(package) { scene in
            try await scene.withSession { app in
                let download = try await app.buyContent()
                app.session.ask(.start, of: [download])
                let folder = try #require(try await app.untilEnded().location)
                app.session.deleteContent(of: SessionStore.jungle)
                #expect(!FileManager.default.fileExists(atPath: folder.path))
                #expect(app.session.contentFolder(of: SessionStore.jungle) == nil)
                #expect(app.downloads.last?.state == .waiting)
                app.session.ask(.start, of: [download])
                try await app.until(.finished)
                #expect(try package.isIn(app.downloads.last?.location))
            }
            // Whoever removes caches by hand has the same effect at the next launch.
            try await scene.withSession { app in
                let folder = try #require(app.session.contentFolder(of: SessionStore.jungle))
                try FileManager.default.removeItem(at: folder)
            }
            try await scene.withSession { app in
                app.attach()
                #expect(app.session.entries.first?.download?.state == .waiting)
            }
        }
    }
}

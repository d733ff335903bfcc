import ContentPackage
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// Content from a store over a line that breaks, into the caches of an app that ends in the middle.
@Suite("Downloads from a store", .bounded, .serialized)
struct WholeDownloadTests {
    /// How many bytes the content has: as many as the rows want in a soak.
    private static let length = RandomizedRun.isSoak ? 8 << 20 : 2 << 20
    private static let boundary = 64 << 10

    private static let package = try? HostedPackage(SessionStore.jungle, length: length)
    private static let small = try? HostedPackage(SessionStore.jungle, length: 300_000)

    private func package() throws -> HostedPackage { try #require(Self.package) }
    private func small() throws -> HostedPackage { try #require(Self.small) }

    @Test(
        "R6.5, R6.6: content is known when it is bought, comes when the app starts it, and lies unpacked in its caches")
    func plain() async throws {
        let package = try small()
        try await DownloadScene.with(package) { scene in
            try await scene.withSession { app in
                let products = try await app.session.products(for: [SessionStore.jungle, SessionStore.credits]).products
                let jungle = try #require(products.first { $0.identifier == SessionStore.jungle })
                #expect(jungle.contentVersion == "1.0" && jungle.contentLengths == [Int64(package.archive.count)])
                #expect(products.first { $0.identifier == SessionStore.credits }?.contentLengths == [])

                let download = try await app.buyContent()
                #expect(download.state == .waiting && download.content.length == Int64(package.archive.count))
                #expect(download.content.version == "1.0" && download.product == SessionStore.jungle)
                // Nothing starts by itself, and nothing is told before the start.
                try await app.session.catchUp()
                #expect(app.downloads == [] && scene.proxy.answers == 0)

                app.session.ask(.start, of: [download])
                try await app.until(.finished)
                let states = app.downloads.map(\.state)
                #expect(states.first == .queued && states.contains(.active) && states.last == .finished)
                #expect(states.count { $0 == .finished } == 1)
                #expect(app.downloads.allSatisfy { ($0.location != nil) == ($0.state == .finished) })
                let folder = try #require(app.downloads.last?.location)
                #expect(try package.isIn(folder))
                #expect(folder.path.contains("/Caches/StoreKit/Downloads/"))
                #expect(BackupExclusion.isMarked(folder.deletingLastPathComponent()))
                #expect(app.session.contentFolder(of: SessionStore.jungle) == folder)
                #expect(scene.proxy.bytes == package.archive.count)
                // A start of what is there is answered, and fetches nothing.
                app.session.ask(.start, of: [download])
                #expect(app.downloads.last?.state == .finished && app.downloads.count == states.count + 1)
                #expect(scene.proxy.bytes == package.archive.count)
            }
        }
    }

    @Test("R6.7: over a line that breaks at every 64 KiB the bytes come once, also if the app ends again and again")
    func boundaries() async throws {
        let package = try package()
        let plan: CuttingProxy.Plan = { _, start in Self.boundary - start % Self.boundary }
        try await DownloadScene.with(package, plan: plan) { scene in
            try await scene.withSession { app in
                app.session.ask(.start, of: [try await app.buyContent()])
                try await app.untilReceived(2 * Self.boundary)
            }
            // Each launch goes on by itself, once the app watches the queue.
            for launch in 2...5 {
                try await scene.withSession { app in
                    app.attach()
                    try await app.untilReceived(launch * 4 * Self.boundary)
                }
            }
            try await expectFinished(package, scene)
        }
    }

    @Test("R6.7: the same where it breaks anywhere")
    func anywhere() async throws {
        let package = try package()
        for round in 0..<RandomizedRun.cases(1) {
            let random = Shared(RandomizedRun.generator(named: "cuts of content \(round)"))
            let plan: CuttingProxy.Plan = { _, _ in
                var next = random.value
                defer { random.set(next) }
                return Int.random(in: 1...(200 << 10), using: &next)
            }
            try await DownloadScene.with(package, plan: plan) { scene in
                try await scene.withSession { app in
                    app.session.ask(.start, of: [try await app.buyContent()])
                    try await app.untilReceived(5 * Self.boundary)
                }
                try await expectFinished(package, scene)
            }
        }
    }

    private func expectFinished(_ package: HostedPackage, _ scene: DownloadScene) async throws {
        let folder = try await scene.withSession { app in
            app.attach()
            try await app.session.journal.until { try $0.downloads().first?.state == .finished }
            return app.session.contentFolder(of: SessionStore.jungle)
        }
        #expect(try package.isIn(folder), "TILL_SEED=\(RandomizedRun.seed)")
        #expect(scene.proxy.bytes * 10 <= package.archive.count * 11, "TILL_SEED=\(RandomizedRun.seed)")
        #expect(scene.proxy.answers > package.archive.count / (200 << 10))
    }

    @Test("R6.7: a pause holds beyond the end of the app, and a resume goes on where it was")
    func paused() async throws {
        let package = try package()
        // The line hardly moves until the pause is over.
        let isFree = Shared(false)
        let plan: CuttingProxy.Plan = { number, _ in isFree.value ? nil : number < 3 ? 64 << 10 : 1 }
        try await DownloadScene.with(package, plan: plan) { scene in
            try await scene.withSession { app in
                app.session.ask(.start, of: [try await app.buyContent()])
                try await app.untilReceived(2 * Self.boundary)
                app.session.ask(.pause, of: app.downloads)
                try await app.until(.paused)
            }
            isFree.set(true)
            let before = try await scene.withSession { app -> Int in
                app.attach()
                try await app.session.catchUp()
                let entry = try #require(app.session.entries.first?.download)
                #expect(entry.state == .paused && entry.received > 0)
                #expect(app.downloads == [])
                let before = scene.proxy.bytes
                app.session.ask(.resume, of: [entry])
                try await app.until(.finished)
                return before
            }
            #expect(before > 0 && scene.proxy.bytes * 10 <= package.archive.count * 11)
        }
    }

    @Test("R6.7: what was cancelled leaves nothing, and comes from the beginning when it is started again")
    func cancelled() async throws {
        let package = try package()
        let isFree = Shared(false)
        let plan: CuttingProxy.Plan = { _, _ in isFree.value ? nil : 64 << 10 }
        try await DownloadScene.with(package, plan: plan) { scene in
            try await scene.withSession { app in
                let download = try await app.buyContent()
                app.session.ask(.start, of: [download])
                try await app.untilReceived(2 * Self.boundary)
                app.session.ask(.cancel, of: [download])
                try await app.until(.cancelled)
                try await app.session.journal.until { try $0.download(of: download.transaction)?.received == 0 }
                #expect(app.session.contents.bytesThere(of: download) == 0)
                isFree.set(true)
                app.session.ask(.start, of: [download])
                try await app.until(.finished)
                #expect(try package.isIn(app.downloads.last?.location))
            }
        }
    }

    @Test("R6.8: an early finish cancels the download, and a later one lets the content go")
    func finishing() async throws {
        let package = try package()
        let plan: CuttingProxy.Plan = { _, _ in 64 << 10 }
        try await DownloadScene.with(package, plan: plan) { scene in
            try await scene.withSession { app in
                app.session.ask(.start, of: [try await app.buyContent()])
                try await app.untilReceived(2 * Self.boundary)
                app.session.finish(try app.last(.purchased).key)
                let words = app.words.filter { $0.hasPrefix("download cancelled") || $0 == "removed" }
                // The app hears of the download while it still knows the transaction.
                #expect(words == ["download cancelled jungle", "removed"])
                try await app.session.journal.until { try $0.downloads().isEmpty }
                #expect(try files(app).isEmpty)
            }
        }
        for purgesAtOnce in [true, false] {
            try await DownloadScene.with(try small()) { scene in
                try await scene.withSession({ $0.purgesAtOnce = purgesAtOnce }) { app in
                    app.session.ask(.start, of: [try await app.buyContent()])
                    try await app.until(.finished)
                    app.session.finish(try app.last(.purchased).key)
                    try await app.untilFinishesAreTold()
                    if purgesAtOnce { try await app.session.journal.until { try $0.downloads().isEmpty } }
                    #expect(try files(app).isEmpty == purgesAtOnce)
                }
                // The next launch removes what the last one left.
                try await scene.withSession { app in
                    app.attach()
                    try await app.session.journal.until { try $0.downloads().isEmpty }
                    #expect(try files(app).isEmpty)
                }
            }
        }
    }

    /// What lies among the downloads, but for the mark of the folder.
    private func files(_ app: SessionClient) throws -> [String] {
        let path = app.session.contents.path
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path).filter { $0 != BackupExclusion.tagName }
    }

    @Test("A chunk that comes damaged is fetched again alone; one that is never right fails the download as damaged")
    func damaged() async throws {
        let package = try package()
        let chunk = ContentManifest.chunkLength
        for times in [1, 2, 100] {
            let starts = Shared<[Int]>([])
            let plan: CuttingProxy.Plan = { _, start in
                starts.set(starts.value + [start])
                return nil
            }
            try await DownloadScene.with(package, plan: plan) { scene in
                scene.proxy.damage(at: 1_500_000, times: times)
                try await scene.withSession { app in
                    app.session.ask(.start, of: [try await app.buyContent()])
                    let last = try await app.untilEnded()
                    guard times < 100 else {
                        #expect(last.state == .failed && last.failure?.reason == "content_damaged")
                        return
                    }
                    #expect(try package.isIn(last.location))
                    // How much of what is not wanted is on its way by then says nothing: what is asked for counts.
                    #expect(starts.value.count { $0 < chunk } == 1 && starts.value.count { $0 == chunk } == times)
                }
            }
        }
    }
}

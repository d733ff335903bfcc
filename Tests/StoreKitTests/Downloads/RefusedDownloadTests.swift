import Foundation
import StoreFoundation
import StoreHTTPClient
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// What keeps content from an app, and what the app is told of it.
@Suite("Downloads that cannot be had", .bounded, .serialized)
struct RefusedDownloadTests {
    private static let package = try? HostedPackage(SessionStore.jungle, length: 400_000)

    private func package() throws -> HostedPackage { try #require(Self.package) }

    /// A device whose addresses of content can be taken from it, and whose archives come in small ranges.
    private func withSteered(
        _ package: HostedPackage, archive: [UInt8]? = nil,
        _ change: @escaping (inout SessionSettings) -> Void = { _ in },
        _ body: (DownloadScene, SessionClient, Steering) async throws -> Void
    ) async throws {
        let plan: CuttingProxy.Plan = { _, _ in 64 << 10 }
        try await DownloadScene.with(package, archive: archive, plan: plan) { scene in
            let steering = Steering(scene.bench.connection)
            try await scene.withSession({ settings in
                settings.connection = steering
                change(&settings)
            }) { app in try await body(scene, app, steering) }
        }
    }

    @Test("R6.6: a refund and a sign-out end a running download at its next range, with the store's reason")
    func lost() async throws {
        let ends: [(DownloadScene, SessionClient) async throws -> Void] = [
            { scene, app in
                let id = try #require(app.last(.purchased).bought?.id)
                _ = try await scene.store.control("POST", "/transactions/\(id)/refund", [:])
            },
            { scene, app in
                // Another device of the person has signed this one out.
                try await scene.store.signOutDevices()
            },
        ]
        for (number, end) in ends.enumerated() {
            let package = try package()
            try await withSteered(package) { scene, app, steering in
                steering.hold(at: 128 << 10)
                app.session.ask(.start, of: [try await app.buyContent()])
                try await steering.untilHeld()
                try await end(scene, app)
                steering.release()
                let last = try await app.untilEnded()
                #expect([.failed, .cancelled].contains(last.state), "\(number)")
                if number == 0 {
                    #expect(last.failure?.reason == "content_refused" && last.state == .failed)
                }
                #expect(last.location == nil && scene.proxy.bytes < package.archive.count)
            }
        }
    }

    @Test("An address that has ended is no failure: the download asks for another and goes on where it was")
    func expired() async throws {
        let package = try package()
        try await withSteered(package) { scene, app, steering in
            steering.hold(at: 128 << 10)
            app.session.ask(.start, of: [try await app.buyContent()])
            try await steering.untilHeld()
            // Longer than any address is good, and shorter than the token of the device.
            scene.store.time.pass(.seconds(3600))
            steering.release()
            let last = try await app.untilEnded()
            #expect(last.state == .finished, "\(String(describing: last.failure))")
            #expect(try package.isIn(last.location))
            #expect(steering.links == 2 && scene.proxy.bytes * 10 <= package.archive.count * 11)
        }
    }

    @Test("R6.4: a version that is gone when the download begins gives way to the newest")
    func gone() async throws {
        let (old, new) = (try package(), try HostedPackage(SessionStore.jungle, "1.1", length: 200_000, seed: 2))
        try await withSteered(old) { scene, app, _ in
            let download = try await app.buyContent()
            #expect(download.content.version == "1.0")
            try await scene.store.host(new)
            try await scene.store.remove(old)
            app.session.ask(.start, of: [download])
            let last = try await app.untilEnded()
            #expect(last.state == .finished && last.content.version == "1.1")
            #expect(last.content.length == Int64(new.archive.count))
            #expect(try new.isIn(last.location))
        }
    }

    @Test("P32: a network that stays away fails the download by a deadline, and a start then goes on where it was")
    func unreachable() async throws {
        let package = try package()
        try await withSteered(package) { scene, app, steering in
            let download = try await app.buyContent()
            steering.isCut.set(true)
            app.session.ask(.start, of: [download])
            let failed = try await app.untilEnded()
            #expect(failed.state == .failed && failed.failure?.reason == "cut" && failed.failure?.code == 0)
            steering.isCut.set(false)
            app.forget()
            app.session.ask(.start, of: [download])
            #expect(try await app.untilEnded().state == .finished)
        }
    }

    @Test("A disk without room says so before anything comes, and once there is room the download goes on")
    func full() async throws {
        let package = try package()
        let free = Shared<Int64>(1_000_000)
        let change: (inout SessionSettings) -> Void = { $0.freeBytes = { _ in free.value } }
        try await withSteered(package, change) { scene, app, _ in
            let download = try await app.buyContent()
            app.session.ask(.start, of: [download])
            let failed = try await app.untilEnded()
            #expect(failed.state == .failed && failed.failure?.reason == "disk_full")
            #expect(scene.proxy.bytes == 0)
            free.set(.max)
            app.forget()
            app.session.ask(.start, of: [download])
            #expect(try await app.untilEnded().state == .finished)
        }
    }

    @Test("A disk that gets full while content is unpacked says so, and what came need not come again")
    func fullWhileUnpacking() async throws {
        let package = try package()
        let isFull = Shared(true)
        let unpack: ContentUnpacking = { archive, folder, entry, manifest in
            if isFull.value { throw FileFailure("writing", folder, ENOSPC) }
            try ContentFolder.unpackDelivered(archive, folder, entry, manifest)
        }
        let change: (inout SessionSettings) -> Void = { $0.unpack = unpack }
        try await withSteered(package, change) { scene, app, steering in
            let download = try await app.buyContent()
            app.session.ask(.start, of: [download])
            #expect(try await app.untilEnded().failure?.reason == "disk_full")
            // All of it is there, and the folder is not.
            #expect(app.downloads.last?.received == Int64(package.archive.count))
            #expect(app.downloads.allSatisfy { $0.location == nil })
            isFull.set(false)
            app.forget()
            app.session.ask(.start, of: [download])
            #expect(try await app.untilEnded().state == .finished)
            #expect(scene.proxy.bytes * 10 <= package.archive.count * 11 && steering.links == 1)
        }
    }

    @Test(
        "An archive that is truncated, is none, or leads out of its folder is refused here, whatever the store thought of it"
    )
    func hostile() async throws {
        let package = try package()
        let slipping = Self.replacing("Contents/chapter.txt", by: "../../../escaped.txt", in: package.archive)
        #expect(slipping.count == package.archive.count && slipping != package.archive)
        let hostile = [
            ("truncated", Array(package.archive.dropLast(1000))), ("no archive", [UInt8](repeating: 7, count: 5000)),
            ("slipping", slipping),
        ]
        for (name, archive) in hostile {
            try await withSteered(package, archive: archive) { _, app, _ in
                app.session.ask(.start, of: [try await app.buyContent()])
                let last = try await app.untilEnded()
                #expect(last.state == .failed && last.failure?.reason == "content_unusable", "\(name)")
                let path = app.session.contents.path
                let left = try FileManager.default.contentsOfDirectory(atPath: path)
                #expect(left == [BackupExclusion.tagName], "\(name): \(left)")
            }
        }
    }

    private static func replacing(_ path: String, by other: String, in bytes: [UInt8]) -> [UInt8] {
        var (bytes, place) = (bytes, 0)
        let (old, new) = (Array(path.utf8), Array(other.utf8))
        while place + old.count <= bytes.count {
            if bytes[place] == old[0], bytes[place..<(place + old.count)].elementsEqual(old) {
                bytes.replaceSubrange(place..<(place + old.count), with: new)
            }
            place += 1
        }
        return bytes
    }
}

/// Stops the content of a device at a place, and cuts its network.
private final class Steering: StoreConnection {
    let isCut = Shared(false)
    private let inner: any StoreConnection
    private let gate = Gate()
    private let held = Observed(false)
    private let place = Shared<Int?>(nil)
    private let linked = Shared(0)

    init(_ inner: any StoreConnection) { self.inner = inner }

    /// How many addresses the store gave.
    var links: Int { linked.value }

    /// Lets the download ask for its next range only after ``release()``, once so much has come.
    func hold(at count: Int) { place.set(count) }
    func untilHeld() async throws { try await held.wait { $0 } }
    func release() {
        place.set(nil)
        gate.open()
    }

    func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
        let isContent = request.path.hasSuffix("/content")
        if isCut.value, isContent { throw .lost }
        let answer = try await inner.send(request)
        if isContent, answer.status == 201 { linked.set(linked.value + 1) }
        return answer
    }

    func fetch(_ order: ContentOrder) async throws(DownloadError) {
        var order = order
        let wait = order.policy.wait
        let received = Shared(0)
        let progress = order.progress
        order.progress = { count in
            received.set(count)
            progress(count)
        }
        // The line breaks at every 64 KiB, so that there is a pause after which a range is asked for.
        order.policy.wait = { [place, held, gate] duration in
            if let place = place.value, received.value >= place {
                held.update { $0 = true }
                await gate.pass()
            }
            try await wait(duration)
        }
        try await inner.fetch(order)
    }
}

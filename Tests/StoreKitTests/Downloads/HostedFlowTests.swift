import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// What happens when a product with hosted content is bought and loaded, as the reference document tells it.
@Suite("The nine sentences about hosted content", .bounded)
struct HostedFlowTests {
    private static let package = try? HostedPackage(SessionStore.jungle, length: 300_000)

    @Test("R5.8, R6.5, R6.6, R6.9: Each sentence of the document holds, and in its order")
    func sentences() async throws {
        let package = try #require(Self.package)
        try await DownloadScene.with(package) { scene in
            try await scene.withSession { app in
                // 1. The product was made with hosted content, uploaded and approved, and is then available for purchase.
                let products = try await app.session.products(for: [SessionStore.jungle]).products
                #expect(products.map(\.contentVersion) == ["1.0"])

                // 2. When a user buys it, a transaction is placed on the payment queue.
                app.attach()
                let key = app.buy(SessionStore.jungle)
                #expect(app.session.entries.map(\.state) == [.purchasing])

                // 3. The request is forwarded to the store. 4. There the transaction is completed, and a receipt comes back with
                // what can be downloaded, and how large it is.
                try await app.untilDecided()
                let bought = try app.last(.purchased)
                #expect(bought.key == key || bought.bought != nil)
                #expect(bought.bought?.receipt?.isEmpty == false)
                let download = try #require(bought.download)
                #expect(download.content.length == Int64(package.archive.count))

                // 5. The code checks whether there is something to download, and asks for it, on the queue too.
                #expect(download.state == .waiting && app.downloads == [])
                app.session.ask(.start, of: [download])

                // 6. The store gives the file to StoreKit, which tells the progress.
                try await app.until(.finished)
                let received = app.downloads.map(\.received)
                #expect(received == received.sorted() && app.downloads.contains { $0.state == .active })

                // 7. When it is complete, the code is told, with a place in the caches.
                let place = try #require(app.downloads.last?.location)
                #expect(place.path.contains("/Caches/"))
                #expect(try package.isIn(place))

                try await keepAndFinish(bought, place, package, scene, app)
            }
        }
    }

    /// The last two sentences: what is kept before the end of the transaction outlives it.
    private func keepAndFinish(
        _ bought: QueueEntry, _ place: URL, _ package: HostedPackage, _ scene: DownloadScene, _ app: SessionClient
    ) async throws {
        // 8. The code copies the files and remembers that the product was bought. No backup needs them.
        let documents = scene.bench.folder.appendingPathComponent("Documents")
        let library = try ContentLibrary(at: documents)
        let kept = try library.save(
            place.appendingPathComponent("Contents"), as: "1.0", of: SessionStore.jungle)
        #expect(BackupExclusion.isMarked(documents))
        #expect(app.session.entries.map(\.state) == [.purchased])

        // 9. It finishes the transaction, which removes it from the queue. The files in the caches may go then.
        app.session.finish(bought.key)
        try await app.until("removed")
        #expect(app.session.entries.isEmpty)
        let text = try Data(contentsOf: kept.appendingPathComponent("chapter.txt"))
        #expect(Array(text) == package.files["chapter.txt"])
    }
}

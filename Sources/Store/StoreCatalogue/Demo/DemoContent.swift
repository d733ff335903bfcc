import ContentPackage
import Foundation
package import StoreDatabase
import StoreFoundation
package import StoreLog
package import StoreModel
import StoreRules

/// The content of the demo: two chapters of a book, each a text and the picture of its product.
///
/// It comes in as everybody's does, as a package that is uploaded, processed and approved, so that what the sample
/// BookChapters loads is what any app would.
package struct DemoContent: Sendable {
    private let catalogue: any Database
    private let blobs: any BlobStore
    private let folder: String
    private let wall: @Sendable () -> Instant
    private let log: Log

    /// - Parameter folder: where packages are put together.
    package init(
        _ catalogue: any Database, blobs: any BlobStore, folder: String, wall: @escaping @Sendable () -> Instant,
        log: Log
    ) {
        self.catalogue = catalogue
        self.blobs = blobs
        self.folder = folder
        self.wall = wall
        self.log = log
    }

    /// Gives the products of the demo that wait for their first content what they wait for.
    package func enter(_ apps: [DemoApp] = DemoApp.all) async throws {
        for app in apps {
            for product in app.products {
                guard let chapter = product.chapter else { continue }
                try await enter(chapter, as: app.id(of: product), of: BundleID(parsing: app.bundleID))
            }
        }
    }

    private func enter(_ chapter: String, as id: ProductID, of bundle: BundleID) async throws {
        let found = try await catalogue.read { transaction -> CatalogueProduct? in
            guard let app = try Catalogue.app(bundle, in: transaction),
                let product = try Catalogue.product(id, of: app.id, in: transaction), product.hostsContent,
                try HostedContent.list(of: product.itemID, in: transaction).isEmpty
            else { return nil }
            return product
        }
        guard let found else { return }
        let (blobs, folder, picture) = (blobs, folder, try DemoCatalogue.pictures[id])
        let (digest, bytes) = try await OwnThread.run(named: "content") { () throws -> (BlobID, Int64) in
            let package = try Self.package(chapter, picture, of: id, in: folder)
            return (try blobs.keep(package), Int64(package.count))
        }
        let cause = CatalogueCause(.store, at: wall())
        let number = try await catalogue.write { transaction in
            let content = try ContentUploads.begin(found, digest: digest, bytes: bytes, cause.change(in: transaction))
                .content
            try ContentUploads.note(1, digest, of: content, at: cause.at, in: transaction)
            return try ContentUploads.complete(content.number, of: found, delay: .zero, cause.change(in: transaction))
                .number
        }
        let processing = ContentProcessing(catalogue, blobs: { blobs }, folder: folder, wall: wall, log: log)
        try await processing.process(number, of: found.itemID)
        try await catalogue.write { transaction in
            guard let product = try Catalogue.product(found.itemID, in: transaction) else { return }
            try Catalogue.approve(product, cause.change(in: transaction))
        }
    }

    private static func package(
        _ chapter: String, _ picture: [UInt8]?, of id: ProductID, in folder: String
    ) throws -> [UInt8] {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let place = "\(folder)/demo-\(UUID().uuidString)"
        defer {
            try? FileManager.default.removeItem(atPath: place)
            try? FileManager.default.removeItem(atPath: "\(place).pkg")
        }
        let project = try ContentProject.make(at: place, for: id)
        try Data(chapter.utf8).write(to: URL(fileURLWithPath: project.contentsPath + "/chapter.txt"))
        if let picture {
            try Data(picture).write(to: URL(fileURLWithPath: project.contentsPath + "/picture.png"))
        }
        try PackageWriter(workingFolder: folder).write(place, to: "\(place).pkg")
        return Array(try Data(contentsOf: URL(fileURLWithPath: "\(place).pkg")))
    }
}

extension DemoContent {
    static let firstChapter = """
        Chapter 1: The Island

        The ship went down at four in the afternoon, politely, like somebody who leaves a party early, and by five there was \
        nothing of it on the water but a chair.

        I held on to the chair. It had been the captain's; it turned slowly, and I with it, so that I saw in their order the \
        west, the north, the east, and then, where the south ought to have been, a beach.

        It was a small island: one hill, one spring, eleven trees. I counted them twice before it was dark, as one does in a \
        new house. I had matches in a tin, and they were dry. I had the chair. I told myself that many people begin with less.

        In the morning I went round the whole of it, keeping the sea on my left, and came back to my own steps in the sand \
        before the tide had reached them. They were where I had left them, heel and toe, a tidy line.

        Beside them, all the way, ran another.

        """

    static let secondChapter = """
        Chapter 2: The Storm

        For three days I did not see who walked beside me. The footprints were there each morning, bare, a little smaller than \
        mine, and always on the side of the sea.

        On the fourth the birds went. They rose from the trees all at once and flew inland, of which there was not much, and \
        sat down on the hill with their faces to the stone. Then the wind came, and I understood them, and did the same.

        It blew the night through. Towards the end, when it had taken the roof that I had made, and the wall, and seven of the \
        eleven trees, I looked up and saw a light far out at sea. It stood quite still while everything else moved. It went out; \
        I counted nine; it came again.

        "That is a lighthouse," I said aloud, "and it was not there yesterday."

        "It was," said somebody next to me. "You were only ever looking at the ground."

        """
}

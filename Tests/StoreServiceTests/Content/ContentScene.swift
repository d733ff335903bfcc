import ContentPackage
import Foundation
import StoreDatabase
import StoreLog
import StoreModel
import StoreRules
import StoreSigning
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreCatalogue
@testable import StoreService

/// A catalogue with a product that hosts content, blobs in a folder, and a clock that stands still until it is set.
final class ContentScene: Sendable {
    let store: StoreDatabases
    let folder: String
    let blobs: FolderBlobStore
    let time = Mutex(CatalogueSample.now)
    let productID: ProductID

    var now: Instant { time.withLock { $0 } }

    func pass(_ duration: Duration) { time.withLock { $0 = $0 + duration } }

    var catalogue: any Database { store.catalogue }

    init(_ store: StoreDatabases) async throws {
        self.store = store
        folder = FileManager.default.temporaryDirectory.path + "/till-content-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        blobs = try FolderBlobStore(folder: folder + "/blobs")
        let sample = try await CatalogueSample.make(in: store.catalogue)
        let draft = try CatalogueSample.draft("com.example.app.chapter", kind: .nonConsumable)
        productID = draft.productID
        try await sample.put(draft, item: 7, in: store.catalogue)
        try await change { try Catalogue.setHosting(true, of: $0, $1) }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var processing: ContentProcessing {
        ContentProcessing(
            catalogue, blobs: { [blobs] in blobs }, folder: folder + "/packages", wall: { [self] in now },
            log: Log(least: .error, time: { [self] in now }, sink: { _ in }))
    }

    var upkeep: ContentUpkeep { ContentUpkeep(store, blobs: { [blobs] in blobs }) }

    @discardableResult
    func change<Result: Sendable>(
        _ body: @escaping @Sendable (CatalogueProduct, CatalogueChange) throws -> Result
    ) async throws -> Result {
        let cause = CatalogueCause(.store, at: now)
        return try await catalogue.write { transaction in
            try body(#require(try Catalogue.product(ItemID(number: 7), in: transaction)), cause.change(in: transaction))
        }
    }

    /// A package of one file.
    func package(_ version: String, _ text: String) throws -> [UInt8] {
        let project = folder + "/" + UUID().uuidString
        _ = try ContentProject.make(at: project, for: productID, version: ContentVersion(parsing: version))
        try Data(text.utf8).write(to: URL(fileURLWithPath: project + "/Contents/chapter.txt"))
        try PackageWriter().write(project, to: project + ".pkg")
        return Array(try Data(contentsOf: URL(fileURLWithPath: project + ".pkg")))
    }

    var editing: CatalogueEditing { CatalogueEditing(catalogue, by: .owner, request: nil) { [self] in now } }

    var path: ProductPath {
        get throws { try ProductPath(BundleID(parsing: CatalogueSample.bundleID), productID) }
    }

    /// Announces an upload of a package, or finds it.
    func begin(_ package: [UInt8]) async throws -> ContentUploadDetails {
        try await editing.beginUpload(
            of: path, digest: BlobID(of: package).text, bytes: Int64(package.count), quota: HostingLimits.quota,
            in: blobs
        ).upload
    }

    /// Brings a package, or what follows its first bytes, as the only part of an upload.
    func take(
        _ package: [UInt8], from offset: Int64 = 0, of upload: ContentUploadDetails,
        _ next: () async throws -> [UInt8]?
    ) async throws {
        let coming = try ComingPart(
            from: offset, of: Int64(package.count), digest: DigestAlgorithm.sha256.digest(package))
        try await editing.takePart(1, coming, of: upload.content.number, path, in: blobs, next)
    }

    /// Uploads a package as one part, and hands it over. Returns its number.
    func upload(_ package: [UInt8]) async throws -> Int {
        let digest = try BlobID(of: package)
        let content = try await change {
            try ContentUploads.begin($0, digest: digest, bytes: Int64(package.count), $1).content
        }
        let blob = try blobs.keep(package)
        try await change { try ContentUploads.note(1, blob, of: content, at: $1.at, in: $1.transaction) }
        return try await change {
            try ContentUploads.complete(content.number, of: $0, delay: .zero, $1).number
        }
    }

    @discardableResult
    func push(_ version: String, _ text: String = "text") async throws -> HostedContent {
        let number = try await upload(try package(version, "\(text) \(version)"))
        try await processing.processAll()
        return try await content(number)
    }

    func content(_ number: Int) async throws -> HostedContent {
        try await catalogue.read { try #require(try HostedContent.find(number, of: ItemID(number: 7), in: $0)) }
    }

    func state() async throws -> ProductState {
        try await catalogue.read { try #require(try Catalogue.product(ItemID(number: 7), in: $0)).state }
    }

    func approve() async throws { try await change { try Catalogue.approve($0, $1) } }
}

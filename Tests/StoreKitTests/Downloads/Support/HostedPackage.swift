import ContentPackage
import Foundation
import StoreDatabase
import StoreModel
import StoreService
import StoreSigning
import TestSupport
import Testing

@testable import StoreKit

/// Content of a product as the store delivers it: files, and the archive that was made of them.
struct HostedPackage: Sendable {
    let product: String
    let version: String
    /// By their paths below `Contents`.
    let files: [String: [UInt8]]
    let archive: [UInt8]
    let manifest: ContentManifest

    /// - Parameter length: how many bytes of noise it has, which no archive makes shorter.
    init(_ product: String, _ version: String = "1.0", length: Int, seed: UInt64 = 1) throws {
        self.product = product
        self.version = version
        var random = SplitMix64(seed: seed)
        let (picture, rest) = (random.bytes(length / 3), random.bytes(length - length / 3))
        files = [
            "chapter.txt": Array("Chapter \(version): he saw a footprint.\n".utf8), "pictures/island.jpg": picture,
            "sound.ogg": rest,
        ]
        let folder = FileManager.default.temporaryDirectory.path + "/till-hosted-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let project = try ContentProject.make(
            at: folder + "/project", for: try ProductID(parsing: product), version: try ContentVersion(parsing: version)
        )
        for (path, bytes) in files {
            let file = URL(fileURLWithPath: project.contentsPath + "/" + path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        }
        try PackageWriter().write(project.folder, to: folder + "/content.pkg")
        var archive: [UInt8] = []
        manifest = try DeliveredArchive.write(from: folder + "/content.pkg") { archive += $0 }
        self.archive = archive
    }

    /// Whether a folder has exactly these files, byte for byte.
    func isIn(_ folder: URL?) throws -> Bool {
        guard let folder else { return false }
        let contents = folder.appendingPathComponent("Contents")
        var found: [String: [UInt8]] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: contents.path) {
            var isFolder: ObjCBool = false
            let file = contents.path + "/" + path
            guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            found[path] = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
        }
        let info = folder.appendingPathComponent("ContentInfo.plist")
        return found == files && FileManager.default.fileExists(atPath: info.path)
    }
}

extension SessionStore {
    /// Hosts content, as an approved version of its product. Whatever bytes are handed in are delivered.
    func host(_ package: HostedPackage, archive: [UInt8]? = nil) async throws {
        let bytes = archive ?? package.archive
        let blobs = try #require(blobs)
        let draft = try blobs.begin()
        try draft.append(bytes)
        let blob = try draft.keep()
        let digests = try stride(from: 0, to: bytes.count, by: ContentManifest.chunkLength).flatMap { start in
            try DigestAlgorithm.sha256.digest(bytes[start..<min(start + ContentManifest.chunkLength, bytes.count)])
        }
        let (product, version, manifest) = (package.product, package.version, package.manifest)
        try await databases.catalogue.write { transaction in
            let item = try transaction.value(
                "SELECT item_id FROM product WHERE product_id = $1", product, as: Int64.self)
            let number = try transaction.value(
                "SELECT count(*) + 1 FROM content_version WHERE item_id = $1", item, as: Int64.self)
            try transaction.execute("UPDATE product SET hosts_content = 1 WHERE item_id = $1", item)
            try transaction.execute(
                """
                INSERT INTO content_version (item_id, number, version, state, package_digest, package_bytes, part_bytes,
                    uploaded_by, begun_at, touched_at, archive, archive_bytes, unpacked_bytes, file_count, chunk_bytes,
                    chunk_digests)
                VALUES ($1, $2, $3, 'approved', $4, $5, 8388608, 'test', 1, 1, $4, $5, $6, $7, $8, $9)
                """, item, number, version, blob, Int64(bytes.count), manifest.unpackedBytes,
                Int64(manifest.files.count), Int64(ContentManifest.chunkLength), digests)
        }
    }

    /// Signs every device out, without its having asked for it.
    func signOutDevices() async throws {
        _ = try await store.database.write { try $0.execute("UPDATE device SET customer_id = NULL") }
    }

    /// Takes a version away, as when a newer one was approved long ago.
    func remove(_ package: HostedPackage) async throws {
        let version = package.version
        _ = try await databases.catalogue.write { transaction in
            try transaction.execute(
                "UPDATE content_version SET state = 'replaced', archive = NULL WHERE version = $1", version)
        }
    }
}

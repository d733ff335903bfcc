import ContentPackage
import Foundation
import StoreFoundation
import StoreModel

/// Where the downloaded content of an app lies: in the caches of the app, a folder for each transaction and version.
///
/// ```
/// Caches/StoreKit/Downloads/sandbox-…/2000000000000007-1.0.zip.part   what has come
///                                     2000000000000007-1.0.zip        all of it
///                                     2000000000000007-1.0.checked…   on its way
///                                     2000000000000007-1.0            complete
/// ```
///
/// Archive and folder appear by their renames, so whoever finds one finds all of it.
struct ContentFolder: Sendable {
    let path: String

    /// - Parameters:
    ///   - app: the folder of the app.
    ///   - store: what tells the stores and environments apart: their transactions have the same numbers.
    init(of app: String, store: String) {
        path = app + "/Caches/StoreKit/Downloads/" + store
    }

    /// Makes the folder, which no backup needs.
    func make() throws {
        try PrivateFile.makeFolder(path)
        BackupExclusion.mark(path)
    }

    /// The name of the folder of a download.
    func name(of entry: DownloadEntry) -> String { "\(entry.transaction)-\(entry.content.version)" }

    func folder(_ name: String) -> String { path + "/" + name }

    func archive(of entry: DownloadEntry) -> String { folder(name(of: entry)) + ".zip" }

    /// Where the content of a download is, if it is complete and still there.
    func content(of entry: DownloadEntry) -> URL? {
        guard let name = entry.folder, Self.exists(folder(name)) else { return nil }
        return URL(fileURLWithPath: folder(name), isDirectory: true)
    }

    /// Whether an earlier process has unpacked everything.
    func isUnpacked(_ entry: DownloadEntry) -> Bool { Self.exists(folder(name(of: entry))) }

    /// Unpacks an archive that is complete.
    func unpack(_ entry: DownloadEntry, _ manifest: DownloadEntry.Manifest, with unpack: ContentUnpacking) throws {
        try unpack(archive(of: entry), folder(name(of: entry)), entry, manifest)
    }

    /// Unpacks what a store delivers. The archive is held against the rules here too: what it is does not depend on whether the
    /// store has looked at it.
    static let unpackDelivered: ContentUnpacking = { archive, folder, entry, manifest in
        var limits = ContentLimits()
        limits.unpackedBytes = min(limits.unpackedBytes, manifest.unpackedLength)
        let draft = folder + ".checked"
        try? FileManager.default.removeItem(atPath: draft)
        let content = try DeliveredArchive.unpack(archive, into: draft, limits: limits)
        guard content.info.product == nil || content.info.product?.text == entry.product else {
            try? FileManager.default.removeItem(atPath: draft)
            throw ContentError(.refused, "the content is that of another product")
        }
        try SystemFile.rename(draft, to: folder)
        try SystemFile.synchronizeFolder(of: folder)
    }

    /// Removes everything of a transaction's downloads, in whatever version.
    func remove(of transaction: TransactionID) {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for file in files where file.hasPrefix("\(transaction)-") {
            try? FileManager.default.removeItem(atPath: folder(file))
        }
    }

    /// How many bytes of a download are there, archive or part.
    func bytesThere(of entry: DownloadEntry) -> Int64 {
        for file in [archive(of: entry), archive(of: entry) + ".part"] {
            var status = stat()
            if lstat(file, &status) == 0 { return Int64(status.st_size) }
        }
        return 0
    }

    /// How many bytes the disk has room for.
    static func freeBytes(_ path: String) -> Int64 {
        var system = statvfs()
        guard statvfs(path, &system) == 0 else { return .max }
        let (bytes, isHuge) = Int64(clamping: system.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: system.f_frsize))
        return isHuge ? .max : bytes
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

/// Unpacks the archive of the first path into a new folder at the second, which appears when everything in it is on the disk, and
/// throws what is wrong with it.
package typealias ContentUnpacking =
    @Sendable (
        _ archive: String, _ folder: String, _ download: DownloadEntry, _ manifest: DownloadEntry.Manifest
    ) throws -> Void

public import Foundation
import StoreFoundation
import StoreModel

/// Hosted content that an app keeps: a folder for each version of each product, one of which is the current one. Not known on
/// Apple's platforms.
///
/// ```
/// <root>/com.example.book.chapter1/1.1/chapter.txt
///                                  current -> 1.1
/// ```
///
/// What a download brings lies in the caches of the app and may go once its transaction is finished. Save it before that:
///
/// ```swift
/// let library = try ContentLibrary(at: documents)
/// let chapter = try library.save(download)
/// queue.finishTransaction(download.transaction)
/// ```
///
/// A version appears with all its files or not at all, and the app reads the old one until the new one is there. Files of an
/// older version never hide those of a newer one, because no two versions share a folder.
public struct ContentLibrary: Sendable {
    private static let current = "current"
    /// What is not complete has such a name, and is removed with the next save.
    private static let draft = "draft-"

    /// Where all of it is.
    public let root: URL

    /// Opens a library, and makes its folder, which programs for backups are told to leave out.
    public init(at root: URL) throws {
        self.root = root
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        BackupExclusion.mark(root)
    }

    // MARK: Reading

    /// The version of a product's content that is current; nil if there is none.
    public func currentVersion(of productID: String) -> String? {
        guard let folder = folder(productID),
            let version = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + Self.current),
            (try? ContentVersion(parsing: version)) != nil, Self.isFolder(folder + "/" + version)
        else { return nil }
        return version
    }

    /// The folder with the current content of a product; nil if there is none.
    public func folder(of productID: String) -> URL? {
        guard let version = currentVersion(of: productID), let folder = folder(productID) else { return nil }
        return URL(fileURLWithPath: folder + "/" + version, isDirectory: true)
    }

    /// Whether the store has a newer version of a product's content than the one that is kept. It is false while none is kept.
    ///
    /// The store tells nobody of new versions: ask for the products now and then, and get a newer version by a restore.
    public func hasNewer(_ product: SKProduct) -> Bool {
        guard let kept = currentVersion(of: product.productIdentifier) else { return false }
        return Self.isVersion(product.downloadContentVersion, newerThan: kept)
    }

    /// Whether a version is newer than another: number by number, so that 1.10 is newer than 1.9. What is no version is newer than
    /// nothing, and every version is newer than that.
    public static func isVersion(_ version: String, newerThan other: String) -> Bool {
        guard let version = try? ContentVersion(parsing: version) else { return false }
        guard let other = try? ContentVersion(parsing: other) else { return true }
        return version > other
    }

    // MARK: Changing

    /// Saves what a finished download has brought, and makes it the current version.
    ///
    /// - Returns: the folder with the files, those of `Contents`.
    @discardableResult
    public func save(_ download: SKDownload) throws -> URL {
        guard let content = download.contentURL else {
            throw CocoaError(
                .fileNoSuchFile,
                userInfo: [
                    NSLocalizedFailureReasonErrorKey: "The download of \(download.contentIdentifier) has not finished."
                ])
        }
        return try save(
            content.appendingPathComponent("Contents", isDirectory: true), as: download.contentVersion,
            of: download.contentIdentifier)
    }

    /// Saves the files of a folder as a version of a product's content, makes it the current one, and removes the others.
    ///
    /// A version that is there already is not written again: its folder got its name when it was complete.
    @discardableResult
    public func save(_ files: URL, as version: String, of productID: String) throws -> URL {
        guard let folder = folder(productID), let known = try? ContentVersion(parsing: version), known.text == version
        else {
            throw CocoaError(
                .fileWriteInvalidFileName,
                userInfo: [NSLocalizedFailureReasonErrorKey: "\(productID) \(version) names no folder."])
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let place = folder + "/" + version
        if !Self.isFolder(place) {
            let draft = folder + "/" + Self.draft + UUID().uuidString
            try Self.copy(files.path, to: draft)
            try Self.synchronize(draft)
            try SystemFile.rename(draft, to: place)
        }
        let link = folder + "/" + Self.draft + UUID().uuidString
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: version)
        try SystemFile.rename(link, to: folder + "/" + Self.current)
        try SystemFile.synchronizeFolder(folder)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder)
        where name != version && name != Self.current {
            let isOurs = name.hasPrefix(Self.draft) || (try? ContentVersion(parsing: name)) != nil
            if isOurs { try? FileManager.default.removeItem(atPath: folder + "/" + name) }
        }
        return URL(fileURLWithPath: place, isDirectory: true)
    }

    /// Removes all content of a product, after a refund for example.
    public func remove(_ productID: String) throws {
        guard let folder = folder(productID), Self.isFolder(folder) else { return }
        try FileManager.default.removeItem(atPath: folder)
    }

    // MARK: Files

    /// The folder of a product; nil for what is no product identifier.
    private func folder(_ productID: String) -> String? {
        guard let id = try? ProductID(parsing: productID), id.text.contains(where: { $0 != "." }) else { return nil }
        return root.path + "/" + id.text
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Files of one disk get a second name, which takes no room; others are copied.
    private static func copy(_ path: String, to destination: String) throws {
        do {
            try FileManager.default.linkItem(atPath: path, toPath: destination)
        } catch {
            try? FileManager.default.removeItem(atPath: destination)
            try FileManager.default.copyItem(atPath: path, toPath: destination)
        }
    }

    /// Brings a folder with everything in it to the disk.
    private static func synchronize(_ path: String) throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            var status = stat()
            guard lstat(path + "/" + name, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else { continue }
            try SystemFile(path + "/" + name, O_RDONLY | O_NOFOLLOW, for: "writing").synchronize()
        }
        try SystemFile.synchronizeFolder(path)
    }
}

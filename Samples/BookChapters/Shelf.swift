import Foundation
import PurchaseVault
import StoreKit

/// What the person owns, and what lies on this device. These are two records: who restores ten books owns them again at once, and
/// loads the one that is to be read.
///
/// ```
/// <folder>/owned.vault                                              what is owned
///          Documents/com.example.bookchapters.chapter1/1.0/…        what was loaded
///                                                      current -> 1.0
/// ```
struct Shelf {
    private let vault: Vault
    private(set) var owned: Set<String>
    let library: ContentLibrary

    /// - Parameter folder: the folder of the app's own. No backup needs the documents in it: they can be had again. With the vault,
    ///   a backup that was restored shows at once, without a store, what is owned.
    init(in folder: URL) throws {
        vault = try Vault("owned", in: folder)
        library = try ContentLibrary(at: folder.appendingPathComponent("Documents"))
        // What is lost comes back by a restore.
        try vault.repair()
        owned = try vault.contents.unlocks
    }

    func owns(_ chapter: Chapter) -> Bool { owned.contains(chapter.rawValue) }

    mutating func own(_ chapter: Chapter) throws {
        guard !owns(chapter) else { return }
        try vault.change { try $0.unlock(chapter.rawValue) }
        owned = try vault.contents.unlocks
    }

    /// The person got the money back.
    mutating func lose(_ chapter: Chapter) throws {
        try vault.change { $0.takeBack(chapter.rawValue) }
        owned = try vault.contents.unlocks
        try library.remove(chapter.rawValue)
    }

    /// Keeps what a download has brought, before its transaction is finished: afterwards the caches may be emptied.
    ///
    /// The example that this sample goes back to copied file by file into `<documents>/<product id>`, and left out what was
    /// there:
    ///
    /// ```
    /// if (!File.Exists(newFilePath))
    ///     File.Copy(file, newFilePath);
    /// else
    ///     Console.WriteLine("already exists " + newFilePath);
    /// ```
    ///
    /// That is a mistake: who has `chapter.txt` of version 1.0 never sees that of 1.1, and is told that all is well. Here each version
    /// has a folder of its own, which appears when it is complete, and which one is current is remembered beside them.
    func keep(_ download: SKDownload) throws -> URL { try library.save(download) }

    /// The files of a chapter, the text first; nil if it was not loaded.
    func files(of chapter: Chapter) throws -> [URL]? {
        guard let folder = library.folder(of: chapter.rawValue) else { return nil }
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return files.sorted { ($0.pathExtension != "txt", $0.path) < ($1.pathExtension != "txt", $1.path) }
    }
}

/// The order of pairs whose first parts are yes or no.
private func < (one: (Bool, String), other: (Bool, String)) -> Bool {
    one.0 == other.0 ? one.1 < other.1 : !one.0
}

import Foundation
import StoreKit

/// What the person owns, and what lies on this device. These are two records: who restores ten books owns them again at once, and
/// loads the one that is to be read.
///
/// ```
/// <documents>/owned.json                                      what is owned
///             com.example.bookchapters.chapter1/1.0/…         what was loaded
///                                               current -> 1.0
/// ```
struct Shelf {
    private let file: URL
    private(set) var owned: Set<String>
    let library: ContentLibrary

    /// - Parameter documents: the folder of the app's own, which no backup needs: all that is in it can be had again.
    init(in documents: URL) throws {
        library = try ContentLibrary(at: documents)
        file = documents.appendingPathComponent("owned.json")
        owned =
            FileManager.default.fileExists(atPath: file.path)
            ? try JSONDecoder().decode(Set<String>.self, from: Data(contentsOf: file)) : []
    }

    /// The documents of the app, as the XDG base directory specification has it.
    static func standardFolder(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        let home = FileManager.default.homeDirectoryForCurrentUser
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        return (data ?? home.appendingPathComponent(".local/share")).appendingPathComponent("BookChapters/Documents")
    }

    func owns(_ chapter: Chapter) -> Bool { owned.contains(chapter.rawValue) }

    mutating func own(_ chapter: Chapter) throws {
        guard !owns(chapter) else { return }
        try keep(owned.union([chapter.rawValue]))
    }

    /// The person got the money back.
    mutating func lose(_ chapter: Chapter) throws {
        try keep(owned.subtracting([chapter.rawValue]))
        try library.remove(chapter.rawValue)
    }

    private mutating func keep(_ next: Set<String>) throws {
        // Atomic: another place of this device may be without power at any moment.
        try JSONEncoder().encode(next).write(to: file, options: .atomic)
        owned = next
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

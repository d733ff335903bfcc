import Foundation
import StorageTestSupport
import StoreDatabase

/// A database of SQLite in a folder of its own, or in memory.
struct SQLitePlace: StoragePlace {
    /// Where the file is; nil in memory.
    let path: String?

    var outlivesClosing: Bool { path != nil }

    func open(_ schema: Schema, _ limits: DatabaseLimits) async throws -> any Database {
        try SQLiteDatabase(path: path, schema: schema, limits: limits)
    }

    static let memory = SQLitePlace(path: nil)

    /// A new place on the disk, which goes away afterwards.
    static func onDisk<Result>(_ body: (SQLitePlace) async throws -> Result) async throws -> Result {
        let folder = NSTemporaryDirectory() + "till-storage-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(SQLitePlace(path: folder + "/sample.sqlite"))
    }
}

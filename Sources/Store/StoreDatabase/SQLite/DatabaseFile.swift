import Foundation
import StoreFoundation

/// The file of a database of SQLite.
enum DatabaseFile {
    /// Makes an empty file that only its owner may read, unless there is one; SQLite gives its log the same mode.
    static func make(_ path: String) throws {
        guard access(path, F_OK) != 0 else { return }
        do throws(FileFailure) {
            try SystemFile.create(path, draft: "\(path).\(UUID().uuidString).new")
        } catch {
            throw DatabaseError(.unavailable, "\(path) cannot be made: \(error.reason)")
        }
    }
}

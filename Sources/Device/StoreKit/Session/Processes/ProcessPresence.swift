import Foundation
import Synchronization

/// That this process is there, so that others leave its payments alone, and know when to look after them.
final class ProcessPresence: Sendable {
    private static let prefix = "process-"

    /// The name of this process among those of the app.
    let name: String
    private let folder: String
    private let lock: Mutex<FileLock?>

    /// - Parameter folder: the folder that all processes of the app watch.
    init(in folder: String, name: String = UUID().uuidString.lowercased()) throws {
        self.name = name
        self.folder = folder
        guard let lock = FileLock(Self.path(folder, name)) else {
            throw SessionFailure(code: 0, reason: "file", text: "\(folder) cannot be written to.")
        }
        self.lock = Mutex(lock)
    }

    deinit { end() }

    /// Gives everything of this process into the hands of others.
    func end() {
        unlink(Self.path(folder, name))
        lock.withLock { $0 = nil }
    }

    /// Whether a process is still there.
    func isAlive(_ other: String) -> Bool {
        FileLock.isHeld(Self.path(folder, other))
    }

    /// Removes what processes left behind that were killed.
    func sweep() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for file in names where file.hasPrefix(Self.prefix) {
            let other = String(file.dropFirst(Self.prefix.count))
            if !isAlive(other) { unlink(folder + "/" + file) }
        }
    }

    private static func path(_ folder: String, _ name: String) -> String { folder + "/" + prefix + name }
}

import Foundation
import Synchronization

/// The folder of a test session's device. It goes away with the session, at the latest with the process.
final class SessionFolder: Sendable {
    let path: String

    private static let paths = Mutex<Set<String>>([])
    /// Asks once to be called when the process ends.
    private static let isWatching: Bool = atexit { SessionFolder.removeAll() } == 0

    init() throws {
        let name = "storekit-test-\(getpid())-\(UUID().uuidString.prefix(8))"
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        path = folder.path
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        _ = Self.isWatching
        let path = path
        Self.paths.withLock { _ = $0.insert(path) }
    }

    func remove() {
        let path = path
        Self.paths.withLock { _ = $0.remove(path) }
        try? FileManager.default.removeItem(atPath: path)
    }

    private static func removeAll() {
        SessionThread.stopAll()
        for path in paths.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
    }
}

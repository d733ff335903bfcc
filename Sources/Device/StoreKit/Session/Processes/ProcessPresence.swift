import Foundation
import Synchronization

/// That this process is there, so that others leave its payments alone, and know when to look after them.
final class ProcessPresence: Sendable {
    private static let prefix = "process-"
    /// How often a name is tried that another process has just taken for one left behind.
    private static let attempts = 100

    /// The name of this process among those of the app.
    let name: String
    private let folder: String
    private let lock: Mutex<FileLock?>

    /// - Parameter folder: the folder that all processes of the app watch.
    init(in folder: String) throws {
        for _ in 0..<Self.attempts {
            let name = UUID().uuidString.lowercased()
            let path = Self.path(folder, name)
            // Another process may have swept the file before it was locked: then it has no name any more, or not this lock.
            guard let lock = FileLock(path), FileLock.isHeld(path) else { continue }
            self.name = name
            self.folder = folder
            self.lock = Mutex(lock)
            return
        }
        throw SessionFailure(code: 0, reason: "file", text: "\(folder) cannot be written to.")
    }

    deinit { end() }

    /// Gives everything of this process into the hands of others.
    func end() {
        unlink(Self.path(folder, name))
        lock.withLock { $0 = nil }
    }

    /// The name of the file that this process holds, whose changes it need not hear of.
    var file: String { Self.prefix + name }

    /// Lets the other processes know that the journal has changed.
    func wakeOthers() {
        let descriptor = open(Self.path(folder, name), O_WRONLY | O_CLOEXEC)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether a process is still there.
    func isAlive(_ other: String) -> Bool {
        FileLock.isHeld(Self.path(folder, other))
    }

    /// Removes what processes left behind that were killed.
    func sweep() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for file in names where file.hasPrefix(Self.prefix) { FileLock.removeUnheld(folder + "/" + file) }
    }

    private static func path(_ folder: String, _ name: String) -> String { folder + "/" + prefix + name }
}

/// Which of several processes of an app watches the store: the one that has the lease. It falls when that process ends,
/// however it ends, and the others hear of it.
final class SessionLease: Sendable {
    /// The folder whose changes the others watch.
    let folder: String
    private let lock = Mutex<FileLock?>(nil)

    /// - Parameter session: the folder of the session; it is there.
    init(_ session: String) {
        folder = session + "/wake"
        try? PrivateFile.makeFolder(folder)
    }

    var isHeld: Bool { lock.withLock { $0 != nil } }

    /// Takes the lease if no process has it; true if this process has it now.
    func take() -> Bool {
        lock.withLock { lock in
            if lock == nil { lock = FileLock(folder + "/lease") }
            return lock != nil
        }
    }

    func release() { lock.withLock { $0 = nil } }
}

import Foundation
import Synchronization

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

    /// Takes the lease if nobody has it; true if this process has it now.
    func take() -> Bool {
        lock.withLock { lock in
            if lock == nil { lock = FileLock(folder + "/lease") }
            return lock != nil
        }
    }

    func release() { lock.withLock { $0 = nil } }
}

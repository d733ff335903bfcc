import Foundation
import StoreKit
import StoreModel
import StoreService
import Synchronization

/// A device of a test session: the folder of the app on it, and the run of the app that is going on.
final class SessionDevice: Sendable {
    let folder: SessionFolder
    let context: SessionContext
    private let run: Mutex<DeviceSession>
    private let make: @Sendable () throws -> DeviceSession

    /// The engine of StoreKit in the present run of the app.
    var session: DeviceSession { run.withLock { $0 } }

    init(_ folder: SessionFolder, _ make: @escaping @Sendable (SessionFolder) throws -> DeviceSession) throws {
        self.folder = folder
        self.make = { try make(folder) }
        let session = try make(folder)
        run = Mutex(session)
        context = SessionContext(session)
    }

    /// Ends the run of the app and begins another one, as when its process is ended and started anew.
    func relaunch() async throws {
        let former = session
        await former.shutDown()
        let next = try make()
        run.withLock { $0 = next }
        context.relaunch(with: next)
        CurrentSession.replace(former, with: next)
        try await catchUp()
    }

    /// Returns when the app has what the store tells. Nothing goes wrong with that on purpose.
    func catchUp() async throws { try await QuietPeriod.during { try await session.catchUp() } }

    /// Returns when the run has heard what a purchase came to that it waits for.
    func hear(of key: PurchaseKey) async {
        let session = session
        @Sendable func isWaiting() -> Bool { session.entries.contains { $0.key == .payment(key) && $0.isOpen } }
        guard isWaiting() else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in session.journal.changes() where !isWaiting() { return }
            }
            // Nobody on the device may follow the purchase any more.
            group.addTask { try? await Task.sleep(for: Self.longestAnswer) }
            await group.next()
            group.cancelAll()
        }
    }

    private static let longestAnswer = Duration.seconds(5)

    func end() async {
        await session.shutDown()
        folder.remove()
    }

    // MARK: Copies

    /// Everything on the device at this moment, by the paths of its files.
    func files() throws -> [String: Data] {
        let journal = session.journal
        let root = folder.path + "/"
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            // What belongs to the journal is read through it, so that it is whole.
            guard !(root + path).hasPrefix(journal.path) else { continue }
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: root + path, isDirectory: &isFolder), !isFolder.boolValue,
                let data = FileManager.default.contents(atPath: root + path)
            else { continue }
            files[path] = data
        }
        files[String(journal.path.dropFirst(root.count))] = Data(try journal.contents())
        return files
    }
}

extension SessionFolder {
    /// A folder with such files.
    convenience init(files: [String: Data]) throws {
        try self.init()
        for (name, data) in files {
            let file = URL(filePath: path).appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try data.write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        }
    }
}

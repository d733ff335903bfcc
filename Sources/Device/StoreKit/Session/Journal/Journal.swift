import Foundation
import StoreSQLite
import Synchronization

/// What one app on one device remembers of its dealings with one environment of a store: payments from before they are
/// sent until they are finished, transactions, the place in the events, and what the store is still to be told.
///
/// One file that all processes of the app share. Every call is short and synchronous. What it kept outlives the process, and a
/// power failure too where the app or money depends on it. A file that is damaged is set aside, and a new one begun: everything
/// but payments that were never answered is then read from the store again.
package final class Journal: Sendable {
    /// The code of an error that no retry helps: another version of StoreKit has written the file.
    static let tooNew: Int32 = 0x5401
    private static let corrupt: Int32 = 11
    private static let notDatabase: Int32 = 26

    static let damage = SQLiteError(code: corrupt, message: "a row of the journal is not as it should be")

    package let path: String
    private let database: Mutex<JournalDatabase>
    private let report: @Sendable (String) -> Void
    private let observer: (@Sendable (String) throws -> Void)?
    private let resets = Mutex(0)

    /// - Parameters:
    ///   - path: the file; its folder is there.
    ///   - report: takes a line for people when a damaged journal was set aside.
    ///   - observer: is told of each statement that may change something before it runs; what it throws fails it.
    package init(
        at path: String, report: @escaping @Sendable (String) -> Void,
        observer: (@Sendable (String) throws -> Void)? = nil
    ) throws {
        self.path = path
        self.report = report
        self.observer = observer
        do {
            database = Mutex(try JournalDatabase(path, observer: observer))
        } catch let error as SQLiteError where Self.isDamage(error) {
            Self.setAside(path, report)
            database = Mutex(try JournalDatabase(path, observer: observer))
            resets.withLock { $0 += 1 }
        }
        chmod(path, 0o600)
    }

    /// How often this process found the journal damaged, and began a new one.
    package var resetCount: Int { resets.withLock { $0 } }

    /// Uses the database; a file that turns out to be damaged is set aside, and the error thrown.
    func use<Result: Sendable>(_ body: (JournalDatabase) throws -> Result) throws -> Result {
        try database.withLock { (current: inout sending JournalDatabase) -> Result in
            do {
                return try body(current)
            } catch let error as SQLiteError where Self.isDamage(error) {
                Self.setAside(path, report)
                current = try JournalDatabase(path, observer: observer)
                resets.withLock { $0 += 1 }
                throw error
            }
        }
    }

    /// Does several things or none.
    ///
    /// - Parameter isDurable: false for what may be lost in a power failure, which takes a wait for the disk off the road.
    func change<Result: Sendable>(
        isDurable: Bool = true, _ body: (JournalDatabase) throws -> Result
    ) throws -> Result {
        try use { try $0.transaction(isDurable: isDurable, body) }
    }

    private static func isDamage(_ error: SQLiteError) -> Bool {
        error.primaryCode == corrupt || error.primaryCode == notDatabase
    }

    /// Keeps a damaged file for whoever wants to know why, under a name of its own.
    private static func setAside(_ path: String, _ report: @Sendable (String) -> Void) {
        let files = FileManager.default
        let free = (1...JournalLimits.asideCount).first { !files.fileExists(atPath: "\(path).damaged-\($0)") }
        let aside = "\(path).damaged-\(free ?? JournalLimits.asideCount)"
        for ending in ["", "-wal", "-shm"] {
            try? files.removeItem(atPath: aside + ending)
            try? files.moveItem(atPath: path + ending, toPath: aside + ending)
        }
        report("the journal of purchases was damaged. It was set aside as \(aside) and is read from the store again.")
    }
}

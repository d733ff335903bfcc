import Foundation
import StoreModel
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
    /// How many changes this process has made or heard of.
    private let count = ObservedValue(0)

    /// - Parameters:
    ///   - path: the file; its folder is there.
    ///   - report: takes a line for people when a damaged journal was set aside.
    ///   - observer: gets each statement that may change something before it runs; what it throws fails it.
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

    /// Yields at once, and after every change of the journal by this process or another. A slow reader gets the newest alone.
    ///
    /// A reader that keeps the ``JournalNews/change`` it has seen misses nothing: ``news(after:)`` gives what came since.
    package func changes() -> AsyncStream<Int> { count.changes() }

    /// Wakes the readers of ``changes()`` after a change by another process.
    func noteChange() { count.update { ($0 ?? 0) + 1 } }

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
    /// - Parameter isDurable: false for what may be lost in a power failure, which saves a wait for the disk.
    func change<Result: Sendable>(
        isDurable: Bool = true, _ body: (JournalDatabase) throws -> Result
    ) throws -> Result {
        let result = try use { try $0.transaction(isDurable: isDurable, body) }
        noteChange()
        return result
    }

    /// The whole journal at one moment, as a file of it would be.
    package func contents() throws -> [UInt8] { try use { try $0.contents() } }

    private static func isDamage(_ error: SQLiteError) -> Bool {
        error.primaryCode == corrupt || error.primaryCode == notDatabase
    }

    /// Keeps a damaged file under a name of its own, for an inquiry.
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

/// A single value that the journal keeps.
package struct JournalProperty: Hashable, Sendable {
    let name: String

    /// The place in the events up to which everything is in the journal.
    package static let cursor = JournalProperty(name: "cursor")
    /// The roots of the profile under which what is in the journal was believed.
    package static let roots = JournalProperty(name: "roots")
    /// The secret of the device for the store, and when it ends.
    package static let token = JournalProperty(name: "token")
    package static let tokenExpires = JournalProperty(name: "token_expires")
    /// What the store said last of the device, in JSON.
    package static let device = JournalProperty(name: "device")
    /// How often the person had signed out on this device when the store was last told.
    package static let signOuts = JournalProperty(name: "sign_outs")
    /// Until when what waits for the app is surely this device's own, in milliseconds of the wall clock.
    package static let ownUntil = JournalProperty(name: "own_until")
    /// The clock of the store as an answer told it: what it showed, when by the wall clock, and how fast it runs.
    package static let storeClock = JournalProperty(name: "store_clock")
    /// The user name of the restore that was asked for last. It is kept before the store is asked, so that restored
    /// transactions bear it however they come.
    package static let restoredName = JournalProperty(name: "restored_name")
    /// How the customer's subscriptions stood when the store was last asked, in JSON.
    package static let subscriptions = JournalProperty(name: "subscriptions")
    /// The download of the app, as the store signed it last.
    package static let appTransaction = JournalProperty(name: "app_transaction")
    /// What waits for the app and is not verified, in JSON.
    package static let unverified = JournalProperty(name: "unverified")
    /// Higher prices that the customer has to agree to, in JSON.
    package static let priceConsents = JournalProperty(name: "price_consents")
    /// The page of the store that a process of the app shows: the number of its visit, and the name of the process.
    package static let visit = JournalProperty(name: "visit")
}

extension Journal {
    package func value(_ property: JournalProperty) throws -> String? {
        try use { try $0.value(property) }
    }

    package func set(_ values: [JournalProperty: String?], isDurable: Bool = true) throws {
        try change(isDurable: isDurable) { database in
            for (property, value) in values { try database.set(property, value) }
        }
    }

    /// Lets everything be read anew if the profile has other roots than before: what was not believed then may be good now.
    package func believe(_ roots: String) throws {
        guard try value(.roots) != roots else { return }
        try set([.roots: roots, .cursor: nil])
    }

    /// The number of the last change, for readers that want to know what came after it.
    package func lastChange() throws -> Int64 {
        try use { try $0.lastNumber() }
    }
}

extension JournalDatabase {
    func value(_ property: JournalProperty) throws -> String? {
        try query("SELECT value FROM property WHERE name = $1", .text(property.name)) { try $0.text(0) }.first
    }

    func set(_ property: JournalProperty, _ value: String?) throws {
        if let value {
            try execute(
                "INSERT INTO property (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2",
                .text(property.name), .text(value))
        } else {
            try execute("DELETE FROM property WHERE name = $1", .text(property.name))
        }
    }
}

/// How much the journal takes.
enum JournalLimits {
    /// The most payments that are not finished. Each further one fails at once.
    static let payments = 200
    /// The most transactions that are not verified; of more, the newest are kept.
    static let unverified = 50
    /// The most bytes of a signed transaction.
    static let signedBytes = 64 * 1024
    /// The most bytes of a transaction's receipt.
    static let receiptBytes = 64 * 1024
    /// The most bytes of a product id or a user name of the app.
    static let textBytes = 1024
    /// How long a statement waits for another process.
    static let wait = Duration.seconds(5)
    /// How often a process tries to make the file while others do, and the pause between in microseconds: five seconds in all.
    static let openings = 500
    static let openingPause: UInt32 = 10_000
    /// How many journals that were set aside are kept.
    static let asideCount = 3
}

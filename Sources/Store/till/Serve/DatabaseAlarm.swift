import CommandOptions
import StoreDatabase
import StoreLog
import StoreServer
import Synchronization

/// Says once of each database that damage was met in it, and remembers that as long as the process runs.
final class DatabaseAlarm: Sendable {
    private let log: Log
    private let reasons = Mutex<[String: String]>([:])

    init(_ log: Log) {
        self.log = log
    }

    static let remedy =
        "stop the store, see what is damaged (till database check), and put a backup back (till database restore FOLDER "
        + "--replace)"

    /// Hears of damage in the database of a name.
    func hear(_ name: String, _ error: DatabaseError) {
        let isNew = reasons.withLock { $0.updateValue("\(error)", forKey: name) == nil }
        guard isNew else { return }
        log.error(
            "database.damaged", "A database is damaged: \(Self.remedy).",
            ["database": .text(name), "reason": "\(error)"])
    }

    /// Throws if damage was met in the database of a name.
    func requireNone(in name: String) throws {
        guard let reason = reasons.withLock({ $0[name] }) else { return }
        throw CommandFailure(.configuration, "the \(name) database is damaged (\(reason)): \(Self.remedy)")
    }

    /// Which of the databases are damaged, as far as that was met.
    var family: MetricFamily {
        let reasons = reasons.withLock { $0 }
        return MetricFamily(
            "till_database_damaged", .gauge, help: "Whether damage was met in a database since the start.",
            StoreDatabases.names.map { .init(reasons[$0] == nil ? 0 : 1, labels: [("database", $0)]) })
    }
}

import Foundation
import StoreModel
import StoreRules
import StoreSQLite

/// Where the test processor finds what it did: every record with how it stands, on the disk, so that it takes no more memory
/// the longer it runs.
///
/// It is derived from the log and a snapshot of it: it may be deleted at any time, and what the log has beyond it is read at
/// the next start. Between two commits it writes nothing to the disk, so that only a commit can find it full; what it cannot
/// read ends the process, and the next one makes it anew.
// Safe: one processor has it, which is used by one thread at a time.
final class TestProcessorIndex: @unchecked Sendable {
    /// A record and how it stands.
    struct Entry {
        let record: TestProcessorRecord
        var status: Status
        /// The number of the record that says what came of an action.
        var action: Int?
    }

    // Closed: the rules of the processor switch over it.
    enum Status: Hashable, Sendable {
        case closed, reserved, waiting
        /// With what was given back of it.
        case taken(refunded: Int64)
        /// An action of which the store has not taken the news.
        case untold
    }

    /// A place between two lines of the log.
    struct Place: Hashable {
        var count = 0
        var offset: Int64 = 0
        var lines = TestProcessorLogLines()
    }

    private let connection: SQLiteConnection
    private let insertion, update, byNumber, byKey, pages: SQLiteStatement
    private let path: String?
    /// Those that were used last.
    private var recent: [Int: Entry] = [:]
    private static let recentLimit = 4096
    private(set) var count = 0
    /// How many records came since the snapshot.
    private(set) var uncommitted = 0
    private static let version = 1

    /// One in memory.
    convenience init() {
        do {
            try self.init(.memory, path: nil)
        } catch {
            // Safe: without a file there is nothing that could refuse, but for memory.
            fatalError("SQLite makes no database in memory: \(error)")
        }
    }

    /// The one of a file, or an empty one in its place if that is none of this version.
    convenience init(path: String) throws {
        do {
            try self.init(.file(path), path: path)
        } catch {
            try Self.remove(path)
            try self.init(.file(path), path: path)
        }
    }

    static func remove(_ path: String) throws {
        for file in ["", "-wal", "-shm"].map({ path + $0 }) where FileManager.default.fileExists(atPath: file) {
            try FileManager.default.removeItem(atPath: file)
        }
    }

    private init(_ opening: SQLiteOpening, path: String?) throws {
        self.path = path
        connection = try SQLiteConnection(opening)
        try connection.run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        try connection.run(Self.tables)
        insertion = try connection.prepare(
            "INSERT INTO record VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)")
        update = try connection.prepare(
            "UPDATE record SET status = $2, refunded = $3, action = $4 WHERE number = $1")
        byNumber = try connection.prepare("SELECT * FROM record WHERE number = $1")
        byKey = try connection.prepare("SELECT number FROM record WHERE key = $1")
        pages = try connection.prepare("SELECT * FROM record WHERE number > $1 ORDER BY number LIMIT $2")
        count = Int(try number("SELECT coalesce(max(number), 0) FROM record"))
        try connection.run("BEGIN")
    }

    private static let tables = """
        CREATE TABLE IF NOT EXISTS record (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, result TEXT NOT NULL, key TEXT,
            subject INTEGER, amount INTEGER, currency TEXT, method TEXT, description TEXT, refusal TEXT,
            status TEXT NOT NULL, refunded INTEGER NOT NULL, action INTEGER);
        CREATE UNIQUE INDEX IF NOT EXISTS record_key ON record (key) WHERE key IS NOT NULL;
        CREATE INDEX IF NOT EXISTS record_untold ON record (number) WHERE status = 'untold';
        CREATE TABLE IF NOT EXISTS snapshot (version INTEGER PRIMARY KEY, count INTEGER NOT NULL, position INTEGER NOT NULL,
            sum INTEGER NOT NULL);
        CREATE TABLE IF NOT EXISTS total (currency TEXT PRIMARY KEY, captured TEXT NOT NULL, refunded TEXT NOT NULL);
        """

    // MARK: Records

    func entry(_ number: Int) -> Entry? {
        if let known = recent[number] { return known }
        guard number > 0, number <= count else { return nil }
        let found = must { try rows(byNumber, [.integer(Int64(number))]).first }
        if let found { remember(found) }
        return found
    }

    func number(of key: String) -> Int? {
        must { try first(byKey, [.text(key)]) }.map { Int($0) }
    }

    func records(after number: Int, limit: Int) -> [TestProcessorRecord] {
        must { try rows(pages, [.integer(Int64(number)), .integer(Int64(limit))]) }.map(\.record)
    }

    /// Actions of which the store has not taken the news, in their order.
    var untold: [Int] {
        must {
            let statement = try connection.prepare("SELECT number FROM record WHERE status = 'untold' ORDER BY number")
            var found: [Int] = []
            while try statement.step() {
                if case .integer(let number)? = statement.value(at: 0) { found.append(Int(number)) }
            }
            return found
        }
    }

    func append(_ record: TestProcessorRecord, _ status: Status) {
        let values: [SQLiteValue] = [
            .integer(Int64(record.number)), .text(record.kind.rawValue), .text(record.result.rawValue),
            Self.text(record.key), record.of.map { .integer(Int64($0)) } ?? .null,
            record.amount.map { .integer($0.minorUnits) } ?? .null, Self.text(record.amount?.currency.code),
            Self.text(record.method), Self.text(record.description), Self.text(record.refusal?.rawValue),
            .text(status.word), .integer(status.refunded), .null,
        ]
        must { try change(insertion, values) }
        count = record.number
        uncommitted += 1
        remember(Entry(record: record, status: status))
    }

    func set(_ status: Status, of number: Int, action: Int? = nil) {
        guard var entry = entry(number) else { return }
        entry.status = status
        entry.action = action ?? entry.action
        let action = entry.action.map { SQLiteValue.integer(Int64($0)) } ?? .null
        must {
            try change(update, [.integer(Int64(number)), .text(status.word), .integer(status.refunded), action])
        }
        remember(entry)
    }

    private func remember(_ entry: Entry) {
        if recent.count >= Self.recentLimit { recent.removeAll(keepingCapacity: true) }
        recent[entry.record.number] = entry
    }

    // MARK: The snapshot

    /// The place in the log up to which it has everything; the beginning of the log for an empty one.
    func place() throws -> Place {
        let statement = try connection.prepare("SELECT version, count, position, sum FROM snapshot")
        guard try statement.step() else {
            guard count == 0 else { throw SQLiteError(code: 0, message: "there are records without a snapshot") }
            return Place()
        }
        let cells = (0..<4).compactMap { column -> Int64? in
            if case .integer(let number)? = statement.value(at: column) { number } else { nil }
        }
        guard cells.count == 4, cells[0] == Int64(Self.version), cells[1] == Int64(count) else {
            throw SQLiteError(code: 0, message: "the snapshot is of another version")
        }
        return Place(
            count: count, offset: cells[2], lines: TestProcessorLogLines(sum: UInt64(bitPattern: cells[3])))
    }

    func totals() throws -> TestProcessorTotals {
        let statement = try connection.prepare("SELECT currency, captured, refunded FROM total")
        var totals = TestProcessorTotals()
        while try statement.step() {
            guard case .text(let code)? = statement.value(at: 0), let currency = Currency(code),
                case .text(let captured)? = statement.value(at: 1), case .text(let refunded)? = statement.value(at: 2)
            else { continue }
            totals.set(
                TestProcessorTotals.Sums(captured: Int128(captured) ?? 0, refunded: Int128(refunded) ?? 0), currency)
        }
        return totals
    }

    /// Keeps everything up to a place. What the log has up to there must be on the disk.
    ///
    /// If it throws, everything since the last commit is gone, and the index is of no use any more.
    func commit(_ place: Place, _ totals: TestProcessorTotals) throws {
        try run(
            "INSERT OR REPLACE INTO snapshot VALUES ($1, $2, $3, $4)",
            [
                .integer(Int64(Self.version)), .integer(Int64(place.count)), .integer(place.offset),
                .integer(Int64(bitPattern: place.lines.sum)),
            ])
        for (currency, sums) in totals.sums {
            try run(
                "INSERT OR REPLACE INTO total VALUES ($1, $2, $3)",
                [.text(currency.code), .text("\(sums.captured)"), .text("\(sums.refunded)")])
        }
        try connection.run("COMMIT; BEGIN")
        uncommitted = 0
    }

    // MARK: Statements

    private func run(_ text: String, _ values: [SQLiteValue]) throws {
        try change(try connection.prepare(text), values)
    }

    private func change(_ statement: SQLiteStatement, _ values: [SQLiteValue]) throws {
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {}
    }

    private func first(_ statement: SQLiteStatement, _ values: [SQLiteValue]) throws -> Int64? {
        defer { statement.reset() }
        try statement.bind(values)
        guard try statement.step(), case .integer(let number)? = statement.value(at: 0) else { return nil }
        return number
    }

    private func number(_ text: String) throws -> Int64 { try first(try connection.prepare(text), []) ?? 0 }

    private func rows(_ statement: SQLiteStatement, _ values: [SQLiteValue]) throws -> [Entry] {
        defer { statement.reset() }
        try statement.bind(values)
        var found: [Entry] = []
        while try statement.step() {
            guard let entry = Entry((0..<13).map { statement.value(at: $0) ?? .null }) else {
                throw SQLiteError(code: 0, message: "a record has no form that this version knows")
            }
            found.append(entry)
        }
        return found
    }

    private static func text(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }

    private func must<Result>(_ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            // What is not there is made anew at the next start; what is wrong would stay wrong.
            if let path { try? Self.remove(path) }
            // Safe: the process may end at any instant, and its store starts another.
            fatalError("the index of the processor's log cannot be used: \(error)")
        }
    }
}

extension TestProcessorIndex.Status {
    fileprivate var word: String {
        switch self {
        case .closed: "closed"
        case .reserved: "reserved"
        case .waiting: "waiting"
        case .taken: "taken"
        case .untold: "untold"
        }
    }

    fileprivate var refunded: Int64 { if case .taken(let refunded) = self { refunded } else { 0 } }

    fileprivate init?(_ word: String, refunded: Int64) {
        switch word {
        case "closed": self = .closed
        case "reserved": self = .reserved
        case "waiting": self = .waiting
        case "taken": self = .taken(refunded: refunded)
        case "untold": self = .untold
        default: return nil
        }
    }
}

extension TestProcessorIndex.Entry {
    /// Reads the columns of `record`.
    fileprivate init?(_ cells: [SQLiteValue]) {
        func text(_ column: Int) -> String? { if case .text(let text) = cells[column] { text } else { nil } }
        func number(_ column: Int) -> Int64? { if case .integer(let number) = cells[column] { number } else { nil } }
        guard let place = number(0), let kind = text(1).flatMap(TestProcessorRecord.Kind.init(rawValue:)),
            let result = text(2).flatMap(TestProcessorRecord.Result.init(rawValue:)),
            let status = text(10).flatMap({ TestProcessorIndex.Status($0, refunded: number(11) ?? 0) })
        else { return nil }
        var record = TestProcessorRecord(Int(place), kind, result)
        record.key = text(3)
        record.of = number(4).map { Int($0) }
        if let minorUnits = number(5), let currency = text(6).flatMap({ Currency($0) }) {
            record.amount = Money(minorUnits: minorUnits, currency: currency)
        }
        record.method = text(7)
        record.description = text(8)
        record.refusal = text(9).map(PaymentRefusal.init(rawValue:))
        self.init(record: record, status: status, action: number(12).map { Int($0) })
    }
}

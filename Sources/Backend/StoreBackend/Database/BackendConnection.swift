/// A connection to the developer's own database.
///
/// One thread uses it at a time. Parameters of a statement are written `$1`, `$2`… on every engine, and each is used.
public protocol BackendConnection: AnyObject {
    /// Which SQL the database understands.
    var dialect: SQLDialect { get }

    /// Whether a transaction is open.
    var isInTransaction: Bool { get }

    /// Runs one statement and returns the rows that it gives; throws ``BackendError``.
    ///
    /// ``BackendError/Code/databaseBusy`` is what another transaction was in the way of, and
    /// ``BackendError/Code/outcomeUnknown`` a commit that may have been written or not.
    @discardableResult
    func run(_ statement: String, _ values: [SQLValue]) throws -> [SQLRow]
}

extension BackendConnection {
    /// Runs one statement without parameters.
    @discardableResult
    public func run(_ statement: String) throws -> [SQLRow] { try run(statement, []) }
}

extension String {
    /// Whether a statement writes a transaction.
    var isCommit: Bool {
        let word = prefix { !$0.isWhitespace && $0 != ";" }.uppercased()
        return word == "COMMIT" || word == "END"
    }
}

/// The SQL of an engine.
// Closed: a further engine is a further adapter, and a change to every statement that differs between them.
public enum SQLDialect: String, CaseIterable, Hashable, Sendable {
    case sqlite
    case postgres
}

/// What a cell holds, or a parameter.
// Closed: there are no fractions, nothing of the backend is measured in them.
public enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
}

extension SQLValue {
    /// A text, or null.
    public init(_ text: String?) { self = text.map(SQLValue.text) ?? .null }

    /// A number, or null.
    public init(_ number: Int64?) { self = number.map(SQLValue.integer) ?? .null }
}

/// A row that a statement gave.
public struct SQLRow: Hashable, Sendable {
    /// The cells in the order of the columns.
    public var cells: [SQLValue]

    /// Makes a row from its cells.
    public init(_ cells: [SQLValue]) { self.cells = cells }

    /// The text of a cell; nil where it is null.
    public func text(_ column: Int) throws -> String? {
        switch try cell(column) {
        case .null: nil
        case .text(let text): text
        default: throw BackendError(.database, "Column \(column) of a row holds no text.")
        }
    }

    /// The number of a cell; nil where it is null.
    public func integer(_ column: Int) throws -> Int64? {
        switch try cell(column) {
        case .null: nil
        case .integer(let number): number
        default: throw BackendError(.database, "Column \(column) of a row holds no number.")
        }
    }

    private func cell(_ column: Int) throws -> SQLValue {
        guard cells.indices.contains(column) else {
            throw BackendError(.database, "A row has \(cells.count) columns, and no column \(column).")
        }
        return cells[column]
    }

    /// The text of a cell that is never null.
    package func requiredText(_ column: Int) throws -> String {
        guard let text = try text(column) else { throw BackendError(.database, "Column \(column) of a row is empty.") }
        return text
    }

    /// The number of a cell that is never null.
    package func requiredInteger(_ column: Int) throws -> Int64 {
        guard let number = try integer(column) else {
            throw BackendError(.database, "Column \(column) of a row is empty.")
        }
        return number
    }
}

import CPostgres
import Foundation

/// The adapter for a libpq connection of the developer's own.
///
/// The connection stays the developer's: it is not finished here, and must not be finished while this is in use.
public final class PostgresHandle: BackendConnection {
    private let connection: OpaquePointer

    /// Wraps a `PGconn *`.
    public init(_ connection: OpaquePointer) {
        self.connection = connection
    }

    public var dialect: SQLDialect { .postgres }

    public var isInTransaction: Bool {
        [PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_ACTIVE].contains(PQtransactionStatus(connection))
    }

    /// Whether the connection is lost.
    var isLost: Bool { PQstatus(connection) != CONNECTION_OK }

    @discardableResult
    public func run(_ statement: String, _ values: [SQLValue]) throws -> [SQLRow] {
        let parameters = values.map(Parameter.init)
        // Safe to force nothing here: values without bytes are null pointers, which libpq takes for null.
        let buffers = parameters.map { parameter in
            parameter.bytes.map { bytes -> UnsafeMutablePointer<CChar> in
                let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
                for (index, byte) in bytes.enumerated() { copy[index] = CChar(bitPattern: byte) }
                copy[bytes.count] = 0
                return copy
            }
        }
        defer { for buffer in buffers { buffer?.deallocate() } }
        let result = PQexecParams(
            connection, statement, Int32(values.count), parameters.map(\.type), buffers.map { UnsafePointer($0) },
            parameters.map { Int32($0.bytes?.count ?? 0) }, parameters.map { _ in 1 }, 1)
        defer { PQclear(result) }
        let status = PQresultStatus(result)
        guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else {
            throw PostgresFailure(result, connection).error(isCommit: statement.isCommit)
        }
        // A transaction in which a statement has failed is undone by its commit, which PostgreSQL counts as a success.
        if statement.isCommit, let done = PQcmdStatus(result), String(cString: done) == "ROLLBACK" {
            throw BackendError(.database, "A statement of the transaction had failed, so it was undone, not written.")
        }
        return try (0..<PQntuples(result)).map { row in
            try SQLRow((0..<PQnfields(result)).map { column in try Self.value(result, row, column) })
        }
    }

    private static func value(_ result: OpaquePointer?, _ row: Int32, _ column: Int32) throws -> SQLValue {
        guard PQgetisnull(result, row, column) == 0 else { return .null }
        let cell = UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
        switch PQftype(result, column) {
        case TypeNumber.bigint where cell.count == 8:
            return .integer(Int64(bigEndian: cell.loadUnaligned(as: Int64.self)))
        case TypeNumber.integer where cell.count == 4:
            return .integer(Int64(Int32(bigEndian: cell.loadUnaligned(as: Int32.self))))
        case TypeNumber.boolean where cell.count == 1: return .integer(Int64(cell[0]))
        case TypeNumber.bytes: return .bytes(Array(cell))
        case TypeNumber.text, TypeNumber.varyingText, TypeNumber.unknown, TypeNumber.name:
            return .text(String(decoding: cell, as: UTF8.self))
        case TypeNumber.void: return .null
        case let type:
            throw BackendError(.database, "PostgreSQL gave a value of type \(type), which the backend does not read.")
        }
    }

    /// A value as PostgreSQL keeps it.
    private struct Parameter {
        var type: Oid
        var bytes: [UInt8]?

        init(_ value: SQLValue) {
            switch value {
            case .null: (type, bytes) = (0, nil)
            case .integer(let number):
                (type, bytes) = (TypeNumber.bigint, withUnsafeBytes(of: number.bigEndian) { Array($0) })
            case .text(let text): (type, bytes) = (TypeNumber.text, Array(text.utf8))
            case .bytes(let value): (type, bytes) = (TypeNumber.bytes, value)
            }
        }
    }

    /// The numbers that PostgreSQL's own types have.
    private enum TypeNumber {
        static let boolean: Oid = 16
        static let bytes: Oid = 17
        static let name: Oid = 19
        static let bigint: Oid = 20
        static let integer: Oid = 23
        static let text: Oid = 25
        static let unknown: Oid = 705
        static let varyingText: Oid = 1043
        static let void: Oid = 2278
    }
}

/// What PostgreSQL refused.
struct PostgresFailure {
    private let state: String?
    let message: String
    private let isLost: Bool

    init(_ result: OpaquePointer?, _ connection: OpaquePointer) {
        state = result.flatMap(till_postgres_sql_state).map { String(cString: $0) }
        let text = result.flatMap(till_postgres_message) ?? UnsafePointer(PQerrorMessage(connection))
        message = text.map { String(cString: $0).trimmingCharacters(in: .whitespacesAndNewlines) } ?? "no answer"
        isLost = PQstatus(connection) != CONNECTION_OK
    }

    func error(isCommit: Bool) -> BackendError {
        BackendError(code(isCommit: isCommit), "PostgreSQL says: \(message)")
    }

    private func code(isCommit: Bool) -> BackendError.Code {
        // Serialization failures and deadlocks.
        if state == "40001" || state == "40P01" { return .databaseBusy }
        // A refusal of the server's own is an answer, but not one that it gives while it is shut down or failing.
        let isAnswer = !isLost && ["23", "25", "40"].contains(state.map { $0.prefix(2) } ?? "")
        return isCommit && !isAnswer ? .outcomeUnknown : .database
    }
}

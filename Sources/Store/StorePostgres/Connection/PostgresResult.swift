import CPostgres

/// What the server answered to one statement: all its rows, or an error.
final class PostgresResult {
    private let handle: OpaquePointer

    /// Takes the result over.
    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        PQclear(handle)
    }

    var status: ExecStatusType { PQresultStatus(handle) }
    var rowCount: Int { Int(PQntuples(handle)) }
    var columnCount: Int { Int(PQnfields(handle)) }
    /// The types of a prepared statement's parameters.
    var parameterTypes: [Oid] { (0..<PQnparams(handle)).map { PQparamtype(handle, $0) } }

    /// What was done, such as `COMMIT` or `UPDATE 3`.
    var commandTag: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }

    /// How many rows were inserted, updated or deleted.
    var changedRowCount: Int {
        let words = commandTag.split(separator: " ")
        guard let verb = words.first, ["INSERT", "UPDATE", "DELETE", "MERGE"].contains(verb) else { return 0 }
        return words.last.flatMap { Int($0) } ?? 0
    }

    func type(ofColumn column: Int) -> Oid { PQftype(handle, Int32(column)) }

    /// The bytes of a cell, valid as long as the result; nil if it holds no value.
    func cell(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
        guard PQgetisnull(handle, Int32(row), Int32(column)) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(handle, Int32(row), Int32(column)),
            count: Int(PQgetlength(handle, Int32(row), Int32(column))))
    }

    /// A cell of a result that came as text.
    func text(_ row: Int, _ column: Int) -> String? {
        cell(row, column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A part of the error.
    func text(_ part: (OpaquePointer?) -> UnsafePointer<CChar>?) -> String? {
        part(handle).map { String(cString: $0) }
    }
}

import CPostgres

/// A connection of the superuser, beside the driver that is tested.
package final class Supervisor {
    private let handle: OpaquePointer?

    package init(_ address: String) throws {
        handle = PQconnectdb(address)
        guard PQstatus(handle) == CONNECTION_OK else { throw ClusterError(message: message) }
        till_postgres_ignore_notices(handle)
    }

    deinit {
        PQfinish(handle)
    }

    /// Runs SQL; gives the first column of the last answer.
    @discardableResult
    package func run(_ sql: String) throws -> [String] {
        let result = PQexec(handle, sql)
        defer { PQclear(result) }
        guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else {
            throw ClusterError(message: message)
        }
        return (0..<PQntuples(result)).map { String(cString: PQgetvalue(result, $0, 0)) }
    }

    private var message: String { PQerrorMessage(handle).map { String(cString: $0) } ?? "" }
}

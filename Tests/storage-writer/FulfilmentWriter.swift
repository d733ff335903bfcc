import CPostgres
import CSQLite
import StoreBackend
import StoreModel

/// Fulfils one transaction in a database of a developer's own, which has a table of accounts, and says what came of it.
enum FulfilmentWriter {
    static func run(_ dialect: SQLDialect, _ address: String, number: Int64) throws -> String {
        switch dialect {
        case .sqlite:
            var handle: OpaquePointer?
            guard sqlite3_open(address, &handle) == SQLITE_OK, let handle else {
                throw BackendError(.database, "The file does not open.")
            }
            sqlite3_busy_timeout(handle, 10_000)
            return try fulfil(number, over: SQLiteHandle(handle))
        case .postgres:
            guard let connection = PQconnectdb(address), PQstatus(connection) == CONNECTION_OK else {
                throw BackendError(.database, "Nobody answers.")
            }
            return try fulfil(number, over: PostgresHandle(connection))
        }
    }

    private static func fulfil(_ number: Int64, over connection: any BackendConnection) throws -> String {
        let instant = Instant(millisecondsSinceEpoch: 1_700_000_000_000)
        let id = try TransactionID(number: number)
        let transaction = VerifiedTransaction(
            environment: .sandbox, transactionID: id, originalTransactionID: id,
            bundleID: try BundleID(parsing: "com.example.monkeycredits"),
            productID: try ProductID(parsing: "com.example.monkeycredits.credits100"), purchaseDate: instant,
            originalPurchaseDate: instant, statedAt: instant)
        let fulfilment = try SQLFulfilmentLedger(connection).fulfil(transaction, at: instant) { _ in
            try connection.run("UPDATE account SET credits = credits + $1 WHERE name = 'me'", [.integer(100)])
            return "credited 100"
        }
        return fulfilment.result ?? ""
    }
}

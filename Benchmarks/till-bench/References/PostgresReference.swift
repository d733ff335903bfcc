import CBenchReference
import PostgresTestServer

/// Transactions of rows in PostgreSQL, written in C: a thread for each connection.
final class PostgresReference: Contestant {
    private let cluster: PostgresCluster
    private let pointer: OpaquePointer

    init(_ cluster: PostgresCluster, _ address: String, connections: Int) throws {
        guard let pointer = till_postgres_reference_new(address, Int32(connections)) else {
            throw BenchmarkError("the C reference cannot use a database of PostgreSQL")
        }
        (self.cluster, self.pointer) = (cluster, pointer)
    }

    deinit {
        till_postgres_reference_free(pointer)
    }

    func run(seconds: Double) throws -> Rate {
        let clock = ContinuousClock()
        let start = clock.now
        let done = till_postgres_reference_run(
            pointer, seconds, Int32(StorageRow.rowsPerTransaction), StorageRow.content, Int32(StorageRow.content.count))
        guard done >= 0 else { throw BenchmarkError("the C reference cannot write") }
        return Rate(operations: Int(done), seconds: (clock.now - start) / .seconds(1))
    }
}
